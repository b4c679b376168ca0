package cluster

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"math/rand"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
)

// Nodes play pods: a pod starts as soon as it is seen, runs for a while and ends, and nothing is ever executed. One that is
// deleted meanwhile is killed.
type Nodes struct {
	Client kubernetes.Interface
	// Namespace is whose pods are played; empty: all.
	Namespace string
	// Count is how many nodes pods are spread over; 0: pods are on none, start and end in one write.
	Count int
	// RunFor is how long a pod on a node runs.
	RunFor time.Duration
	// Fail is the share of pods that fail.
	Fail float64

	seen      atomic.Int64
	addresses atomic.Uint32
	mu        sync.Mutex
	luck      *rand.Rand
	queue     chan item
}

// item is a pod to look at, and whether its time to run is over.
type item struct {
	pod  *corev1.Pod
	over bool
}

const (
	workers   = 32
	tryAgain  = 200 * time.Millisecond
	killed    = 137
	longQueue = 200000
)

// Start begins to play, until ctx ends.
func (n *Nodes) Start(ctx context.Context) {
	n.luck = rand.New(rand.NewSource(1))
	n.queue = make(chan item, longQueue)
	for number := 1; number <= n.Count; number++ {
		n.machine(number).start(ctx)
	}
	for range workers {
		go n.work(ctx)
	}
	factory := informers.NewSharedInformerFactoryWithOptions(n.Client, 0, informers.WithNamespace(n.Namespace))
	factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) {
			n.seen.Add(1)
			n.queue <- item{pod: o.(*corev1.Pod)}
		},
		UpdateFunc: func(before, after any) {
			old, pod := before.(*corev1.Pod), after.(*corev1.Pod)
			if old.Spec.NodeName != pod.Spec.NodeName || old.DeletionTimestamp == nil && pod.DeletionTimestamp != nil {
				n.queue <- item{pod: pod}
			}
		},
	})
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
}

// Seen counts the pods so far.
func (n *Nodes) Seen() int64 { return n.seen.Load() }

func (n *Nodes) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case next := <-n.queue:
			err := n.play(ctx, next)
			if err != nil && !apierrors.IsNotFound(err) {
				n.later(ctx, tryAgain, next)
			}
		}
	}
}

// later looks at the pod again, as it is then.
func (n *Nodes) later(ctx context.Context, after time.Duration, next item) {
	time.AfterFunc(after, func() {
		pod, err := n.Client.CoreV1().Pods(next.pod.Namespace).Get(ctx, next.pod.Name, metav1.GetOptions{})
		switch {
		case err == nil && pod.UID == next.pod.UID:
			n.queue <- item{pod: pod, over: next.over}
		case err != nil && !apierrors.IsNotFound(err) && ctx.Err() == nil:
			n.later(ctx, tryAgain, next)
		}
	})
}

// play takes a pod one step further.
func (n *Nodes) play(ctx context.Context, next item) error {
	pod := next.pod.DeepCopy()
	pods := n.Client.CoreV1().Pods(pod.Namespace)
	ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	switch {
	case pod.DeletionTimestamp != nil:
		if !ended {
			if err := n.end(ctx, pod, killed); err != nil {
				return err
			}
		}
		now := int64(0)
		return pods.Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now, Preconditions: metav1.NewUIDPreconditions(string(pod.UID))})
	case ended:
		return nil
	case next.over || n.Count == 0:
		return n.end(ctx, pod, n.fate())
	case pod.Spec.NodeName == "":
		return pods.Bind(ctx, &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: pod.Name, UID: pod.UID},
			Target: corev1.ObjectReference{Kind: "Node", Name: n.place(pod.Name).name}}, metav1.CreateOptions{})
	case pod.Status.Phase == corev1.PodPending:
		if err := n.run(ctx, pod); err != nil {
			return err
		}
		fallthrough
	default:
		n.later(ctx, n.RunFor, item{pod: pod, over: true})
	}
	return nil
}

func (n *Nodes) machine(number int) machine {
	return machine{client: n.Client, number: number, name: fmt.Sprintf("node-%d", number)}
}

// place is the node for a pod of this name.
func (n *Nodes) place(pod string) machine {
	hash := fnv.New32a()
	hash.Write([]byte(pod))
	return n.machine(int(hash.Sum32()%uint32(n.Count)) + 1)
}

// fate is the exit code of the next pod that ends. The same share of any number of pods fails each time.
func (n *Nodes) fate() int32 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.luck.Float64() < n.Fail {
		return 1
	}
	return 0
}

func (n *Nodes) run(ctx context.Context, pod *corev1.Pod) error {
	now := metav1.Now()
	pod.Status.Phase, pod.Status.StartTime = corev1.PodRunning, &now
	pod.Status.HostIP, pod.Status.PodIP = n.place(pod.Name).address(), n.address()
	pod.Status.HostIPs, pod.Status.PodIPs = []corev1.HostIP{{IP: pod.Status.HostIP}}, []corev1.PodIP{{IP: pod.Status.PodIP}}
	pod.Status.Conditions = append(pod.Status.Conditions,
		corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: now})
	return n.report(ctx, pod, func(status *corev1.ContainerStatus) {
		status.Ready, status.Started = true, ptr.To(true)
		status.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}}
	})
}

// address is the next one for a pod.
func (n *Nodes) address() string {
	next := n.addresses.Add(1)
	return fmt.Sprintf("10.%d.%d.%d", 128+next>>16%128, next>>8%256, next%256)
}

func (n *Nodes) end(ctx context.Context, pod *corev1.Pod, code int32) error {
	now := metav1.Now()
	phase, reason, ready := corev1.PodSucceeded, "Completed", "PodCompleted"
	if code != 0 {
		phase, reason, ready = corev1.PodFailed, "Error", "PodFailed"
	}
	pod.Status.Phase = phase
	if pod.Status.StartTime == nil {
		pod.Status.StartTime = &now
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			c.Status, c.Reason, c.LastTransitionTime = corev1.ConditionFalse, ready, now
		}
	}
	started := *pod.Status.StartTime
	return n.report(ctx, pod, func(status *corev1.ContainerStatus) {
		status.Started = ptr.To(false)
		status.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			ExitCode: code, Reason: reason, StartedAt: started, FinishedAt: now, ContainerID: status.ContainerID}}
	})
}

// report writes the pod's status, with one state for all of its containers.
func (n *Nodes) report(ctx context.Context, pod *corev1.Pod, state func(*corev1.ContainerStatus)) error {
	pod.Status.ContainerStatuses = nil
	for _, container := range pod.Spec.Containers {
		status := corev1.ContainerStatus{Name: container.Name, Image: container.Image, ContainerID: containerID(pod, container.Name)}
		state(&status)
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, status)
	}
	written, err := n.Client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	if err == nil {
		*pod = *written
	}
	return err
}

// containerID is as a container runtime gives one; a container keeps it while its state changes.
func containerID(pod *corev1.Pod, container string) string {
	return fmt.Sprintf("%s://%x", runtimeName, sha256.Sum256([]byte(string(pod.UID)+"/"+container)))
}
