//! Quantities of resources: `500m`, `1Gi`, `2e9`.
//!
//! Docs: Resource Management for Pods and Containers, "Resource units in Kubernetes". What the API server demands of them is in
//! `crates/admission/src/validation/pod_template/resources.rs`.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::Text;
use crate::json::{JsonValue, Read, ReadError};

/// The finest part of a unit that is distinguished.
const NANO: i128 = 1_000_000_000;
/// A thousandth, in them.
const MILLI: i128 = NANO / 1000;

/// A quantity: how it was written, and what it is worth. Two are equal if they are worth the same.
#[derive(Debug, Clone)]
pub struct Quantity {
    text: Text,
    nanos: i128,
}

impl Quantity {
    /// Reads a quantity; `None` if the text is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (number, suffix) = split(text);
        let (negative, digits) = match number.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, number.strip_prefix('+').unwrap_or(number)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() || !(whole.bytes().chain(fraction.bytes())).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (mut factor, mut divisor) = unit(suffix)?;
        factor = factor.saturating_mul(NANO);
        divisor = divisor.saturating_mul(power(10, u32::try_from(fraction.len()).unwrap_or(u32::MAX)));
        let mantissa = format!("{whole}{fraction}").parse().unwrap_or(i128::MAX);
        let product = mantissa.saturating_mul(factor);
        // What is finer than a billionth counts as a whole one.
        let nanos = product / divisor + i128::from(product % divisor != 0);
        Some(Self { text: text.into(), nanos: if negative { -nanos } else { nanos } })
    }

    /// Reads a quantity from a field of an object: text, or a number as it is written.
    ///
    /// # Errors
    /// If it is something else.
    pub fn read(field: &mut Option<Self>, value: JsonValue<'_>) -> Result<(), ReadError> {
        let Some(raw) = value.raw()? else { return Ok(()) };
        let text = text_of(raw.get());
        *field = Self::parse(&text);
        match field {
            Some(_) => Ok(()),
            None => Err(ReadError::new(format!("invalid quantity {text:?}: write it as 500m or 1Gi"))),
        }
    }

    /// Reads a quantity from JSON: text, or a number as it is written; `None` if it is something else.
    #[must_use]
    pub fn from_json(json: &str) -> Option<Self> {
        Self::parse(&text_of(json))
    }

    /// Reads a quantity, which is text or a number; `None` if it is something else.
    #[must_use]
    pub fn of(value: &serde_json::Value) -> Option<Self> {
        match value.as_str() {
            Some(text) => Self::parse(text),
            None if value.is_number() => Self::parse(&value.to_string()),
            None => None,
        }
    }

    /// What the quantity is worth, in one way of writing: billionths of its unit.
    #[must_use]
    pub fn worth(&self) -> String {
        self.nanos.to_string()
    }

    /// The quantity in whole units; `None` if it has a fraction of one.
    #[must_use]
    pub fn whole(&self) -> Option<i128> {
        (self.nanos % NANO == 0).then_some(self.nanos / NANO)
    }

    /// The sum of both, written like this one.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        self.written_alike(self.nanos.saturating_add(other.nanos))
    }

    /// The quantity rounded up to thousandths, as the API server does with amounts of resources.
    #[must_use]
    pub fn in_thousandths(&self) -> Self {
        self.rounded_up(MILLI)
    }

    /// The quantity rounded up to whole units.
    #[must_use]
    pub fn in_whole_units(&self) -> Self {
        self.rounded_up(NANO)
    }

    /// The quantity rounded up to a multiple of so many billionths.
    fn rounded_up(&self, step: i128) -> Self {
        match self.nanos.rem_euclid(step) {
            0 => self.clone(),
            rest => self.written_alike((self.nanos - rest).saturating_add(step)),
        }
    }

    /// The quantity times a number of thousandths, written like this one; what is finer than a billionth counts as a whole one.
    #[must_use]
    pub fn scaled(&self, thousandths: u64) -> Self {
        let product = self.nanos.saturating_mul(thousandths.into());
        self.written_alike(product.div_euclid(1000) + i128::from(product.rem_euclid(1000) != 0))
    }

    /// A quantity that is worth so many billionths, in canonical form with a suffix of this one's kind.
    fn written_alike(&self, nanos: i128) -> Self {
        let other = Self { text: self.text.clone(), nanos };
        Self { text: other.canonical().into(), nanos }
    }

    /// The quantity as the API server stores it: in canonical form, but as it is written where its digits are those of that form.
    #[must_use]
    pub fn stored(&self) -> String {
        let (number, suffix) = split(&self.text);
        let number = number.trim_start_matches(['+', '-']);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let exponent = suffix.strip_prefix(['e', 'E']).and_then(|exponent| exponent.parse::<i64>().ok()).unwrap_or(0);
        let digits: i128 = format!("{whole}{fraction}").parse().unwrap_or(1);
        let kept = if suffix.ends_with('i') {
            fraction.is_empty() && digits % 1024 != 0
        } else {
            (exponent - fraction.len() as i64) % 3 == 0 && digits % 1000 != 0
        };
        if kept { self.to_string() } else { self.canonical() }
    }

    /// Whether the quantity is below 0.
    #[must_use]
    pub fn negative(&self) -> bool {
        self.nanos < 0
    }

    /// How many times a divisor goes into the quantity, rounded up.
    #[must_use]
    pub fn divided_by(&self, divisor: &Self) -> i128 {
        let divisor = divisor.nanos.max(1);
        self.nanos.div_euclid(divisor) + i128::from(self.nanos.rem_euclid(divisor) != 0)
    }

    /// The quantity in canonical form: with the largest suffix of its kind that leaves no fraction, as in `1536Mi` for `1.5Gi`.
    #[must_use]
    pub fn canonical(&self) -> String {
        let (_, suffix) = split(&self.text);
        if suffix.ends_with('i') && self.nanos % NANO == 0 {
            return largest(self.nanos / NANO, 1024, &["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]);
        }
        if suffix.len() > 1 && suffix.starts_with(['e', 'E']) {
            return largest(self.nanos, 1000, &["e-9", "e-6", "e-3", "", "e3", "e6", "e9", "e12", "e15", "e18", "e21", "e24"]);
        }
        largest(self.nanos, 1000, &["n", "u", "m", "", "k", "M", "G", "T", "P", "E"])
    }
}

/// A quantity's text in JSON, where a number stands for itself.
fn text_of(json: &str) -> String {
    serde_json::from_str::<String>(json).unwrap_or_else(|_| json.to_owned())
}

/// A quantity's number and its suffix.
fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find(|letter: char| !matches!(letter, '+' | '-' | '.' | '0'..='9')).unwrap_or(text.len()))
}

