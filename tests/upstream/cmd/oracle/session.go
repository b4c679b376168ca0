package main

// A session runs the three upstream controllers together on a small cluster in
// memory whose clock moves only by "advance". One operation a line:
//
//	{"op":"session","now":"2026-01-02T03:04:05Z"}            a new, empty cluster and controllers that have just started
//	{"op":"apply","object":{…}}                              create a Job, CronJob or Pod, with defaults and admission
//	{"op":"edit","kind":"Job","name":"pi","merge":{…}}       a JSON merge patch of the object, with admission
//	{"op":"remove","kind":"Job","name":"pi","propagation":"Background|Foreground|Orphan"}
//	{"op":"pod","select":{…},"do":"start"}                   what a node does to a pod
//	{"op":"refuse","kind":"Pod","verb":"patch","select":{…},"seconds":30,"code":403}
//	                                                         the API server refuses such requests for this time: of the selected pod, of the named Job
//	                                                         ("name"), or every creation (verb create); code 403, 409, 429 or 500
//	{"op":"restart"}                                         the controllers lose all they hold in memory and list again
//	{"op":"advance","seconds":5}                             time passes; whatever is due runs; the answer is the state
//
// select: {"job":"pi","index":0,"phase":"Running","deleting":false,"nth":0}; every key but nth narrows, and nth counts in
// order of creation, then name. No such pod is an answer, {"error":"no such pod"}, not a failure.
// do: start (assigned to a node and Running), ready, succeed, fail (with exitCode; reason and conditions as given in
// "conditions"), restart (the container ended and was started again in place: restartCount+1), delete (a client deletes it through the API
// server, 30 s of grace), gone (the node has stopped it: if it ran, it is Failed with exit code 137, and it
// disappears as soon as no finalizer holds it).
//
// Names and UIDs are predictable: generateName is followed by a five-digit counter for that generateName, and a UID is
// <kind in lower case>-<name>-<n>, n counting the objects of that kind and name so far. The API server keeps finalizers, grace
// periods, foreground and orphan deletion, owner references (garbage collection is immediate), generation, the status subresource and
// its validation, which a pod goes through as it is created. Controllers see every write at once. Between two "advance" no controller runs.
//
// A DELETE of a pod that has no node yet or has ended takes effect at once when no finalizer holds it; of a running pod it sets
// deletionTimestamp 30 s (its own grace period) ahead, and only "gone" ends it: time alone does not. Times are cut to seconds where
// the API stores seconds. A write that changes nothing gives no new resourceVersion and is shown to nobody. "advance" does what is due in the order of time; of what is due at once, Jobs first, then CronJobs, then TTL.
//
// The answer to "advance" is {"state":{"now","jobs":{name:{"status","deleting","suspend"}},"cronjobs":{name:{"status"}},"pods":[{"name",
// "owner","phase","deleting","finalizers","index","failureCounts"}],"writes":["verb Kind[/status] name"],"events":["Type Reason Message"]}}, writes and
// events being those since the last one; to any other operation {} or {"error":"…"}. "stuck" is there if the controllers never fell quiet.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	core "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/controller/cronjob"
	"k8s.io/kubernetes/pkg/controller/job"
	"k8s.io/kubernetes/pkg/controller/ttlafterfinished"
	cronjobregistry "k8s.io/kubernetes/pkg/registry/batch/cronjob"
	jobregistry "k8s.io/kubernetes/pkg/registry/batch/job"
	podregistry "k8s.io/kubernetes/pkg/registry/core/pod"
	testingclock "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"

	"upstream/virtual"
)

type selector struct {
	Job      string `json:"job"`
	Index    *int   `json:"index"`
	Phase    string `json:"phase"`
	Deleting *bool  `json:"deleting"`
	Nth      int    `json:"nth"`
}

// refusal is a kind of request that the API server refuses for a time: by name and not by number, as controllers send their requests side by side.
type refusal struct {
	kind, verb, name string
	until            time.Time
	code             int32
}

