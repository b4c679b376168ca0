// Package httpcluster is a [controllers.Cluster] that speaks to a Kubernetes API server over HTTP.
//
// Credentials are the client's business: one that client-go makes (rest.HTTPClientFor) has those of a kubeconfig or of a pod.
package httpcluster

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"jobsmith.dev/controllers"
)

const (
	// patience is how long an answer is waited for.
	patience = 30 * time.Second
	// pageSize is how many objects a page of a list has at most.
	pageSize = 500
	// metadata asks for the metadata of what was written alone; for whole objects where a server cannot do that.
	metadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
	plain    = "application/json"
)

// Cluster speaks to an API server.
type Cluster struct {
	// Server is where it is: https://127.0.0.1:6443.
	Server string
	// Client sends the requests; [http.DefaultClient] if it is nil. It must not have a time-out, as watches take long.
	Client *http.Client
	// Namespace is the only namespace that is watched; all if it is empty.
	Namespace string
}

var _ controllers.Cluster = (*Cluster)(nil)

// List reads a page of a list.
func (c *Cluster) List(ctx context.Context, resource controllers.APIResource, from string) (controllers.Page, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	query := url.Values{"limit": {fmt.Sprint(pageSize)}}
	if from != "" {
		query.Set("continue", from)
	}
	body, err := c.exchange(ctx, http.MethodGet, resource.Path(c.Namespace)+"?"+query.Encode(), "", plain, "")
	if err != nil {
		return controllers.Page{}, err
	}
	var list struct {
		Metadata struct{ ResourceVersion, Continue string }
		Items    []json.RawMessage
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return controllers.Page{}, fmt.Errorf("cannot read a list of %s: %w", resource.Plural, err)
	}
	page := controllers.Page{ResourceVersion: list.Metadata.ResourceVersion, Next: list.Metadata.Continue}
	for _, item := range list.Items {
		page.Objects = append(page.Objects, string(item))
	}
	return page, nil
}

// Send sends a command. Without a response within 30 seconds, it is unknown whether it took effect.
func (c *Cluster) Send(ctx context.Context, command controllers.Command) controllers.Outcome {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	content := ""
	if command.Body != "" {
		content = command.ContentType.Header()
	}
	body, err := c.exchange(ctx, command.Method.HTTP(), command.Path, content, metadata, command.Body)
	if refused, ok := err.(controllers.APIError); ok {
		return controllers.OutcomeFailed(refused)
	}
	if err != nil {
		return controllers.Failed(err)
	}
	var object struct {
		Metadata struct {
			Name, UID, ResourceVersion string
			DeletionTimestamp          *string
		}
	}
	// What cannot be read holds no object.
	_ = json.Unmarshal(body, &object)
	written := object.Metadata
	return controllers.OutcomeDone{
		Name: written.Name, UID: written.UID, ResourceVersion: written.ResourceVersion, Deleting: written.DeletionTimestamp != nil,
	}
}

// exchange sends a request and reads the whole answer.
func (c *Cluster) exchange(ctx context.Context, method, path, contentType, accept, body string) ([]byte, error) {
	answer, err := c.open(ctx, method, path, contentType, accept, body)
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	return io.ReadAll(answer)
}

// open sends a request and returns the body of the answer. A refusal is a [controllers.APIError].
func (c *Cluster) open(ctx context.Context, method, path, contentType, accept, body string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.Server, "/")+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	client := c.Client
	if client == nil {
		client = http.DefaultClient
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 300 {
		return answer.Body, nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	return nil, refusal(answer.StatusCode, text)
}

// refusal returns what a Status object says.
func refusal(code int, text []byte) controllers.APIError {
	var status struct {
		Reason, Message string
		Details         struct{ Causes []controllers.Cause }
	}
	if json.Unmarshal(text, &status) != nil || status.Message == "" {
		first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		status.Message = strings.TrimSpace(fmt.Sprintf("the server answered %d %s", code, first))
	}
	return controllers.APIError{Code: uint16(code), Reason: status.Reason, Message: status.Message, Causes: status.Details.Causes}
}