/// A whole number of the first suffix's unit, written with the last of the suffixes that leaves it whole; each is worth `step` times the one before.
fn largest(mut number: i128, step: i128, suffixes: &[&str]) -> String {
    let mut suffixes = suffixes.iter();
    let mut suffix = suffixes.next().expect("there is at least one suffix");
    while number != 0
        && number % step == 0
        && let Some(larger) = suffixes.next()
    {
        (number, suffix) = (number / step, larger);
    }
    if number == 0 { "0".to_owned() } else { format!("{number}{suffix}") }
}

/// The value of a unit: a factor and a divisor; `None` if the suffix is not a unit.
fn unit(suffix: &str) -> Option<(i128, i128)> {
    let unit = match suffix {
        "" => (1, 1),
        "n" => (1, power(10, 9)),
        "u" => (1, power(10, 6)),
        "m" => (1, power(10, 3)),
        "k" => (power(10, 3), 1),
        "M" => (power(10, 6), 1),
        "G" => (power(10, 9), 1),
        "T" => (power(10, 12), 1),
        "P" => (power(10, 15), 1),
        "E" => (power(10, 18), 1),
        "Ki" => (power(2, 10), 1),
        "Mi" => (power(2, 20), 1),
        "Gi" => (power(2, 30), 1),
        "Ti" => (power(2, 40), 1),
        "Pi" => (power(2, 50), 1),
        "Ei" => (power(2, 60), 1),
        _ => {
            let exponent: i32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
            let value = power(10, exponent.unsigned_abs());
            if exponent < 0 { (1, value) } else { (value, 1) }
        }
    };
    Some(unit)
}

fn power(base: i128, exponent: u32) -> i128 {
    base.saturating_pow(exponent)
}