type session struct {
	clock       *testingclock.FakeClock
	client      *fake.Clientset
	objects     map[string]runtime.Object // "kind/namespace/name"
	seen        map[string]runtime.Object // as the controllers last saw them
	version     int
	counters    map[string]int
	writes      []string
	ev          *events
	refusals    []refusal
	controllers []virtual.Controller
	stuck       string
}

var current *session

const limit = 2000 // things done in one advance: more is a loop

func newSession(now time.Time) *session {
	s := &session{clock: testingclock.NewFakeClock(now), client: fake.NewClientset(), objects: map[string]runtime.Object{},
		counters: map[string]int{}, ev: &events{}}
	s.client.PrependReactor("*", "*", s.react)
	s.restart()
	return s
}

func (s *session) restart() {
	ctx := context.Background()
	j, err := job.NewStepper(ctx, s.client, s.clock, s.ev)
	if err != nil {
		panic(err)
	}
	c, err := cronjob.NewStepper(ctx, s.client, s.clock, s.ev)
	if err != nil {
		panic(err)
	}
	s.controllers = []virtual.Controller{j, c, ttlafterfinished.NewStepper(ctx, s.client, s.clock)}
	s.seen = map[string]runtime.Object{}
	s.deliver()
}

// deliver shows the controllers what changed since the last look.
func (s *session) deliver() {
	keys := map[string]bool{}
	for k := range s.objects {
		keys[k] = true
	}
	for k := range s.seen {
		keys[k] = true
	}
	sorted := make([]string, 0, len(keys))
	for k := range keys {
		sorted = append(sorted, k)
	}
	sort.Strings(sorted)
	for _, k := range sorted {
		old, new := s.seen[k], s.objects[k]
		if old != nil && new != nil && uid(old) != uid(new) {
			s.notify(old, nil)
			old = nil
		}
		if old == nil || new == nil || version(old) != version(new) {
			s.notify(old, new)
		}
		if new == nil {
			delete(s.seen, k)
		} else {
			s.seen[k] = new
		}
	}
}

func (s *session) notify(old, new runtime.Object) {
	if old == nil && new == nil {
		return
	}
	copyOf := func(o runtime.Object) runtime.Object {
		if o == nil {
			return nil
		}
		return o.DeepCopyObject()
	}
	for _, c := range s.controllers {
		c.Observe(copyOf(old), copyOf(new))
	}
}

func (s *session) advance(d time.Duration) {
	end := s.clock.Now().Add(d)
	for n := 0; ; n++ {
		s.deliver()
		var first virtual.Controller
		var at time.Time
		for _, c := range s.controllers {
			if t, ok := c.Next(); ok && (first == nil || t.Before(at)) {
				first, at = c, t
			}
		}
		if first == nil || at.After(end) {
			break
		}
		if n > limit {
			s.stuck = "the controllers never fall quiet"
			break
		}
		if at.After(s.clock.Now()) {
			s.clock.SetTime(at)
		}
		first.RunDue(context.Background())
	}
	s.clock.SetTime(end)
}

func access(o runtime.Object) metav1.Object {
	m, err := meta.Accessor(o)
	if err != nil {
		panic(err)
	}
	return m
}

func uid(o runtime.Object) types.UID  { return access(o).GetUID() }
func version(o runtime.Object) string { return access(o).GetResourceVersion() }

func kindOf(o runtime.Object) string {
	switch o.(type) {
	case *batchv1.Job:
		return "Job"
	case *batchv1.CronJob:
		return "CronJob"
	case *corev1.Pod:
		return "Pod"
	}
	return "?"
}

func keyOf(o runtime.Object) string {
	m := access(o)
	return kindOf(o) + "/" + m.GetNamespace() + "/" + m.GetName()
}

// put stores an object. As on a real server, a write that changes nothing gives no new version.
func (s *session) put(o runtime.Object) {
	m := access(o)
	if old, ok := s.objects[keyOf(o)]; ok {
		m.SetResourceVersion(version(old))
		if equality.Semantic.DeepEqual(old, o) {
			return
		}
	}
	s.version++
	m.SetResourceVersion(fmt.Sprint(s.version))
	s.objects[keyOf(o)] = o
}

