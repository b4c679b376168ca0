// What a loop needs of a cluster.
//
// Docs: httpcluster/ has one for an API server.

package controllers

import (
	"context"
	"iter"
)

// Cluster is where the objects are. All of its methods are called from several goroutines.
type Cluster interface {
	// List returns a page of the list of a resource: the first one if from is empty, otherwise the one that [Page.Next] names.
	List(ctx context.Context, resource APIResource, from string) (Page, error)

	// Watch yields each change after a resource version, until the watch ends, breaks with an error, or the context is done. The loop lists again then.
	Watch(ctx context.Context, resource APIResource, resourceVersion string) iter.Seq2[Change, error]

	// Send sends a command and waits for its outcome: [OutcomeDone] or [OutcomeFailed], never [OutcomeSkipped].
	Send(ctx context.Context, command Command) Outcome
}

// Page is a list of objects, or a part of one.
type Page struct {
	// Objects are the objects in JSON: the list's items.
	Objects []string
	// ResourceVersion is that of the list itself.
	ResourceVersion string
	// Next names the next page; empty if this is the last one.
	Next string
}
