"""The values that cross the boundary of a component.

Written by ``cargo xtask bindings`` from ``crates/component/wit/controllers.wit``.

A controller manager: plain functions on the instance that they are called on.

What a host does
----------------

1. Create an instance, and call ``configure`` if you do not want the defaults.
2. List what ``resources`` names, and hand each list over as an event ``listed``, a long one
   in parts as they come. Then watch each resource from its list's resource version, and hand
   over each change as an event ``changed``. When a watch breaks, list again.
3. After each event, and when a wake-up is due, call ``next-plan`` until it returns ``none``.
   Carry out each plan (see ``plan``) while the next ones are asked for: plans are independent
   of each other. When a plan is done, hand over ``finished``.
4. Sleep until something happens, or until the time of ``next-wakeup``.

::

    loop:
        while next-plan(now) returns a plan:   start carrying it out
        wait for the first of
            a watch shows a change:            handle(changed …, now)
            a plan was carried out:            handle(finished …, now)
            next-wakeup's time has come

Order and time
--------------

Plans depend only on the configuration, the events and their times: the same calls return the
same results, byte for byte, on every machine. ``now`` need not be the real time. If it goes
backwards, nothing breaks, but waits in progress take longer.

What the instance remembers
---------------------------

What the cluster stores is all that matters. You may drop an instance at any time without harm
to any object: hand lists to the next one, as you did to the first, and it continues. Only the
back-off times are forgotten, unless ``memory`` is ``rebuilt``, and the metrics start at 0.

Errors
------

- ``handle`` returns an error that names the malformed object. What was known about that
  object does not change. Everything else in the event is handled: all other objects of a list
  are stored, and the kind counts as listed. If several objects of a list are malformed, the
  first is named.
- A request that fails on the cluster is an ``outcome``, not an error. So is ``finished`` for
  a plan that this instance does not know: it is ignored.
- Everything else is a bug in the component or in the host, and the instance traps; a panic is
  a trap without a message. A trapped instance is lost: drop it, create another one, configure
  it the same way and start again with lists. Wait a little first: the same lists may trap
  again. A host that can read the core module's exports after the trap finds the message of
  the panic through its global ``LAST_PANIC``: it holds the address of a 32-bit little-endian
  length in bytes, followed by as many bytes of UTF-8. The length is 0 if the trap was not a
  panic.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from . import schema


@dataclass(frozen=True, slots=True)
class ApiResource:
    """A resource of the API server."""

    group: str
    """The API group; empty for the core group."""
    version: str
    """The version in it: ``v1``."""
    kind: str
    """The kind, by which its objects are named everywhere else: ``Pod``."""
    plural: str
    """The name in paths: ``pods``."""
    namespaced: bool
    """Whether its objects are in namespaces."""


@dataclass(frozen=True, slots=True)
class ObjectRef:
    """One object of the cluster."""

    kind: str
    """Its kind."""
    namespace: str
    """Its namespace."""
    name: str
    """Its name."""
    uid: str
    """Its UID; empty where any object of this name is meant."""


@dataclass(frozen=True, slots=True)
class Object:
    """One object."""

    kind: str
    """Its kind; the text need not name it."""
    json: str
    """The whole object in JSON, as the API server sent it."""


@dataclass(frozen=True, slots=True)
class ChangeApplied:
    """The object is there, in this state: it was added or modified."""

    value: Object


@dataclass(frozen=True, slots=True)
class ChangeDeleted:
    """The object is gone; this was its last state."""

    value: Object


Change: TypeAlias = ChangeApplied | ChangeDeleted
"""One change that a watch showed."""


class Part(Enum):
    """Which part of a list it is, so that a long list need not be in memory at once.

    Parts come in their order, ``first`` to ``last``; other events may come between. A change
    of the kind that comes between is treated as a part of the list: a server that streams its
    list may show some. Until the last part the kind counts as not listed, even if it was
    listed before, and no plans are made. The last part removes the objects that were in no
    part. A list that is cut short starts again with ``first`` or ``whole``; ``middle`` or
    ``last`` without ``first`` traps.
    """

    WHOLE = "whole"
    """All of it."""
    FIRST = "first"
    """The first of several parts. It begins a list, even after one that was cut short."""
    MIDDLE = "middle"
    """One that goes on after the first, with more to come."""
    LAST = "last"
    """The one that ends the list."""


@dataclass(frozen=True, slots=True)
class Listing:
    """All objects of a kind, or a part of them."""

    kind: str
    """The kind."""
    part: Part
    """Which part of the list it is."""
    resource_version: str
    """The ``metadata.resourceVersion`` of the list itself: all writes up to it are in the list.
    It matters on the last part.
    """
    objects: list[str]
    """The objects in JSON: the list's ``items``."""