var resources = map[string]string{"jobs": "Job", "cronjobs": "CronJob", "pods": "Pod"}

// refused is the error of a request that is refused at this time.
func (s *session) refused(kind string, action clienttesting.Action) error {
	name := ""
	switch a := action.(type) {
	case clienttesting.PatchActionImpl:
		name = a.GetName()
	case clienttesting.DeleteActionImpl:
		name = a.GetName()
	case clienttesting.UpdateActionImpl:
		name = access(a.GetObject()).GetName()
	}
	group := action.GetResource().GroupResource()
	for _, r := range s.refusals {
		if r.kind != kind || r.verb != action.GetVerb() || r.name != name || !s.clock.Now().Before(r.until) {
			continue
		}
		switch r.code {
		case 409:
			return apierrors.NewConflict(group, name, errors.New("refused"))
		case 429:
			return apierrors.NewTooManyRequests("refused", 1)
		case 500:
			return apierrors.NewInternalError(errors.New("refused"))
		}
		return apierrors.NewForbidden(group, name, errors.New("refused"))
	}
	return nil
}

// react is the API server, as the controllers' client sees it.
func (s *session) react(action clienttesting.Action) (bool, runtime.Object, error) {
	kind, known := resources[action.GetResource().Resource]
	if !known {
		return true, nil, errors.New("not served: " + action.GetResource().Resource)
	}
	group := action.GetResource().GroupResource()
	note := func(name string) {
		verb := action.GetVerb() + " " + kind
		if action.GetSubresource() != "" {
			verb += "/" + action.GetSubresource()
		}
		s.writes = append(s.writes, verb+" "+name)
	}
	find := func(name string) (runtime.Object, error) {
		namespace := action.GetNamespace()
		if namespace == "" { // v1.36.3 forgets it when it looks for a Job that exists already (mended in v1.37)
			namespace = "default"
		}
		if o, ok := s.objects[kind+"/"+namespace+"/"+name]; ok {
			return o.DeepCopyObject(), nil
		}
		return nil, apierrors.NewNotFound(group, name)
	}
	if err := s.refused(kind, action); err != nil {
		note("(refused)")
		return true, nil, err
	}
	switch a := action.(type) {
	case clienttesting.GetActionImpl:
		o, err := find(a.GetName())
		return true, o, err
	case clienttesting.CreateActionImpl:
		o, err := s.create(a.GetObject().DeepCopyObject(), a.GetNamespace())
		if err != nil {
			note("(refused)")
			return true, nil, err
		}
		note(access(o).GetName())
		return true, o, nil
	case clienttesting.UpdateActionImpl:
		new := a.GetObject().DeepCopyObject()
		note(access(new).GetName())
		old, err := find(access(new).GetName())
		if err != nil {
			return true, nil, err
		}
		if v := version(new); v != "" && v != version(old) {
			return true, nil, apierrors.NewConflict(group, access(new).GetName(), errors.New("the object has been modified"))
		}
		o, err := s.update(old, new, action.GetSubresource())
		return true, o, err
	case clienttesting.PatchActionImpl:
		note(a.GetName())
		old, err := find(a.GetName())
		if err != nil {
			return true, nil, err
		}
		before, _ := json.Marshal(old)
		var after []byte
		switch a.GetPatchType() {
		case types.StrategicMergePatchType:
			after, err = strategicpatch.StrategicMergePatch(before, a.GetPatch(), old)
		case types.MergePatchType:
			after, err = jsonpatch.MergePatch(before, a.GetPatch())
		default:
			err = fmt.Errorf("patch type %s", a.GetPatchType())
		}
		if err != nil {
			return true, nil, err
		}
		new, err := typed(kind, after)
		if err != nil {
			return true, nil, err
		}
		if uid(new) != uid(old) {
			return true, nil, apierrors.NewConflict(group, a.GetName(), errors.New("uid mismatch"))
		}
		o, err := s.update(old, new, action.GetSubresource())
		return true, o, err
	case clienttesting.DeleteActionImpl:
		note(a.GetName())
		old, err := find(a.GetName())
		if err != nil {
			return true, nil, err
		}
		opts := a.GetDeleteOptions()
		if p := opts.Preconditions; p != nil && p.UID != nil && *p.UID != uid(old) {
			return true, nil, apierrors.NewConflict(group, a.GetName(), errors.New("uid mismatch"))
		}
		policy := metav1.DeletePropagationBackground
		if opts.PropagationPolicy != nil {
			policy = *opts.PropagationPolicy
		}
		s.remove(old, policy)
		return true, nil, nil
	}
	return true, nil, errors.New("not served: " + action.GetVerb())
}

