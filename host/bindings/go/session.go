// What an instance expects of its host: misuse is refused before the instance traps.
//
// Docs: [Manager], "Errors".

package controllers

import (
	"fmt"
	"strings"
)

// session is what the host of an instance may do next.
type session struct {
	// inFlight has the number of commands of each plan that was handed out.
	inFlight map[uint64]int
	// next is larger than the number of each plan so far: plans are numbered in ascending order.
	next uint64
	// listing has the kinds whose list has begun.
	listing map[string]bool
}

func newSession() session {
	return session{inFlight: map[uint64]int{}, listing: map[string]bool{}}
}

func (s *session) handedOut(plan *Plan) {
	s.next = plan.ID + 1
	if commands := len(plan.Commands()); commands > 0 {
		s.inFlight[plan.ID] = commands
	}
}

// check returns what is wrong with an event.
func (s *session) check(event Event, resources []APIResource) error {
	switch event := event.(type) {
	case EventChanged:
		switch change := event.Change.(type) {
		case ChangeApplied:
			return checkKind(change.Kind, resources)
		case ChangeDeleted:
			return checkKind(change.Kind, resources)
		}
	case EventListed:
		if err := checkKind(event.Kind, resources); err != nil {
			return err
		}
		if (event.Part == PartMiddle || event.Part == PartLast) && !s.listing[event.Kind] {
			return misuse("the list of kind %s has not begun: begin with PartFirst or PartWhole, not with a %s part", event.Kind, event.Part)
		}
	case EventFinished:
		commands, ok := s.inFlight[event.Plan]
		if !ok && event.Plan < s.next {
			return misuse("plan %d is finished already: report each plan once", event.Plan)
		}
		if !ok {
			return misuse("plan %d is not in flight: report only plans of this instance", event.Plan)
		}
		if commands != len(event.Outcomes) {
			return misuse("plan %d has %d commands but %d outcomes: report one outcome for each command, in order", event.Plan, commands, len(event.Outcomes))
		}
	}
	return nil
}

// handled remembers an event that the instance has handled.
func (s *session) handled(event Event) {
	switch event := event.(type) {
	case EventListed:
		s.listing[event.Kind] = event.Part == PartFirst || event.Part == PartMiddle
	case EventFinished:
		delete(s.inFlight, event.Plan)
	}
}

func checkKind(kind string, resources []APIResource) error {
	var kinds []string
	for _, resource := range resources {
		if resource.Kind == kind {
			return nil
		}
		kinds = append(kinds, resource.Kind)
	}
	return misuse("kind %q is not one of Resources: hand over only %s", kind, strings.Join(kinds, ", "))
}

func misuse(format string, arguments ...any) error {
	return &MisuseError{Reason: fmt.Sprintf(format, arguments...)}
}