@dataclass(frozen=True, slots=True)
class Written:
    """What matters of the object in the server's response. All fields are empty if the response
    held no object.
    """

    name: str
    """Its ``metadata.name``."""
    uid: str
    """Its ``metadata.uid``."""
    resource_version: str
    """Its ``metadata.resourceVersion``, after the command."""
    deleting: bool
    """Whether it has a ``metadata.deletionTimestamp``."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of a refusal: for an invalid object, one invalid field."""

    reason: str
    """The ``reason``, as in ``FieldValueInvalid``."""
    field: str
    """The ``field``'s path."""
    message: str
    """The ``message``."""


@dataclass(frozen=True, slots=True)
class ApiError:
    """Why a command failed, from the ``Status`` object in the server's response."""

    code: int
    """The HTTP status; 0 if there was no response, so it is unknown whether the command took
    effect.
    """
    reason: str
    """The ``reason``, as in ``NotFound``; may be empty."""
    message: str
    """The ``message`` for people."""
    causes: list[Cause]
    """The ``details.causes``."""


@dataclass(frozen=True, slots=True)
class OutcomeDone:
    """It took effect: the server answered with a status below 300."""

    value: Written


@dataclass(frozen=True, slots=True)
class OutcomeFailed:
    """It was refused, or its outcome is unknown. A status that the command tolerates is reported
    here too, with its code: the manager continues as after a success, but does not report the
    command as done.
    """

    value: ApiError


@dataclass(frozen=True, slots=True)
class OutcomeSkipped:
    """It was not sent, because a command that it depends on was skipped, or failed with a status
    that it did not tolerate.
    """


Outcome: TypeAlias = OutcomeDone | OutcomeFailed | OutcomeSkipped
"""The outcome of a command."""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a plan."""

    plan: int
    """The plan's ``id``."""
    outcomes: list[Outcome]
    """One outcome for each command of the plan, batch by batch and in their order."""


@dataclass(frozen=True, slots=True)
class EventChanged:
    """A watch showed a change. If the instance already knows this version or a newer one, it
    ignores the change.
    """

    value: Change


@dataclass(frozen=True, slots=True)
class EventListed:
    """A complete list of a kind, or a part of one: known objects of the kind that are in none of
    its parts are gone.
    """

    value: Listing


@dataclass(frozen=True, slots=True)
class EventFinished:
    """A plan was carried out, perhaps only in part."""

    value: Report


Event: TypeAlias = EventChanged | EventListed | EventFinished
"""Something that happened."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A malformed object: not JSON, or a field that is read has a different type than in the
    API.
    """

    kind: str
    """Its kind."""
    name: str
    """``namespace/name`` if they can be read; otherwise empty."""
    reason: str
    """What is wrong, and where."""


class Method(Enum):
    """An HTTP method."""

    GET = "get"
    POST = "post"
    PUT = "put"
    PATCH = "patch"
    DELETE = "delete"


class ContentType(Enum):
    """A value of the header ``Content-Type``."""

    JSON = "json"
    """``application/json``"""
    MERGE_PATCH = "merge-patch"
    """``application/merge-patch+json``"""
    STRATEGIC_MERGE_PATCH = "strategic-merge-patch"
    """``application/strategic-merge-patch+json``"""


