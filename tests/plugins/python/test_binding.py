"""What the binding promises: its errors, threads, memory and other people's components.

Docs: ``host/bindings/python/README.md``; ``tests/plugins/README.md``. The loop has its own tests.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import resource
import threading
from datetime import datetime, timedelta, timezone
from importlib import metadata
from pathlib import Path
from types import MappingProxyType

import jobsmith
import pytest
from jobsmith import (
    ConfigError,
    Controllers,
    IncompatibleComponent,
    Lost,
    Malformed,
    NoExplanation,
    UsageError,
    outcome,
)
from jobsmith.component import BUNDLED
from jobsmith.types import (
    ApiError,
    EventFinished,
    EventListed,
    Listing,
    ObjectRef,
    OutcomeDone,
    OutcomeFailed,
    OutcomeSkipped,
    Part,
    Plan,
    Report,
    Timestamp,
)
from packaging.requirements import Requirement

from conftest import COMPONENTS, job, list_all, pod, readme_blocks, text_of, trap

NOW = Timestamp(1_790_000_000, 1)


def done(plan: Plan) -> list[OutcomeDone]:
    return [outcome(200, command.body) for batch in plan.batches for command in batch]


def test_the_code_of_the_readme_runs() -> None:
    start, match = readme_blocks("Quick start")
    assert start.count("\n") <= 20
    [explain] = readme_blocks("Why something happens")
    names: dict[str, object] = {}
    shown = printed(start, names)
    assert shown.count("POST /api/v1/namespaces/default/pods\n") == 2
    assert "Created pod pi-0\n" in shown and "\n\n" not in shown
    printed(match, names)
    assert "the watch has yet to show 2 creations" in printed(explain, names)


def printed(code: str, names: dict[str, object]) -> str:
    """What code prints, which leaves its names behind."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(code, names)
    return output.getvalue()


def test_the_bundled_component_is_the_one_that_was_built() -> None:
    built = (COMPONENTS / "controllers.wasm").read_bytes()
    assert hashlib.sha256(BUNDLED.read_bytes()).digest() == hashlib.sha256(built).digest()


def test_a_wrong_configuration_is_refused_with_its_reason() -> None:
    with pytest.raises(ConfigError, match="jobb: unknown field"):
        Controllers(jobb={})
    with pytest.raises(ConfigError):
        Controllers("not JSON")
    with pytest.raises(UsageError, match="not both"):
        Controllers("{}", job={})


def test_a_configuration_that_is_refused_changes_nothing(controllers: Controllers) -> None:
    list_all(controllers, job())
    with pytest.raises(ConfigError):
        controllers.configure(jobb={})
    with pytest.raises(TypeError):
        controllers.configure(job=object())
    assert any(plan.batches for plan in controllers.plans())
    controllers.configure(controllers=["cronjob"])
    assert [each.kind for each in controllers.resources()] == ["CronJob", "Job"]
    controllers.restart()
    assert len(controllers.resources()) == 2, "the configuration outlives a restart"


def test_a_malformed_object_is_named_and_all_others_are_handled(controllers: Controllers) -> None:
    broken = {**job("broken"), "spec": 7}
    controllers.listed("CronJob", [], "1")
    controllers.listed("Pod", [], "1")
    with pytest.raises(Malformed) as caught:
        controllers.listed("Job", [broken, job("fine")], "1")
    assert (caught.value.kind, caught.value.name) == ("Job", "default/broken")
    assert "spec" in caught.value.reason and "default/broken" in str(caught.value)
    assert [plan.object.name for plan in controllers.plans() if plan.batches] == ["fine"]
    with pytest.raises(Malformed):
        controllers.applied("Pod", "{")


def test_objects_are_dicts_or_text(controllers: Controllers) -> None:
    text = text_of(pod("p"), 1000)
    controllers.applied("Pod", text)
    controllers.applied("Pod", text.encode())
    controllers.applied("Pod", {**pod("p"), "text": "lone \ud800 surrogate"})
    controllers.deleted("Pod", pod("p"))


def test_what_is_not_a_list_of_objects_is_refused(controllers: Controllers) -> None:
    for objects, received in (
        ({"items": [job()]}, 'dict; pass its "items"'),
        (MappingProxyType({}), 'mappingproxy; pass its "items"'),
        ("[]", "str"),
        (b"[]", "bytes"),
    ):
        with pytest.raises(TypeError) as caught:
            controllers.listed("Job", objects, "1")
        assert str(caught.value) == f"objects: expected a list, received {received}"
    controllers.listed("Job", (each for each in [job()]), "1")


