// Plans and decisions as HTTP and people read them.
//
// Docs: [Plan], [Decision].

package controllers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Commands returns all commands of the plan, batch by batch.
func (p *Plan) Commands() []Command {
	return slices.Concat(p.Batches...)
}

// Path returns the path of the resource in a namespace, or in all of them if it is empty.
func (r APIResource) Path(namespace string) string {
	path := "/apis/" + r.Group + "/" + r.Version
	if r.Group == "" {
		path = "/api/" + r.Version
	}
	if namespace != "" && r.Namespaced {
		path += "/namespaces/" + namespace
	}
	return path + "/" + r.Plural
}

// APIVersion returns the group and version as objects name them: batch/v1.
func (r APIResource) APIVersion() string {
	return strings.TrimPrefix(r.Group+"/"+r.Version, "/")
}

// HTTP returns the method as a request has it: PATCH.
func (m Method) HTTP() string {
	return strings.ToUpper(m.String())
}

// Header returns the value of the header Content-Type.
func (c ContentType) Header() string {
	if c == ContentTypeJSON {
		return "application/json"
	}
	return "application/" + c.String() + "+json"
}

// Tolerated returns whether an outcome of the command lets those that depend on it run.
func (c Command) Tolerated(outcome Outcome) bool {
	switch outcome := outcome.(type) {
	case OutcomeDone:
		return true
	case OutcomeFailed:
		return slices.Contains(c.Tolerates, outcome.Code)
	default:
		return false
	}
}

// Failed is the outcome of a command that got no response, so it is unknown whether it took effect.
func Failed(err error) Outcome {
	return OutcomeFailed{Message: err.Error()}
}

// Error writes the error as a person reads it.
func (e APIError) Error() string {
	if e.Message != "" {
		return e.Message
	}
	return fmt.Sprintf("%d %s", e.Code, http.StatusText(int(e.Code)))
}

// String writes the decision in words, with times as RFC 3339 writes them.
func (d Decision) String() string {
	var sentence strings.Builder
	for _, part := range d.Sentence {
		fmt.Fprint(&sentence, words(part))
	}
	return sentence.String()
}

// words returns what a person reads of a part of a sentence; a kind of part that is not known here is written as it is.
func words(part TextPart) any {
	switch part := part.(type) {
	case TextPartTime:
		return Timestamp(part)
	case TextPartDuration:
		return duration(int64(part) / 100)
	case TextPartObject:
		return part.Name
	case TextPartField:
		return string(part[strings.LastIndexByte(string(part), '.')+1:])
	default:
		return part
	}
}

// duration returns tenths of a second in words: "90 s", and from two minutes on "2m40s", "1h", "1d12h".
func duration(tenths int64) string {
	sign, left := "", tenths
	if tenths < 0 {
		sign, left = "-", -tenths
	}
	if left < 1200 {
		return fmt.Sprintf("%s%v s", sign, float64(left)/10)
	}
	words := sign
	for _, unit := range []struct {
		name   string
		tenths int64
	}{{"d", 864_000}, {"h", 36_000}, {"m", 600}} {
		if left >= unit.tenths {
			words += fmt.Sprint(left/unit.tenths, unit.name)
		}
		left %= unit.tenths
	}
	if left > 0 {
		words += fmt.Sprintf("%vs", float64(left)/10)
	}
	return words
}