@dataclass(frozen=True, slots=True)
class Command:
    """One request to the API server, as it is to be sent."""

    method: Method
    """The HTTP method."""
    path: str
    """The path from the server's root, without a query:
    ``/apis/batch/v1/namespaces/default/jobs/pi/status``.
    """
    content_type: ContentType
    """The type of the body; ignored if there is none."""
    body: str
    """The body as JSON; empty if there is none."""
    tolerates: list[int]
    """HTTP statuses that do not stop the commands that depend on this one: 404 where something
    is to be removed. They are reported as ``failed``.
    """
    after: int | None
    """The one command that this one depends on, by its number in the plan: the first command of
    the first batch is 0, and numbering continues over all batches. It is in an earlier batch;
    any other number is a bug in the component, and this command is skipped. ``none``: it
    depends on every command of all batches before its own.
    """


@dataclass(frozen=True, slots=True)
class DecisionKind:
    """What all decisions of one code have in common."""

    code: str
    """Which decision, in one stable word: ``BackoffLimitExceeded``."""
    page: str
    """The page of the Kubernetes documentation."""
    heading: str
    """The heading on that page."""
    url: str
    """Where that heading is on the web."""
    rule: str
    """The rule of this project's specification: ``J-46d``."""
    fields: list[str]
    """The fields of the manifest that it rests on: ``spec.backoffLimit``."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A Kubernetes Event to record."""

    regarding: ObjectRef
    """The object that it is about."""
    reporting_controller: str
    """The controller that reports it: ``job-controller``."""
    warning: bool
    """Whether its type is ``Warning`` rather than ``Normal``."""
    reason: str
    """The reason in one word."""
    message: str
    """The message."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many values there were up to each bound."""

    buckets: list[tuple[float, int]]
    """Upper bounds, ascending, and how many values are at or below each. The last bucket,
    ``+Inf``, is left out: it equals ``count``.
    """
    sum: float
    """The sum of all values."""
    count: int
    """How many values there were."""


@dataclass(frozen=True, slots=True)
class MeasureCounter:
    """A number that never decreases."""

    value: int


@dataclass(frozen=True, slots=True)
class MeasureGauge:
    """A number that goes up and down."""

    value: int


@dataclass(frozen=True, slots=True)
class MeasureHistogram:
    """How many values there were up to each bound."""

    value: Histogram


Measure: TypeAlias = MeasureCounter | MeasureGauge | MeasureHistogram
"""A counted value. All samples of a family are of one case."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was counted under one set of labels."""

    labels: list[tuple[str, str]]
    """Names and values of the labels."""
    value: Measure
    """What was counted."""