func typed(kind string, b []byte) (o runtime.Object, err error) {
	switch kind {
	case "Job":
		o = &batchv1.Job{}
	case "CronJob":
		o = &batchv1.CronJob{}
	case "Pod":
		o = &corev1.Pod{}
	default:
		return nil, fmt.Errorf("no kind %q", kind)
	}
	return o, json.Unmarshal(b, o)
}

func requestContext(namespace string) context.Context {
	ctx := genericapirequest.WithNamespace(context.Background(), namespace)
	return genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{APIGroup: "batch", APIVersion: "v1"})
}

func internal(o runtime.Object) runtime.Object {
	b, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(batchv1.SchemeGroupVersion), o)
	if err != nil {
		panic(err)
	}
	in, err := decode(b)
	if err != nil {
		panic(err)
	}
	return in
}

func external(o runtime.Object, kind string) runtime.Object {
	b, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(batchv1.SchemeGroupVersion), o)
	if err != nil {
		panic(err)
	}
	out, err := typed(kind, b)
	if err != nil {
		panic(err)
	}
	return out
}

func invalid(kind, name string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: "batch", Kind: kind}, name, errs)
}

// validPod is the refusal of a pod; it sets no defaults, which a session does not show.
func validPod(ctx context.Context, p *corev1.Pod) error {
	defaulted, in := p.DeepCopy(), &core.Pod{}
	legacyscheme.Scheme.Default(defaulted)
	if err := legacyscheme.Scheme.Convert(defaulted, in, nil); err != nil {
		return err
	}
	if errs := podregistry.Strategy.Validate(ctx, in); len(errs) > 0 {
		return apierrors.NewInvalid(schema.GroupKind{Kind: "Pod"}, p.Name, errs)
	}
	return nil
}

func (s *session) create(o runtime.Object, namespace string) (runtime.Object, error) {
	kind, m := kindOf(o), access(o)
	if namespace == "" {
		namespace = "default"
	}
	m.SetNamespace(namespace)
	if m.GetName() == "" {
		s.counters[m.GetGenerateName()]++
		m.SetName(fmt.Sprintf("%s%05d", m.GetGenerateName(), s.counters[m.GetGenerateName()]))
	}
	if _, ok := s.objects[keyOf(o)]; ok {
		return nil, apierrors.NewAlreadyExists(schema.GroupResource{Group: "batch", Resource: strings.ToLower(kind) + "s"}, m.GetName())
	}
	s.counters[keyOf(o)]++
	m.SetUID(types.UID(fmt.Sprintf("%s-%s-%d", strings.ToLower(kind), m.GetName(), s.counters[keyOf(o)])))
	m.SetCreationTimestamp(metav1.NewTime(s.clock.Now().Truncate(time.Second)))
	m.SetGeneration(1)
	ctx := requestContext(namespace)
	switch kind {
	case "Job":
		in := internal(o).(*batch.Job)
		jobregistry.Strategy.PrepareForCreate(ctx, in)
		if err := invalid(kind, m.GetName(), jobregistry.Strategy.Validate(ctx, in)); err != nil {
			return nil, err
		}
		o = external(in, kind)
	case "CronJob":
		in := internal(o).(*batch.CronJob)
		cronjobregistry.Strategy.PrepareForCreate(ctx, in)
		if err := invalid(kind, m.GetName(), cronjobregistry.Strategy.Validate(ctx, in)); err != nil {
			return nil, err
		}
		o = external(in, kind)
	case "Pod":
		p := o.(*corev1.Pod)
		p.Status = corev1.PodStatus{Phase: corev1.PodPending}
		if p.Spec.TerminationGracePeriodSeconds == nil {
			p.Spec.TerminationGracePeriodSeconds = ptr.To[int64](30)
		}
		if err := validPod(ctx, p); err != nil {
			return nil, err
		}
	}
	s.put(o)
	return o.DeepCopyObject(), nil
}

