package cluster

import (
	"context"
	"fmt"
	"runtime"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/component-base/version"
	"k8s.io/utils/ptr"
)

// machine is what a kubelet writes about itself: a Node with its status, and a Lease that is renewed.
type machine struct {
	client kubernetes.Interface
	number int
	name   string
}

const (
	// leaseDuration, renewEvery and statusEvery are a kubelet's defaults.
	leaseDuration = 40 * time.Second
	renewEvery    = 10 * time.Second
	statusEvery   = 5 * time.Minute
	// runtimeName stands before the ID of each container, as that of a container runtime does.
	runtimeName = "played"
)

// start registers the node, and keeps it ready until ctx ends.
func (m machine) start(ctx context.Context) {
	for m.report(ctx) != nil && ctx.Err() == nil {
		time.Sleep(tryAgain)
	}
	go repeat(ctx, statusEvery, m.report)
	go repeat(ctx, renewEvery, m.renew)
}

// repeat calls again after a pause; sooner where a call fails, because the API server is away for instance.
func repeat(ctx context.Context, every time.Duration, call func(context.Context) error) {
	for ctx.Err() == nil {
		pause := every
		if call(ctx) != nil {
			pause = tryAgain
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// report writes the Node's status, and the Node itself if it is missing.
func (m machine) report(ctx context.Context) error {
	nodes := m.client.CoreV1().Nodes()
	node, err := nodes.Get(ctx, m.name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		labels := map[string]string{corev1.LabelHostname: m.name, corev1.LabelOSStable: "linux", corev1.LabelArchStable: runtime.GOARCH}
		node, err = nodes.Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: m.name, Labels: labels}}, metav1.CreateOptions{})
	}
	if err != nil {
		return err
	}
	node.Status = m.status(node.Status.Conditions)
	_, err = nodes.UpdateStatus(ctx, node, metav1.UpdateOptions{})
	return err
}

// status is that of a node that has room for every pod. A condition that stays as it was keeps its transition time.
func (m machine) status(before []corev1.NodeCondition) corev1.NodeStatus {
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("64"), corev1.ResourceMemory: resource.MustParse("256Gi"),
		corev1.ResourceEphemeralStorage: resource.MustParse("1Ti"), corev1.ResourcePods: resource.MustParse("100k"),
	}
	now := metav1.Now()
	condition := func(kind corev1.NodeConditionType, status corev1.ConditionStatus, reason string) corev1.NodeCondition {
		since := now
		for _, old := range before {
			if old.Type == kind && old.Status == status {
				since = old.LastTransitionTime
			}
		}
		return corev1.NodeCondition{Type: kind, Status: status, Reason: reason, Message: "this node plays its pods",
			LastHeartbeatTime: now, LastTransitionTime: since}
	}
	return corev1.NodeStatus{
		Capacity: room, Allocatable: room,
		Addresses: []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: m.address()}, {Type: corev1.NodeHostName, Address: m.name}},
		Conditions: []corev1.NodeCondition{
			condition(corev1.NodeMemoryPressure, corev1.ConditionFalse, "KubeletHasSufficientMemory"),
			condition(corev1.NodeDiskPressure, corev1.ConditionFalse, "KubeletHasNoDiskPressure"),
			condition(corev1.NodePIDPressure, corev1.ConditionFalse, "KubeletHasSufficientPID"),
			condition(corev1.NodeReady, corev1.ConditionTrue, "KubeletReady"),
		},
		NodeInfo: corev1.NodeSystemInfo{KubeletVersion: version.Get().GitVersion, OperatingSystem: "linux", Architecture: runtime.GOARCH,
			OSImage: "none", KernelVersion: "none", ContainerRuntimeVersion: runtimeName + "://none"},
	}
}

// renew writes the Lease, by which a cluster knows that the node is alive.
func (m machine) renew(ctx context.Context) error {
	leases, now := m.client.CoordinationV1().Leases(corev1.NamespaceNodeLease), metav1.NowMicro()
	lease, err := leases.Get(ctx, m.name, metav1.GetOptions{})
	missing := apierrors.IsNotFound(err)
	if err != nil && !missing {
		return err
	}
	lease.Name = m.name
	lease.Spec = coordinationv1.LeaseSpec{HolderIdentity: ptr.To(m.name), LeaseDurationSeconds: ptr.To(int32(leaseDuration / time.Second)), RenewTime: &now}
	if missing {
		_, err = leases.Create(ctx, lease, metav1.CreateOptions{})
	} else {
		_, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
	}
	return err
}

func (m machine) address() string { return fmt.Sprintf("10.127.%d.%d", m.number/256, m.number%256) }
