// Calls of the component, and times as it takes them.
//
// Docs: the calls that are documented are in controllers.go.

package controllers

import (
	"errors"
	"fmt"
	"time"

	"jobsmith.dev/controllers/component"
)

// The first and the last second that a [Timestamp] may have.
const (
	firstSecond = -377705023201
	lastSecond  = 253402207200
)

// call calls a function of the instance; the lock is held.
func call[Answer any](c *Controllers, function string, arguments ...any) (Answer, error) {
	var none Answer
	if err := c.unusable(); err != nil {
		return none, err
	}
	answer, err := c.instance.Call(function, arguments...)
	var trap *component.Trap
	if errors.As(err, &trap) {
		c.lost = &Lost{Message: trap.Error(), Cause: trap}
		return none, c.lost
	}
	if err != nil {
		return none, err
	}
	return answer.(Answer), nil
}

// locked calls a function without arguments.
func locked[Answer any](c *Controllers, function string) (Answer, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return call[Answer](c, function)
}

// timed calls a function that takes the time alone; the lock is held.
func timed[Answer any](c *Controllers, function string, now time.Time) (Answer, error) {
	at, err := timestamp(now)
	if err != nil {
		var none Answer
		return none, err
	}
	return call[Answer](c, function, at)
}

// unusable returns why no call is of use; the lock is held.
func (c *Controllers) unusable() error {
	if c.closed {
		return ErrClosed
	}
	if c.lost != nil {
		return c.lost
	}
	return nil
}

// timestamp returns a time as the contract has it.
func timestamp(now time.Time) (Timestamp, error) {
	at := TimestampOf(now)
	if now.IsZero() {
		return at, misuse("now is the zero time: pass time.Now() or the time of your clock")
	}
	if at.Seconds < firstSecond || at.Seconds > lastSecond {
		return at, &MisuseError{Reason: fmt.Sprintf("%s is out of range: use a time between the years -9999 and 9999", now)}
	}
	return at, nil
}

// TimestampOf returns a time as the contract has it.
func TimestampOf(at time.Time) Timestamp {
	return Timestamp{Seconds: at.Unix(), Nanoseconds: uint32(at.Nanosecond())}
}

// Time returns the time as Go has it, in UTC.
func (t Timestamp) Time() time.Time {
	return time.Unix(t.Seconds, int64(t.Nanoseconds)).UTC()
}

// String writes the time as RFC 3339 does.
func (t Timestamp) String() string {
	return t.Time().Format(time.RFC3339Nano)
}