func (s *session) update(old, new runtime.Object, subresource string) (runtime.Object, error) {
	kind, name := kindOf(new), access(new).GetName()
	ctx := requestContext(access(new).GetNamespace())
	switch kind {
	case "Job":
		in, was := internal(new).(*batch.Job), internal(old).(*batch.Job)
		var errs field.ErrorList
		if subresource == "status" {
			jobregistry.StatusStrategy.PrepareForUpdate(ctx, in, was)
			errs = jobregistry.StatusStrategy.ValidateUpdate(ctx, in, was)
		} else {
			jobregistry.Strategy.PrepareForUpdate(ctx, in, was)
			errs = jobregistry.Strategy.ValidateUpdate(ctx, in, was)
		}
		if err := invalid(kind, name, errs); err != nil {
			return nil, err
		}
		new = external(in, kind)
	case "CronJob":
		in, was := internal(new).(*batch.CronJob), internal(old).(*batch.CronJob)
		if subresource == "status" {
			cronjobregistry.StatusStrategy.PrepareForUpdate(ctx, in, was)
		} else {
			cronjobregistry.Strategy.PrepareForUpdate(ctx, in, was)
			if err := invalid(kind, name, cronjobregistry.Strategy.ValidateUpdate(ctx, in, was)); err != nil {
				return nil, err
			}
		}
		new = external(in, kind)
	}
	s.put(new)
	s.settle(new)
	return new.DeepCopyObject(), nil
}

// remove is a DELETE request.
func (s *session) remove(o runtime.Object, policy metav1.DeletionPropagation) {
	m := access(o)
	grace := int64(0)
	if p, ok := o.(*corev1.Pod); ok && p.Spec.NodeName != "" && !ended(p) {
		grace = *p.Spec.TerminationGracePeriodSeconds
	}
	switch {
	case kindOf(o) == "Pod":
	case policy == metav1.DeletePropagationForeground:
		if !slices.Contains(m.GetFinalizers(), metav1.FinalizerDeleteDependents) {
			m.SetFinalizers(append(m.GetFinalizers(), metav1.FinalizerDeleteDependents))
		}
	case policy == metav1.DeletePropagationOrphan:
		for _, child := range s.children(m.GetUID()) {
			child = child.DeepCopyObject()
			access(child).SetOwnerReferences(nil)
			s.put(child)
		}
	}
	if m.GetDeletionTimestamp() == nil {
		m.SetDeletionTimestamp(&metav1.Time{Time: s.clock.Now().Truncate(time.Second).Add(time.Duration(grace) * time.Second)})
		m.SetDeletionGracePeriodSeconds(&grace)
		m.SetGeneration(m.GetGeneration() + 1)
	}
	s.put(o)
	s.settle(o)
}

