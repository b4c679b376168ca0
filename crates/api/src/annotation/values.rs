//! Values that several annotations have: lengths of time, factors, quantities, and what follows from a UID.
//!
//! Docs: README, "Beyond Kubernetes".

use crate::Duration;
use crate::duration::{self, InvalidDuration};
use crate::quantity::Quantity;

use super::part::{AnnotationPart, AnnotationProblem};

/// A factor, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor(pub u32);

/// The largest factor.
const LARGEST_FACTOR: u32 = 10;

/// The longest length of time that is an example.
const LONGEST_EXAMPLE: Duration = Duration::from_secs(90 * 60);

/// Reads a length of time that is within these bounds.
pub(super) fn length(part: AnnotationPart<'_>, what: &str, shortest: Duration, longest: Duration) -> Result<Duration, AnnotationProblem> {
    let examples = if longest < LONGEST_EXAMPLE { "`90s` or `5m`" } else { "`90s`, `5m` or `1h30m`" };
    let remedy = || format!("write {what} from {} to {}, as in {examples}", duration::text(shortest), duration::text(longest));
    if part.text.is_empty() {
        return Err(part.problem(format!("{what} is missing"), remedy()));
    }
    let length = match duration::parse_signed(part.text) {
        Ok(length) => length,
        Err(InvalidDuration::MissingUnit) => return Err(part.problem(format!("`{}` has no unit", part.text), remedy())),
        Err(InvalidDuration::UnknownUnit(unit)) => return Err(part.problem(format!("`{}` is not a unit of time", unit.trim()), remedy())),
        Err(InvalidDuration::Malformed) => return Err(part.problem(format!("`{}` is not a length of time", part.text), remedy())),
    };
    if length < shortest {
        return Err(part.problem(format!("`{}` is too short", part.text), remedy()));
    }
    if length > longest {
        return Err(part.problem(format!("`{}` is too long", part.text), remedy()));
    }
    Ok(length)
}

/// Reads what is behind the `x` of a factor from 1 to 10, with three decimals at most.
pub(super) fn factor(part: AnnotationPart<'_>) -> Result<Factor, AnnotationProblem> {
    let number = part.text.strip_prefix(['x', '×']).unwrap_or(part.text);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let thousandths = format!("{whole}{fraction:0<3}").parse::<u32>().ok();
    let read = thousandths.filter(|_| digits(whole) && digits(fraction) && !whole.is_empty() && fraction.len() <= 3);
    match read {
        Some(thousandths) if (1000..=LARGEST_FACTOR * 1000).contains(&thousandths) => Ok(Factor(thousandths)),
        _ => Err(part.problem(format!("`{}` is not a factor from 1 to {LARGEST_FACTOR}", part.text), "write one such as `x2` or `x1.5`")),
    }
}

/// Reads a quantity that is more than 0.
pub(super) fn quantity(part: AnnotationPart<'_>) -> Result<Quantity, AnnotationProblem> {
    if part.text.is_empty() {
        return Err(part.problem("a quantity is missing", "write one such as `16Gi` or `500m`, without a space before it"));
    }
    match Quantity::parse(part.text) {
        Some(quantity) if !quantity.negative() && quantity.worth() != "0" => Ok(quantity),
        _ => Err(part.problem(format!("`{}` is not a quantity above 0", part.text), "write one such as `16Gi` or `500m`")),
    }
}

/// Reads a whole number that is within these bounds.
pub(super) fn number(part: AnnotationPart<'_>, what: &str, least: u32, most: u32) -> Result<u32, AnnotationProblem> {
    let number =
        part.text.parse().ok().filter(|number| (least..=most).contains(number) && part.text.bytes().all(|byte| byte.is_ascii_digit()));
    number.ok_or_else(|| {
        let message = if part.text.is_empty() { format!("{what} is missing") } else { format!("`{}` is not {what}", part.text) };
        part.problem(message, format!("write a whole number from {least} to {most}"))
    })
}

/// A number that a text always has (FNV-1a).
pub(super) fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
