// Errors, and what to do about each.
//
// Docs: README.md, "Errors".

package controllers

import (
	"errors"
	"fmt"

	"jobsmith.dev/controllers/component"
)

// ErrClosed is the error of a call after [Controllers.Close].
var ErrClosed = errors.New("the controllers are closed: create new ones with New")

// MisuseError is a call that a program must not make: a wrong kind, a plan that is not in flight, a time out of range, a missing value. It says what to do,
// and nothing has changed.
type MisuseError = component.MisuseError

// ConfigError is a configuration that is refused. Nothing has changed.
type ConfigError struct {
	// Reason says what is wrong.
	Reason string
}

func (refused *ConfigError) Error() string { return refused.Reason }

// NoExplanation is the reason why [Controllers.Explain] has no answer.
type NoExplanation struct {
	// Reason says why.
	Reason string
}

func (none *NoExplanation) Error() string { return none.Reason }

// Lost is a trap: all that the instance knew is gone. Call [Controllers.Restart] and begin again with lists, after a short wait, as the same lists may
// trap again. [Loop] does so.
type Lost struct {
	// Message is the message of the component's panic, or what the runtime reports.
	Message string
	// Cause is the error behind it.
	Cause error
}

func (lost *Lost) Error() string {
	return "the controllers are lost; call Restart and list again: " + lost.Message
}

// Unwrap returns the error behind it.
func (lost *Lost) Unwrap() error { return lost.Cause }

// Error names the object and what is wrong with it.
func (malformed Malformed) Error() string {
	if malformed.Name == "" {
		return fmt.Sprintf("malformed %s: %s", malformed.Kind, malformed.Reason)
	}
	return fmt.Sprintf("malformed %s %s: %s", malformed.Kind, malformed.Name, malformed.Reason)
}