func ended(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

func (s *session) children(owner types.UID) (out []runtime.Object) {
	keys := make([]string, 0, len(s.objects))
	for k := range s.objects {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if ref := metav1.GetControllerOf(access(s.objects[k])); ref != nil && ref.UID == owner {
			out = append(out, s.objects[k])
		}
	}
	return out
}

// settle lets an object that is being deleted go when nothing holds it, and its dependents with it.
func (s *session) settle(o runtime.Object) {
	m := access(o)
	if m.GetDeletionTimestamp() == nil {
		return
	}
	if finalizers := m.GetFinalizers(); len(finalizers) == 1 && finalizers[0] == metav1.FinalizerDeleteDependents {
		left := s.children(m.GetUID())
		for _, child := range left {
			if access(child).GetDeletionTimestamp() == nil {
				s.remove(child.DeepCopyObject(), metav1.DeletePropagationBackground)
			}
		}
		if len(s.children(m.GetUID())) > 0 {
			return
		}
		m.SetFinalizers(nil)
	}
	grace := m.GetDeletionGracePeriodSeconds()
	if len(m.GetFinalizers()) > 0 || grace != nil && *grace > 0 {
		return
	}
	delete(s.objects, keyOf(o))
	for _, child := range s.children(m.GetUID()) {
		s.remove(child.DeepCopyObject(), metav1.DeletePropagationBackground)
	}
	if ref := metav1.GetControllerOf(m); ref != nil {
		if owner, ok := s.objects[ref.Kind+"/"+m.GetNamespace()+"/"+ref.Name]; ok && uid(owner) == ref.UID {
			s.settle(owner.DeepCopyObject())
		}
	}
}

func (s *session) pick(sel selector) *corev1.Pod {
	var pods []*corev1.Pod
	for _, o := range s.objects {
		p, ok := o.(*corev1.Pod)
		if !ok {
			continue
		}
		ref := metav1.GetControllerOf(p)
		index, indexed := p.Annotations[batchv1.JobCompletionIndexAnnotation]
		switch {
		case sel.Job != "" && (ref == nil || ref.Name != sel.Job):
		case sel.Index != nil && (!indexed || index != fmt.Sprint(*sel.Index)):
		case sel.Phase != "" && string(p.Status.Phase) != sel.Phase:
		case sel.Deleting != nil && *sel.Deleting != (p.DeletionTimestamp != nil):
		default:
			pods = append(pods, p)
		}
	}
	sort.Slice(pods, func(i, j int) bool {
		if !pods[i].CreationTimestamp.Equal(&pods[j].CreationTimestamp) {
			return pods[i].CreationTimestamp.Before(&pods[j].CreationTimestamp)
		}
		return pods[i].Name < pods[j].Name
	})
	if sel.Nth < 0 || sel.Nth >= len(pods) {
		return nil
	}
	return pods[sel.Nth].DeepCopy()
}

func (s *session) node(p *corev1.Pod, do string, exitCode int32, conditions []corev1.PodCondition) error {
	now := metav1.NewTime(s.clock.Now().Truncate(time.Second))
	container := "main"
	if len(p.Spec.Containers) > 0 {
		container = p.Spec.Containers[0].Name
	}
	if len(p.Status.ContainerStatuses) == 0 {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: container}}
	}
	status := &p.Status.ContainerStatuses[0]
	stop := func(phase corev1.PodPhase, code int32) {
		p.Status.Phase = phase
		status.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, FinishedAt: now}}
		status.Ready = false
		ready(p, corev1.ConditionFalse, now)
	}
	if ended(p) && do != "delete" && do != "gone" {
		return errors.New("the pod has ended")
	}
	switch do {
	case "start":
		p.Spec.NodeName = "node"
		p.Status.Phase, p.Status.StartTime = corev1.PodRunning, &now
		status.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}}
	case "ready":
		status.Ready = true
		ready(p, corev1.ConditionTrue, now)
	case "restart":
		status.RestartCount++
	case "succeed":
		stop(corev1.PodSucceeded, 0)
	case "fail":
		stop(corev1.PodFailed, exitCode)
		p.Status.Conditions = append(p.Status.Conditions, conditions...)
	case "delete":
		s.remove(p, metav1.DeletePropagationBackground)
		return nil
	case "gone":
		if p.DeletionTimestamp == nil {
			return errors.New("the pod is not being deleted")
		}
		if !ended(p) {
			stop(corev1.PodFailed, 137)
		}
		p.DeletionGracePeriodSeconds = ptr.To[int64](0)
	default:
		return fmt.Errorf("no action %q", do)
	}
	s.put(p)
	s.settle(p)
	return nil
}

func ready(p *corev1.Pod, status corev1.ConditionStatus, now metav1.Time) {
	for i := range p.Status.Conditions {
		if p.Status.Conditions[i].Type == corev1.PodReady {
			if p.Status.Conditions[i].Status != status {
				p.Status.Conditions[i].Status, p.Status.Conditions[i].LastTransitionTime = status, now
			}
			return
		}
	}
	if status == corev1.ConditionTrue {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: status, LastTransitionTime: now})
	}
}