@dataclass(frozen=True, slots=True)
class Family:
    """All that is counted under one name, as Prometheus has it."""

    name: str
    """The name, with its prefix and unit: ``job_controller_job_syncs_total``."""
    help: str
    """What is counted, in a sentence."""
    samples: list[Sample]
    """One entry for each set of labels that has occurred, sorted by them."""


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A point in time, from -9999-01-02T01:59:59Z to 9999-12-30T22:00:00.999999999Z; a time
    outside this range traps.
    """

    seconds: int
    """Seconds since 1970-01-01T00:00:00Z without leap seconds, rounded down."""
    nanoseconds: int
    """Nanoseconds since that second: 0 to 999999999."""


@dataclass(frozen=True, slots=True)
class Period:
    """How long something is waited for, where known."""

    since: Timestamp | None
    """Since when."""
    until: Timestamp | None
    """Until when."""


@dataclass(frozen=True, slots=True)
class RoleAction:
    """Something is done."""


@dataclass(frozen=True, slots=True)
class RoleWait:
    """Something is left alone, or waited for."""

    value: Period


@dataclass(frozen=True, slots=True)
class RoleInvalid:
    """Something in the object is invalid, and what it asks for is not done."""


@dataclass(frozen=True, slots=True)
class RoleRoutine:
    """It follows from what is already visible."""


Role: TypeAlias = RoleAction | RoleWait | RoleInvalid | RoleRoutine
"""What a decision means for what happens next."""


@dataclass(frozen=True, slots=True)
class TextPartText:
    """Plain text."""

    value: str


@dataclass(frozen=True, slots=True)
class TextPartTime:
    """A point in time."""

    value: Timestamp


@dataclass(frozen=True, slots=True)
class TextPartDuration:
    """A duration in milliseconds."""

    value: int


@dataclass(frozen=True, slots=True)
class TextPartObject:
    """An object of the cluster; a view writes its name."""

    value: ObjectRef


@dataclass(frozen=True, slots=True)
class TextPartField:
    """A field of the manifest: ``spec.backoffLimit``; a view writes its last name."""

    value: str


TextPart: TypeAlias = (
    TextPartText | TextPartTime | TextPartDuration | TextPartObject | TextPartField
)
"""A part of a sentence."""


@dataclass(frozen=True, slots=True)
class ValueBoolean:
    """Yes or no."""

    value: bool


@dataclass(frozen=True, slots=True)
class ValueInteger:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class ValueText:
    """Text."""

    value: str


@dataclass(frozen=True, slots=True)
class ValueTime:
    """A point in time."""

    value: Timestamp


@dataclass(frozen=True, slots=True)
class ValueDuration:
    """A duration in milliseconds."""

    value: int


@dataclass(frozen=True, slots=True)
class ValueObject:
    """An object of the cluster."""

    value: ObjectRef


Value: TypeAlias = ValueBoolean | ValueInteger | ValueText | ValueTime | ValueDuration | ValueObject
"""A value of a decision."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision, for people and programs. ``decision-kinds`` has what all decisions with this
    code have in common.
    """

    code: str
    """Which decision, in one stable word: ``BackoffLimitExceeded``."""
    role: Role
    """What it means for what happens next."""
    sentence: list[TextPart]
    """The decision in words. A view shows times in its own time zone, and objects and fields as
    links.
    """
    values: list[tuple[str, Value]]
    """The values in it, by name. ``verdict`` is how it ends the object's work, in a few words."""


@dataclass(frozen=True, slots=True)
class Requeue:
    """When an object's next sync is due, and why."""

    at: Timestamp
    """When."""
    reason: str
    """Why: "the back-off ends"."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do about one object, and why.

    Batches run one after the other: one starts when the batch before it has ended. Within a
    batch, commands run in parallel.

    A command depends on others: on the one command that its ``after`` names, or else on every
    command of all batches before its own. It is sent if all of them succeeded, that is, each
    is ``done``, or ``failed`` with a status that it tolerates. Otherwise it is ``skipped``. A
    batch all of whose commands are skipped ends at once.

    ::

        batches: [[PATCH a, PATCH b], [DELETE a after 0, DELETE b after 1], [PUT status]]
        PATCH a fails:  PATCH b is done, DELETE a is skipped, DELETE b is sent, PUT status is
        skipped

    A plan without commands is finished when it is handed out: there are no outcomes to
    report.
    """

    id: int
    """The plan's number, unique for the instance."""
    controller: str
    """The controller that made it: ``job``."""
    object: ObjectRef
    """The object that it is about."""
    batches: list[list[Command]]
    """What to do; may be empty."""
    decisions: list[Decision]
    """Why; empty only if the configuration leaves decisions out, because not acting is a
    decision too.
    """
    notices: list[Notice]
    """Kubernetes Events to record, best effort: their outcome is not reported."""
    requeue_at: Requeue | None
    """When the object's next sync is due if nothing happens first. A host need not act on it:
    ``next-wakeup`` covers it.
    """


@dataclass(frozen=True, slots=True)
class Wakeup:
    """When the manager wants to be asked for plans again."""

    at: Timestamp
    """When; it may have passed."""
    controller: str
    """The controller that has something to do then."""
    object: ObjectRef
    """The object."""
    reason: str
    """Why."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something that keeps an object from making progress."""

    code: str
    """Which obstacle, in one stable word: ``Unschedulable``."""
    objects: list[ObjectRef]
    """The objects that are stuck, by name: a Job, pods of it, or the Job of a CronJob. Of more
    than 20, the first 20.
    """
    count: int
    """How many objects are stuck."""
    since: Timestamp | None
    """Since when, if that is known."""
    until: Timestamp | None
    """When it passes; ``none`` if that is not known, or if it does not pass by itself."""
    passes: bool
    """Whether it passes without anybody's help."""
    sentence: list[TextPart]
    """The obstacle in words, without a full stop."""
    remedy: list[TextPart]
    """What helps on a cluster, in words; may be empty."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is decided at one moment."""

    decisions: list[Decision]
    """Why."""
    batches: list[list[Command]]
    """The requests that would be sent, batch by batch."""