def test_a_trap_loses_the_instance_until_it_is_restarted(controllers: Controllers) -> None:
    list_all(controllers, job())
    plan = next(plan for plan in controllers.plans() if plan.batches)
    trap(controllers)
    for call in (
        controllers.wakeup,
        controllers.resources,
        lambda: controllers.finished(plan, done(plan)),
    ):
        with pytest.raises(Lost, match=r"restart\(\)"):
            call()
    controllers.restart()
    assert controllers.next_plan() is None, "nothing is listed yet"
    list_all(controllers, job())
    assert any(plan.batches for plan in controllers.plans())


def test_outcomes_of_a_lost_instance_are_refused(controllers: Controllers) -> None:
    list_all(controllers, job("before"), now=NOW)
    old = next(plan for plan in controllers.plans(NOW) if plan.batches)
    controllers.restart()
    list_all(controllers, job("after"), now=NOW)
    new = next(plan for plan in controllers.plans(NOW) if plan.batches)
    assert old.id == new.id, "otherwise this shows nothing"
    with pytest.raises(UsageError, match="plan 1 is not in flight: report only plans"):
        controllers.finished(old, done(old))
    controllers.finished(new, done(new))


def test_a_plan_that_is_equal_to_one_of_a_lost_instance_is_another_plan(
    controllers: Controllers,
) -> None:
    list_all(controllers, job(), now=NOW)
    old = next(plan for plan in controllers.plans(NOW) if plan.batches)
    controllers.restart()
    list_all(controllers, job(), now=NOW)
    new = next(plan for plan in controllers.plans(NOW) if plan.batches)
    assert old == new, "otherwise this shows nothing"
    with pytest.raises(UsageError, match="plan 1 is not in flight: report only plans"):
        controllers.finished(old, done(old))
    controllers.finished(new, done(new))


def test_a_list_may_come_in_parts_in_their_order(controllers: Controllers) -> None:
    for part in (Part.MIDDLE, Part.LAST):
        with pytest.raises(UsageError, match=rf"has not begun: .* before Part\.{part.name}"):
            controllers.listed("Pod", [], "1", part)
    with pytest.raises(TypeError):
        controllers.handle(EventListed(Listing("Pod", Part.FIRST, "1", [7])))
    with pytest.raises(UsageError, match="has not begun"):
        controllers.listed("Pod", [], "1", Part.LAST)
    with pytest.raises(Malformed):
        controllers.listed("Pod", ["{"], "1", Part.FIRST)
    for part in (Part.LAST, Part.FIRST, Part.FIRST, Part.MIDDLE, Part.WHOLE):
        controllers.listed("Pod", [], "1", part)
    with pytest.raises(UsageError, match="has not begun"):
        controllers.listed("Pod", [], "1", Part.LAST)
    list_all(controllers)
    assert controllers.next_plan() is None, "the instance lives"


def test_a_kind_that_is_not_watched_is_refused(controllers: Controllers) -> None:
    for call in (
        lambda: controllers.applied("Secret", {}),
        lambda: controllers.listed("Secret", [], "1"),
        lambda: controllers.handle(EventListed(Listing("pods", Part.WHOLE, "1", []))),
    ):
        with pytest.raises(UsageError, match=r"resources\(\) names CronJob, Job, Pod"):
            call()


def test_a_plan_is_reported_once_and_with_an_outcome_for_each_command(
    controllers: Controllers,
) -> None:
    list_all(controllers, job(), now=NOW)
    plan = next(plan for plan in controllers.plans(NOW) if plan.batches)
    with pytest.raises(UsageError, match="has 2 commands and 1 outcomes were reported"):
        controllers.finished(plan, done(plan)[:1], NOW)
    with pytest.raises(UsageError, match="has 2 commands and 1 outcomes were reported"):
        controllers.handle(EventFinished(Report(plan.id, done(plan)[:1])), NOW)
    with pytest.raises(TypeError, match="expected one of OutcomeDone, OutcomeFailed"):
        controllers.finished(plan, [None, None], NOW)
    refused = OutcomeFailed(ApiError(500, "InternalError", "no", []))
    controllers.finished(plan, [refused, OutcomeSkipped()], NOW)
    with pytest.raises(UsageError, match="plan 1 is finished already: report each plan once"):
        controllers.finished(plan, done(plan), NOW)
    with pytest.raises(UsageError, match="plan 77 is not in flight: report only plans"):
        controllers.handle(EventFinished(Report(77, [])), NOW)


