// Watches, each change as the text that came.
//
// Docs: Kubernetes API Concepts, "Efficient detection of changes", "Watch bookmarks".

package httpcluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"time"

	"jobsmith.dev/controllers"
)

// watchLength is how long the server keeps a watch open.
const watchLength = 5 * time.Minute

// errEmpty is a watch that would be opened again and again: even where nothing changes, bookmarks come.
var errEmpty = errors.New("the watch ended without a change or a bookmark")

// change is a line of a watch.
type change struct {
	Type   string
	Object json.RawMessage
}

// Watch yields changes. A watch that the server ends goes on from where it had come to.
func (c *Cluster) Watch(ctx context.Context, resource controllers.APIResource, resourceVersion string) iter.Seq2[controllers.Change, error] {
	return func(yield func(controllers.Change, error) bool) {
		for {
			before := resourceVersion
			going, err := c.changes(ctx, resource, &resourceVersion, yield)
			if !going || ctx.Err() != nil {
				return
			}
			if err == nil && resourceVersion == before {
				err = errEmpty
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// changes yields the changes of one request, and keeps track of the resource version. It reports whether more changes are wanted.
func (c *Cluster) changes(ctx context.Context, resource controllers.APIResource, version *string, yield func(controllers.Change, error) bool) (bool, error) {
	// A server that is gone without a word ends no watch.
	ctx, cancel := context.WithTimeout(ctx, watchLength+15*time.Second)
	defer cancel()
	query := url.Values{
		"watch": {"true"}, "allowWatchBookmarks": {"true"}, "resourceVersion": {*version}, "timeoutSeconds": {fmt.Sprint(watchLength.Seconds())},
	}
	body, err := c.open(ctx, http.MethodGet, resource.Path(c.Namespace)+"?"+query.Encode(), "", plain, "")
	if err != nil {
		return true, err
	}
	defer body.Close()
	lines := json.NewDecoder(body)
	for {
		var line change
		if err := lines.Decode(&line); err != nil {
			if err == io.EOF {
				err = nil
			}
			return true, err
		}
		if line.Type == "ERROR" {
			var status struct{ Code int }
			_ = json.Unmarshal(line.Object, &status)
			return true, refusal(status.Code, line.Object)
		}
		var object struct {
			Metadata struct{ ResourceVersion string }
		}
		if err := json.Unmarshal(line.Object, &object); err != nil {
			return true, fmt.Errorf("cannot read a watch event: %w", err)
		}
		*version = object.Metadata.ResourceVersion
		if line.Type != "BOOKMARK" && !yield(shown(resource, line), nil) {
			return false, nil
		}
	}
}

func shown(resource controllers.APIResource, line change) controllers.Change {
	object := controllers.Object{Kind: resource.Kind, JSON: string(line.Object)}
	if line.Type == "DELETED" {
		return controllers.ChangeDeleted(object)
	}
	return controllers.ChangeApplied(object)
}