@dataclass(frozen=True, slots=True)
class Related:
    """A decision about an object that belongs to another one."""

    object: ObjectRef
    """The object."""
    decision: Decision
    """The decision."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is decided about an object. None of it is carried out."""

    controllers: list[str]
    """The controllers that decide."""
    headline: list[TextPart]
    """The answer in one sentence: how the object ended, what it is stuck on, or what it waits
    for.
    """
    obstacles: list[Obstacle]
    """What keeps the object from making progress, the nearest cause first; empty if it has
    finished and is not being deleted, or if the controllers act at this moment.
    """
    now: Forecast
    """What they decide at this moment."""
    requeue_at: Requeue | None
    """When the first of them syncs the object again, if nothing changes before."""
    next: Forecast | None
    """What it decides then; ``none`` if that depends on the outcomes of the requests in ``now``."""
    related: list[Related]
    """Decisions, present or past, about other objects that belong to this one: for a Job, each
    failed pod that still exists; for a CronJob, the Job of each of its last scheduled times,
    the earliest first, even if it no longer exists.
    """


@dataclass(frozen=True, slots=True)
class Versions:
    """Versions."""

    component: str
    """The version of this component: ``0.1.0``."""
    kubernetes: str
    """The version of Kubernetes that it follows: ``v1.37``."""
    time_zones: str | None
    """The version of the time zone database in it: ``2026b``; ``none`` if it has none."""