def test_a_plan_without_commands_needs_no_report(controllers: Controllers) -> None:
    complete = {"conditions": [{"type": "Complete", "status": "True"}]}
    list_all(controllers, {**job(), "status": complete})
    plans = list(controllers.plans())
    assert plans and not any(plan.batches for plan in plans)
    controllers.finished(plans[0], [])
    with pytest.raises(UsageError, match="has 0 commands and 1 outcomes"):
        controllers.finished(plans[0], [OutcomeSkipped()])


def test_closed_controllers_say_so() -> None:
    with Controllers() as controllers:
        list_all(controllers, job())
        plan = next(plan for plan in controllers.plans() if plan.batches)
    controllers.close()
    for call in (
        controllers.resources,
        controllers.restart,
        controllers.configure,
        controllers.next_plan,
        lambda: controllers.finished(plan, done(plan)),
        lambda: controllers.applied("Secret", {}),
    ):
        with pytest.raises(UsageError, match="closed"):
            call()


def test_time_may_go_backwards(controllers: Controllers) -> None:
    list_all(controllers, job())
    now = datetime.now(timezone.utc)
    for plan in controllers.plans(now):
        controllers.finished(plan, done(plan), now - timedelta(days=1))
    controllers.applied("Pod", pod("p", phase="Failed"), now - timedelta(days=2))
    assert list(controllers.plans(now - timedelta(days=3))) == []
    assert controllers.wakeup() is not None


def test_an_object_is_explained(controllers: Controllers) -> None:
    with pytest.raises(NoExplanation):
        controllers.explain(ObjectRef("Job", "default", "pi", ""))
    list_all(controllers, job())
    explanation = controllers.explain(ObjectRef("Job", "default", "pi", ""))
    codes = {decision.code for decision in explanation.now.decisions}
    assert "Creates" in codes
    assert codes <= {kind.code for kind in controllers.decision_kinds()}
    assert controllers.metrics() and controllers.about().kubernetes.startswith("v1.")


def test_two_threads_may_use_the_same_controllers(controllers: Controllers) -> None:
    list_all(controllers, job("a"), job("b"))
    failures: list[BaseException] = []

    def use(owner: str) -> None:
        try:
            for count in range(500):
                controllers.applied("Pod", pod(f"{owner}-{count}", owner))
                for plan in controllers.plans():
                    controllers.finished(plan, done(plan))
                controllers.wakeup()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=use, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    counted = [family for family in controllers.metrics() if family.name.endswith("_syncs_total")]
    assert counted, "the instance lives"


def test_100_000_events_need_no_more_memory_than_10_000(controllers: Controllers) -> None:
    list_all(controllers, job(parallelism=10, completions=10), now=NOW)
    texts = [text_of(pod(f"p{count}"), 1600) for count in range(10)]

    def handle(events: int) -> int:
        for count in range(events):
            controllers.applied("Pod", texts[count % 10], NOW)
            if count % 100 == 0:
                for plan in controllers.plans(NOW):
                    controllers.finished(plan, done(plan), NOW)
        return resident()

    before = handle(10_000)
    after = handle(90_000)
    assert after - before < 4 * 2**20, f"{after - before} bytes more"


def resident() -> int:
    """How many bytes of memory this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def test_somebody_elses_component_runs_unchanged() -> None:
    with Controllers(component=COMPONENTS / "pod_labeler.wasm") as controllers:
        [pods] = controllers.resources()
        controllers.listed(pods, [pod("done", phase="Succeeded")], "1")
        plans = list(controllers.plans())
        assert [decision.code for plan in plans for decision in plan.decisions] == ["PodFinished"]
        controllers.finished(plans[0], done(plans[0]))
        with pytest.raises(UsageError, match=r"resources\(\) names Pod"):
            controllers.applied("Job", job())


def test_a_file_that_is_no_such_component_is_refused() -> None:
    with pytest.raises(IncompatibleComponent, match="not a component"):
        Controllers(component=b"\0asm")
    empty = b"\0asm\x0d\0\x01\0"
    with pytest.raises(IncompatibleComponent, match="does not export jobsmith:controllers/manager"):
        Controllers(component=empty)


def test_the_range_of_wasmtime_holds_the_version_that_is_tested() -> None:
    [requirement] = map(Requirement, metadata.requires("jobsmith") or [])
    assert metadata.version("wasmtime") in requirement.specifier
    assert "51" not in requirement.specifier, "widen the range when 51 is tested"


def test_what_is_public_exists() -> None:
    assert all(hasattr(jobsmith, name) for name in jobsmith.__all__)