type podState struct {
	Name       string            `json:"name"`
	Owner      string            `json:"owner,omitempty"`
	Phase      string            `json:"phase"`
	Deleting   bool              `json:"deleting,omitempty"`
	Finalizers []string          `json:"finalizers,omitempty"`
	Index      string            `json:"index,omitempty"`
	Failures   map[string]string `json:"failureCounts,omitempty"`
}

type state struct {
	Now      time.Time      `json:"now"`
	Jobs     map[string]any `json:"jobs"`
	CronJobs map[string]any `json:"cronjobs"`
	Pods     []podState     `json:"pods"`
	Writes   []string       `json:"writes"`
	Events   []string       `json:"events"`
	Stuck    string         `json:"stuck,omitempty"`
}

func (s *session) state() state {
	out := state{Now: s.clock.Now().UTC(), Jobs: map[string]any{}, CronJobs: map[string]any{}, Writes: s.writes, Events: s.ev.lines, Stuck: s.stuck}
	s.writes, s.ev.lines = nil, nil
	for _, o := range s.objects {
		m := access(o)
		switch x := o.(type) {
		case *batchv1.Job:
			out.Jobs[m.GetName()] = map[string]any{"status": x.Status, "deleting": m.GetDeletionTimestamp() != nil, "suspend": ptr.Deref(x.Spec.Suspend, false)}
		case *batchv1.CronJob:
			out.CronJobs[m.GetName()] = map[string]any{"status": x.Status}
		case *corev1.Pod:
			p := podState{Name: x.Name, Phase: string(x.Status.Phase), Deleting: x.DeletionTimestamp != nil, Finalizers: x.Finalizers,
				Index: x.Annotations[batchv1.JobCompletionIndexAnnotation], Failures: map[string]string{}}
			if ref := metav1.GetControllerOf(x); ref != nil {
				p.Owner = ref.Name
			}
			for _, k := range []string{batchv1.JobIndexFailureCountAnnotation, "batch.kubernetes.io/job-index-ignored-failure-count"} {
				if v, ok := x.Annotations[k]; ok {
					p.Failures[k] = v
				}
			}
			out.Pods = append(out.Pods, p)
		}
	}
	sort.Slice(out.Pods, func(i, j int) bool { return out.Pods[i].Name < out.Pods[j].Name })
	return out
}

func (s *session) serve(r request) (a answer) {
	var err error
	switch r.Op {
	case "apply":
		var meta struct{ Kind string }
		if err = json.Unmarshal(r.Object, &meta); err == nil {
			var o runtime.Object
			if o, err = typed(meta.Kind, r.Object); err == nil {
				_, err = s.create(o, access(o).GetNamespace())
			}
		}
	case "edit", "remove":
		old, ok := s.objects[r.Kind+"/default/"+r.Name]
		if !ok {
			return answer{Error: "no such object"}
		}
		old = old.DeepCopyObject()
		if r.Op == "remove" {
			s.remove(old, metav1.DeletionPropagation(r.Propagation))
			break
		}
		before, _ := json.Marshal(old)
		var after []byte
		if after, err = jsonpatch.MergePatch(before, r.Merge); err == nil {
			var new runtime.Object
			if new, err = typed(r.Kind, after); err == nil {
				_, err = s.update(old, new, "")
			}
		}
	case "pod":
		p := s.pick(r.Select)
		if p == nil {
			return answer{Error: "no such pod"}
		}
		err = s.node(p, r.Do, r.ExitCode, r.Conditions)
	case "refuse":
		refused := refusal{kind: r.Kind, verb: r.Verb, name: r.Name, until: s.clock.Now().Add(time.Duration(r.Seconds * float64(time.Second))), code: r.Code}
		if r.Kind == "Pod" && r.Verb != "create" {
			p := s.pick(r.Select)
			if p == nil {
				return answer{Error: "no such pod"}
			}
			refused.name = p.Name
		}
		s.refusals = append(s.refusals, refused)
	case "restart":
		s.restart()
	case "advance":
		s.advance(time.Duration(r.Seconds * float64(time.Second)))
		st := s.state()
		return answer{State: &st}
	}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}