INTERFACE = schema.Interface(
    "jobsmith:controllers/manager@0.3.0",
    {
        "api-resource": schema.Record(
            ApiResource,
            (
                ("group", "group", schema.STRING),
                ("version", "version", schema.STRING),
                ("kind", "kind", schema.STRING),
                ("plural", "plural", schema.STRING),
                ("namespaced", "namespaced", schema.BOOL),
            ),
        ),
        "object-ref": schema.Record(
            ObjectRef,
            (
                ("kind", "kind", schema.STRING),
                ("namespace", "namespace", schema.STRING),
                ("name", "name", schema.STRING),
                ("uid", "uid", schema.STRING),
            ),
        ),
        "object": schema.Record(
            Object,
            (
                ("kind", "kind", schema.STRING),
                ("json", "json", schema.STRING),
            ),
        ),
        "change": schema.Variant(
            (
                ("applied", ChangeApplied, schema.Named("object")),
                ("deleted", ChangeDeleted, schema.Named("object")),
            ),
        ),
        "part": schema.Enumeration(Part),
        "listing": schema.Record(
            Listing,
            (
                ("kind", "kind", schema.STRING),
                ("part", "part", schema.Named("part")),
                ("resource-version", "resource_version", schema.STRING),
                ("objects", "objects", schema.List(schema.STRING)),
            ),
        ),
        "written": schema.Record(
            Written,
            (
                ("name", "name", schema.STRING),
                ("uid", "uid", schema.STRING),
                ("resource-version", "resource_version", schema.STRING),
                ("deleting", "deleting", schema.BOOL),
            ),
        ),
        "cause": schema.Record(
            Cause,
            (
                ("reason", "reason", schema.STRING),
                ("field", "field", schema.STRING),
                ("message", "message", schema.STRING),
            ),
        ),
        "api-error": schema.Record(
            ApiError,
            (
                ("code", "code", schema.U16),
                ("reason", "reason", schema.STRING),
                ("message", "message", schema.STRING),
                ("causes", "causes", schema.List(schema.Named("cause"))),
            ),
        ),
        "outcome": schema.Variant(
            (
                ("done", OutcomeDone, schema.Named("written")),
                ("failed", OutcomeFailed, schema.Named("api-error")),
                ("skipped", OutcomeSkipped, None),
            ),
        ),
        "report": schema.Record(
            Report,
            (
                ("plan", "plan", schema.U64),
                ("outcomes", "outcomes", schema.List(schema.Named("outcome"))),
            ),
        ),
        "event": schema.Variant(
            (
                ("changed", EventChanged, schema.Named("change")),
                ("listed", EventListed, schema.Named("listing")),
                ("finished", EventFinished, schema.Named("report")),
            ),
        ),
        "malformed": schema.Record(
            Malformed,
            (
                ("kind", "kind", schema.STRING),
                ("name", "name", schema.STRING),
                ("reason", "reason", schema.STRING),
            ),
        ),
        "method": schema.Enumeration(Method),
        "content-type": schema.Enumeration(ContentType),
        "command": schema.Record(
            Command,
            (
                ("method", "method", schema.Named("method")),
                ("path", "path", schema.STRING),
                ("content-type", "content_type", schema.Named("content-type")),
                ("body", "body", schema.STRING),
                ("tolerates", "tolerates", schema.List(schema.U16)),
                ("after", "after", schema.Option(schema.U32)),
            ),
        ),
        "decision-kind": schema.Record(
            DecisionKind,
            (
                ("code", "code", schema.STRING),
                ("page", "page", schema.STRING),
                ("heading", "heading", schema.STRING),
                ("url", "url", schema.STRING),
                ("rule", "rule", schema.STRING),
                ("fields", "fields", schema.List(schema.STRING)),
            ),
        ),
        "notice": schema.Record(
            Notice,
            (
                ("regarding", "regarding", schema.Named("object-ref")),
                ("reporting-controller", "reporting_controller", schema.STRING),
                ("warning", "warning", schema.BOOL),
                ("reason", "reason", schema.STRING),
                ("message", "message", schema.STRING),
            ),
        ),
        "histogram": schema.Record(
            Histogram,
            (
                ("buckets", "buckets", schema.List(schema.Tuple(schema.F64, schema.U64))),
                ("sum", "sum", schema.F64),
                ("count", "count", schema.U64),
            ),
        ),
        "measure": schema.Variant(
            (
                ("counter", MeasureCounter, schema.U64),
                ("gauge", MeasureGauge, schema.S64),
                ("histogram", MeasureHistogram, schema.Named("histogram")),
            ),
        ),
        "sample": schema.Record(
            Sample,
            (
                ("labels", "labels", schema.List(schema.Tuple(schema.STRING, schema.STRING))),
                ("value", "value", schema.Named("measure")),
            ),
        ),
        "family": schema.Record(
            Family,
            (
                ("name", "name", schema.STRING),
                ("help", "help", schema.STRING),
                ("samples", "samples", schema.List(schema.Named("sample"))),
            ),
        ),
        "timestamp": schema.Record(
            Timestamp,
            (
                ("seconds", "seconds", schema.S64),
                ("nanoseconds", "nanoseconds", schema.U32),
            ),
        ),
        "period": schema.Record(
            Period,
            (
                ("since", "since", schema.Option(schema.Named("timestamp"))),
                ("until", "until", schema.Option(schema.Named("timestamp"))),
            ),
        ),
        "role": schema.Variant(
            (
                ("action", RoleAction, None),
                ("wait", RoleWait, schema.Named("period")),
                ("invalid", RoleInvalid, None),
                ("routine", RoleRoutine, None),
            ),
        ),
        "text-part": schema.Variant(
            (
                ("text", TextPartText, schema.STRING),
                ("time", TextPartTime, schema.Named("timestamp")),
                ("duration", TextPartDuration, schema.S64),
                ("object", TextPartObject, schema.Named("object-ref")),
                ("field", TextPartField, schema.STRING),
            ),
        ),
        "value": schema.Variant(
            (
                ("boolean", ValueBoolean, schema.BOOL),
                ("integer", ValueInteger, schema.S64),
                ("text", ValueText, schema.STRING),
                ("time", ValueTime, schema.Named("timestamp")),
                ("duration", ValueDuration, schema.S64),
                ("object", ValueObject, schema.Named("object-ref")),
            ),
        ),
        "decision": schema.Record(
            Decision,
            (
                ("code", "code", schema.STRING),
                ("role", "role", schema.Named("role")),
                ("sentence", "sentence", schema.List(schema.Named("text-part"))),
                (
                    "values",
                    "values",
                    schema.List(schema.Tuple(schema.STRING, schema.Named("value"))),
                ),
            ),
        ),
        "requeue": schema.Record(
            Requeue,
            (
                ("at", "at", schema.Named("timestamp")),
                ("reason", "reason", schema.STRING),
            ),
        ),
        "plan": schema.Record(
            Plan,
            (
                ("id", "id", schema.U64),
                ("controller", "controller", schema.STRING),
                ("object", "object", schema.Named("object-ref")),
                ("batches", "batches", schema.List(schema.List(schema.Named("command")))),
                ("decisions", "decisions", schema.List(schema.Named("decision"))),
                ("notices", "notices", schema.List(schema.Named("notice"))),
                ("requeue-at", "requeue_at", schema.Option(schema.Named("requeue"))),
            ),
        ),
        "wakeup": schema.Record(
            Wakeup,
            (
                ("at", "at", schema.Named("timestamp")),
                ("controller", "controller", schema.STRING),
                ("object", "object", schema.Named("object-ref")),
                ("reason", "reason", schema.STRING),
            ),
        ),
        "obstacle": schema.Record(
            Obstacle,
            (
                ("code", "code", schema.STRING),
                ("objects", "objects", schema.List(schema.Named("object-ref"))),
                ("count", "count", schema.U32),
                ("since", "since", schema.Option(schema.Named("timestamp"))),
                ("until", "until", schema.Option(schema.Named("timestamp"))),
                ("passes", "passes", schema.BOOL),
                ("sentence", "sentence", schema.List(schema.Named("text-part"))),
                ("remedy", "remedy", schema.List(schema.Named("text-part"))),
            ),
        ),
        "forecast": schema.Record(
            Forecast,
            (
                ("decisions", "decisions", schema.List(schema.Named("decision"))),
                ("batches", "batches", schema.List(schema.List(schema.Named("command")))),
            ),
        ),
        "related": schema.Record(
            Related,
            (
                ("object", "object", schema.Named("object-ref")),
                ("decision", "decision", schema.Named("decision")),
            ),
        ),
        "explanation": schema.Record(
            Explanation,
            (
                ("controllers", "controllers", schema.List(schema.STRING)),
                ("headline", "headline", schema.List(schema.Named("text-part"))),
                ("obstacles", "obstacles", schema.List(schema.Named("obstacle"))),
                ("now", "now", schema.Named("forecast")),
                ("requeue-at", "requeue_at", schema.Option(schema.Named("requeue"))),
                ("next", "next", schema.Option(schema.Named("forecast"))),
                ("related", "related", schema.List(schema.Named("related"))),
            ),
        ),
        "versions": schema.Record(
            Versions,
            (
                ("component", "component", schema.STRING),
                ("kubernetes", "kubernetes", schema.STRING),
                ("time-zones", "time_zones", schema.Option(schema.STRING)),
            ),
        ),
    },
    {
        "configure": schema.Function((schema.STRING,), schema.Result(None, schema.STRING)),
        "resources": schema.Function((), schema.List(schema.Named("api-resource"))),
        "handle": schema.Function(
            (schema.Named("event"), schema.Named("timestamp")),
            schema.Result(None, schema.Named("malformed")),
        ),
        "next-plan": schema.Function(
            (schema.Named("timestamp"),), schema.Option(schema.Named("plan"))
        ),
        "next-wakeup": schema.Function((), schema.Option(schema.Named("wakeup"))),
        "explain": schema.Function(
            (schema.Named("object-ref"), schema.List(schema.STRING), schema.Named("timestamp")),
            schema.Result(schema.Named("explanation"), schema.STRING),
        ),
        "metrics": schema.Function(
            (schema.Named("timestamp"),), schema.List(schema.Named("family"))
        ),
        "decision-kinds": schema.Function((), schema.List(schema.Named("decision-kind"))),
        "about": schema.Function((), schema.Named("versions")),
    },
)
