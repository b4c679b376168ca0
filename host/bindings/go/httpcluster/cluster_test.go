package httpcluster

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"jobsmith.dev/controllers"
)

var pods = controllers.APIResource{Version: "v1", Kind: "Pod", Plural: "pods", Namespaced: true}

// answering returns a cluster whose API server returns so, and the requests that it got.
func answering(t *testing.T, answer func(http.ResponseWriter, *http.Request)) (*Cluster, *[]string) {
	var requests []string
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		requests = append(requests, fmt.Sprint(request.Method, " ", request.URL, " ", request.Header.Get("Content-Type"), " ", string(body)))
		answer(writer, request)
	}))
	t.Cleanup(server.Close)
	return &Cluster{Server: server.URL, Namespace: "d"}, &requests
}

func TestListComesInPages(t *testing.T) {
	cluster, requests := answering(t, func(writer http.ResponseWriter, request *http.Request) {
		if request.URL.Query().Get("continue") == "" {
			fmt.Fprint(writer, `{"metadata":{"resourceVersion":"7","continue":"a+b"},"items":[{"a": 1}, {}]}`)
		} else {
			fmt.Fprint(writer, `{"metadata":{"resourceVersion":"7"},"items":null}`)
		}
	})
	first, err := cluster.List(context.Background(), pods, "")
	if err != nil || !reflect.DeepEqual(first, controllers.Page{Objects: []string{`{"a": 1}`, "{}"}, ResourceVersion: "7", Next: "a+b"}) {
		t.Errorf("the first page is %+v, %v", first, err)
	}
	if last, err := cluster.List(context.Background(), pods, first.Next); err != nil || last.Next != "" || len(last.Objects) != 0 {
		t.Errorf("the last page is %+v, %v", last, err)
	}
	if (*requests)[1] != "GET /api/v1/namespaces/d/pods?continue=a%2Bb&limit=500  " {
		t.Errorf("it asks %q", *requests)
	}
}

func TestOutcomeHasWhatTheServerAnswers(t *testing.T) {
	answers := map[string]string{
		"/done":    `{"metadata":{"name":"a","uid":"u","resourceVersion":"9","deletionTimestamp":"2026-01-02T03:04:05Z"}}`,
		"/status":  `{"kind":"Status","metadata":{}}`,
		"/invalid": `{"reason":"Invalid","message":"no","details":{"causes":[{"reason":"FieldValueInvalid","field":"spec","message":"bad"}]}}`,
		"/proxy":   "bad gateway\n<html>",
	}
	codes := map[string]int{"/invalid": 422, "/proxy": 502}
	cluster, requests := answering(t, func(writer http.ResponseWriter, request *http.Request) {
		if code := codes[request.URL.Path]; code > 0 {
			writer.WriteHeader(code)
		}
		fmt.Fprint(writer, answers[request.URL.Path])
	})
	cause := controllers.Cause{Reason: "FieldValueInvalid", Field: "spec", Message: "bad"}
	expected := map[string]controllers.Outcome{
		"/done":    controllers.OutcomeDone{Name: "a", UID: "u", ResourceVersion: "9", Deleting: true},
		"/status":  controllers.OutcomeDone{},
		"/invalid": controllers.OutcomeFailed{Code: 422, Reason: "Invalid", Message: "no", Causes: []controllers.Cause{cause}},
		"/proxy":   controllers.OutcomeFailed{Code: 502, Message: "the server answered 502 bad gateway"},
	}
	for path, expected := range expected {
		command := controllers.Command{Method: controllers.MethodPatch, Path: path, ContentType: controllers.ContentTypeMergePatch, Body: "{}"}
		if outcome := cluster.Send(context.Background(), command); !reflect.DeepEqual(outcome, expected) {
			t.Errorf("%s: it is %+v", path, outcome)
		}
	}
	if !strings.HasSuffix((*requests)[0], " application/merge-patch+json {}") {
		t.Errorf("it sends %q", (*requests)[0])
	}
	cluster.Server = "http://127.0.0.1:1"
	if failed, ok := cluster.Send(context.Background(), controllers.Command{Path: "/done"}).(controllers.OutcomeFailed); !ok || failed.Code != 0 {
		t.Errorf("nobody answers, and it is %+v", failed)
	}
}

func TestWatchGoesOnWhereItEnded(t *testing.T) {
	bodies := []string{
		`{"type":"ADDED","object":{"metadata":{"resourceVersion":"8"}}}` + "\n" + `{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}`,
		`{"type":"DELETED","object":{"metadata":{"resourceVersion":"10"}}}` + "\n" + `{"type":"ERROR","object":{"code":410,"message":"too old"}}`,
	}
	served := 0
	cluster, requests := answering(t, func(writer http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(writer, bodies[served])
		served++
	})
	var seen []controllers.Change
	var failed error
	for change, err := range cluster.Watch(context.Background(), pods, "7") {
		if err != nil {
			failed = err
		} else {
			seen = append(seen, change)
		}
	}
	expected := []controllers.Change{
		controllers.ChangeApplied{Kind: "Pod", JSON: `{"metadata":{"resourceVersion":"8"}}`},
		controllers.ChangeDeleted{Kind: "Pod", JSON: `{"metadata":{"resourceVersion":"10"}}`},
	}
	if !reflect.DeepEqual(seen, expected) || failed == nil || !strings.Contains(failed.Error(), "too old") {
		t.Errorf("it shows %+v, %v", seen, failed)
	}
	if len(*requests) != 2 || !strings.Contains((*requests)[1], "resourceVersion=9") {
		t.Errorf("it asks %q", *requests)
	}
}

func TestWatchThatBreaksIsAnError(t *testing.T) {
	const shown = `{"type":"ADDED","object":{"metadata":{"resourceVersion":"8"}}}`
	for words, answer := range map[string]func(http.ResponseWriter){
		"too old":        func(writer http.ResponseWriter) { writer.WriteHeader(410); fmt.Fprint(writer, `{"message":"too old"}`) },
		"unexpected EOF": func(writer http.ResponseWriter) { fmt.Fprint(writer, shown, `{"type":"MODI`) },
		"cannot read":    func(writer http.ResponseWriter) { fmt.Fprint(writer, `{"type":"ADDED","object":[]}`) },
	} {
		cluster, requests := answering(t, func(writer http.ResponseWriter, _ *http.Request) { answer(writer) })
		var last error
		for _, err := range cluster.Watch(context.Background(), pods, "7") {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), words) || len(*requests) != 1 {
			t.Errorf("%q is missing in %v, after %d requests", words, last, len(*requests))
		}
	}
}

func TestWatchThatEndsAtOnceIsAnError(t *testing.T) {
	cluster, requests := answering(t, func(http.ResponseWriter, *http.Request) {})
	for _, err := range cluster.Watch(context.Background(), pods, "7") {
		if err != errEmpty {
			t.Errorf("it ends with %v", err)
		}
	}
	if len(*requests) != 1 {
		t.Errorf("it asks %d times", len(*requests))
	}
}