impl Eq for Quantity {}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.nanos.partial_cmp(&other.nanos)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Quantity {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// Quantities by resource name; each is text, or a number as it is written.
#[derive(Debug, Clone, Default)]
pub struct Quantities(pub BTreeMap<Text, Quantity>);

impl Read for Quantities {
    fn begin(&mut self) {
        self.0.clear();
    }

    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        let mut quantity = None;
        Quantity::read(&mut quantity, value)?;
        self.0.extend(quantity.map(|quantity| (name.into(), quantity)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(text: &str) -> Quantity {
        Quantity::parse(text).unwrap_or_else(|| panic!("{text} is a quantity"))
    }

    #[test]
    fn quantities_are_compared_by_worth() {
        for (left, right) in
            [("1", "1000m"), ("1.5", "1500m"), ("1Ki", "1024"), ("2e9", "2G"), ("1E", "1e18"), ("1E3", "1k"), ("-1", "-1000m")]
        {
            assert_eq!(quantity(left), quantity(right), "{left} {right}");
        }
        assert!(quantity("1025Mi") > quantity("1Gi") && quantity("99999n") < quantity("100u") && quantity("-1").negative());
        assert_eq!(quantity("0.1n"), quantity("1n"));
    }

    #[test]
    fn canonical_forms_are_those_that_kubectl_prints() {
        for (text, canonical) in [
            ("0", "0"),
            ("0Ki", "0"),
            ("1000", "1k"),
            ("1500", "1500"),
            ("0.1", "100m"),
            ("-1", "-1"),
            ("1.5Gi", "1536Mi"),
            ("0.5Ki", "512"),
            ("2048Ki", "2Mi"),
            ("1025Ki", "1025Ki"),
            ("1.1Ki", "1126400m"),
            ("1024", "1024"),
            ("1000k", "1M"),
            ("2500000u", "2500m"),
            ("1e4", "10e3"),
            ("12e3", "12e3"),
            ("3e2", "300"),
            ("1e-3", "1e-3"),
            ("1e21", "1e21"),
            ("10E", "10E"),
        ] {
            assert_eq!(quantity(text).canonical(), canonical, "{text}");
        }
    }

    #[test]
    fn quantities_are_stored_as_written_where_no_digit_is_too_many() {
        for (text, stored) in [
            ("1000m", "1"),
            ("0.5Gi", "512Mi"),
            ("1024Mi", "1Gi"),
            ("+1", "+1"),
            ("05Ki", "05Ki"),
            ("1E3", "1E3"),
            ("1e1", "10"),
            ("1.500k", "1.500k"),
            ("1.5k", "1500"),
            ("1.0m", "1m"),
            ("1024.Ki", "1Mi"),
            ("1000e0", "1e3"),
            ("00", "0"),
            ("12345678901234567890123456789012345678901", "12345678901234567890123456789012345678901"),
        ] {
            assert_eq!(quantity(text).stored(), stored, "{text}");
        }
        for (text, rounded) in [("0.1n", "1m"), ("1e-6", "1e-3"), ("1500u", "2m"), ("-1500u", "-1m"), ("+1", "+1")] {
            assert_eq!(quantity(text).in_thousandths().stored(), rounded, "{text}");
        }
    }

    #[test]
    fn sums_are_written_like_the_first() {
        for (left, right, sum) in [("700m", "0.7", "1400m"), ("1Gi", "512Mi", "1536Mi"), ("1G", "1Gi", "2073741824"), ("500m", "1.5", "2")]
        {
            assert_eq!(quantity(left).plus(&quantity(right)).to_string(), sum, "{left} + {right}");
        }
        assert_eq!((quantity("1Ki").whole(), quantity("1500m").whole()), (Some(1024), None));
    }

    #[test]
    fn products_round_up() {
        for (text, thousandths, product, whole) in [
            ("1Gi", 1500, "1536Mi", "1536Mi"),
            ("1Gi", 1100, "1181116006400m", "1181116007"),
            ("250m", 1001, "250250u", "1"),
            ("1n", 1001, "2n", "1"),
            ("0", 9000, "0", "0"),
        ] {
            let scaled = quantity(text).scaled(thousandths);
            assert_eq!((&*scaled.to_string(), &*scaled.in_whole_units().to_string()), (product, whole), "{text} × {thousandths} ‰");
        }
    }

    #[test]
    fn division_rounds_up() {
        for (text, divisor, times) in
            [("1500m", "1", 2), ("1500m", "1m", 1500), ("500M", "1Ki", 488_282), ("1Gi", "1Mi", 1024), ("0", "1", 0)]
        {
            assert_eq!(quantity(text).divided_by(&quantity(divisor)), times, "{text} / {divisor}");
        }
    }

    #[test]
    fn other_texts_are_no_quantities() {
        for text in ["", "x", "1x", "1 Gi", "--1", "1-", ".", "1.1.1", "1kk", "e3"] {
            assert!(Quantity::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn numbers_are_quantities_too() {
        let Quantities(read) = crate::json::from_str(r#"{"a":2,"b":2.5,"c":"3"}"#).unwrap();
        let values: Vec<Quantity> = read.into_values().collect();
        assert_eq!(values, [quantity("2"), quantity("2500m"), quantity("3")]);
        assert!(crate::json::from_str::<Quantities>(r#"{"a":"x"}"#).is_err());
        assert_eq!(Quantity::of(&serde_json::json!(2.5)), Some(quantity("2500m")));
        assert_eq!(Quantity::of(&serde_json::json!(true)), None);
        assert_eq!((Quantity::from_json("2.5"), Quantity::from_json(r#""1Ki""#)), (Some(quantity("2500m")), Some(quantity("1024"))));
        assert_eq!(Quantity::from_json("true"), None);
    }
}
