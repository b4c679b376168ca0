// Kubernetes Events, recorded best effort.
//
// Docs: Kubernetes API Reference, "Event"; which there are to record is in a plan.

package controllers

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"
)

// waitingNotices is how many Kubernetes Events may wait to be recorded; what comes beyond is dropped.
const waitingNotices = 1000

// EventCommand returns the command that records a Kubernetes Event about an object of a resource.
func EventCommand(notice Notice, resource APIResource, now time.Time) Command {
	regarding, kind, at := notice.Regarding, "Normal", now.UTC().Format(time.RFC3339)
	if notice.Warning {
		kind = "Warning"
	}
	namespace := regarding.Namespace
	if namespace == "" {
		namespace = "default"
	}
	object := map[string]string{
		"apiVersion": resource.APIVersion(), "kind": regarding.Kind, "namespace": regarding.Namespace, "name": regarding.Name, "uid": regarding.UID,
	}
	body, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Event", "type": kind, "reason": notice.Reason, "message": notice.Message, "count": 1,
		"metadata":       map[string]string{"name": fmt.Sprintf("%s.%x", regarding.Name, now.UnixNano()), "namespace": namespace},
		"involvedObject": object, "firstTimestamp": at, "lastTimestamp": at,
		"source": map[string]string{"component": notice.ReportingController}, "reportingComponent": notice.ReportingController,
	})
	if err != nil {
		panic("an Event is strings and numbers: " + err.Error())
	}
	events := APIResource{Version: "v1", Kind: "Event", Plural: "events", Namespaced: true}
	return Command{Method: MethodPost, Path: events.Path(namespace), Body: string(body)}
}

// recorder records Kubernetes Events one after the other; nothing waits for it.
type recorder struct {
	cluster   Cluster
	resources []APIResource
	notices   chan Notice
	log       *slog.Logger
}

// record takes the Events of a plan.
func (r recorder) record(notices []Notice) {
	for _, notice := range notices {
		select {
		case r.notices <- notice:
		default:
			r.log.Debug("dropping an Event: too many are waiting to be recorded", "message", notice.Message)
		}
	}
}

func (r recorder) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case notice := <-r.notices:
			if failed, ok := r.cluster.Send(ctx, EventCommand(notice, r.resource(notice), time.Now())).(OutcomeFailed); ok {
				r.log.Debug("cannot record an Event", "error", APIError(failed).Error())
			}
		}
	}
}

func (r recorder) resource(notice Notice) APIResource {
	for _, resource := range r.resources {
		if resource.Kind == notice.Regarding.Kind {
			return resource
		}
	}
	return APIResource{}
}
