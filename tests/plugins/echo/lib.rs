//! Returns each value of the controllers' interface unchanged: what the codec of a binding loses on the way there or back shows.
//!
//! Docs: `wit/echo.wit`, which `cargo xtask bindings` writes from `crates/component/wit/controllers.wit`.

use wit::exports::jobsmith::controllers::manager::*;

#[expect(unsafe_code, reason = "generated")]
mod wit {
    use super::Echo;
    wit_bindgen::generate!({ path: "wit", world: "controllers" });
    export!(Echo with_types_in self);
}

struct Echo;

/// Functions that answer with their argument.
macro_rules! echo {
    ($($function:ident: $value:ty,)*) => {
        impl Guest for Echo {
            $(fn $function(value: $value) -> $value {
                value
            })*
        }
    };
}

echo! {
    echo_api_resource: ApiResource,
    echo_object_ref: ObjectRef,
    echo_event: Event,
    echo_change: Change,
    echo_object: Object,
    echo_listing: Listing,
    echo_part: Part,
    echo_report: Report,
    echo_outcome: Outcome,
    echo_written: Written,
    echo_api_error: ApiError,
    echo_cause: Cause,
    echo_malformed: Malformed,
    echo_plan: Plan,
    echo_command: Command,
    echo_method: Method,
    echo_content_type: ContentType,
    echo_decision: Decision,
    echo_role: Role,
    echo_period: Period,
    echo_text_part: TextPart,
    echo_value: Value,
    echo_decision_kind: DecisionKind,
    echo_notice: Notice,
    echo_requeue: Requeue,
    echo_wakeup: Wakeup,
    echo_explanation: Explanation,
    echo_obstacle: Obstacle,
    echo_forecast: Forecast,
    echo_related: Related,
    echo_family: Family,
    echo_sample: Sample,
    echo_measure: Measure,
    echo_histogram: Histogram,
    echo_timestamp: Timestamp,
    echo_versions: Versions,
    echo_result: Result<Plan, Malformed>,
}
