//! Quantities: which texts are one, and what those are meant to be that almost are.
//!
//! Docs: Resource Management for Pods and Containers, "Resource units in Kubernetes". Which fields hold quantities is in the crate `schema`.

use crate::{Document, path};

/// A quantity as it may be meant.
pub(crate) struct MeantQuantity {
    /// What to do.
    pub(crate) remedy: String,
    /// What it can only mean.
    pub(crate) only: Option<String>,
}

impl MeantQuantity {
    /// What a text is meant to be that is almost a quantity: `1,5Gi`, `100 m`, `512MB`; `None` if nothing is known of it.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let (number, unit) = text.split_at(text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len()));
        let number = with_point(number.trim_end())?;
        let letters = unit.strip_suffix(['b', 'B']).unwrap_or(unit);
        let known = UNITS
            .into_iter()
            .find(|known| *known == unit || known.len() == 2 && known.eq_ignore_ascii_case(letters))
            .or_else(|| WHOLE.iter().any(|whole| whole.eq_ignore_ascii_case(unit)).then_some(""));
        if let Some(known) = known {
            let quantity = format!("{number}{known}");
            return Some(Self { remedy: format!("did you mean {quantity}?"), only: Some(quantity) });
        }
        let thousands = THOUSANDS.into_iter().find(|known| known.eq_ignore_ascii_case(letters))?;
        let binary = thousands.to_ascii_uppercase();
        let remedy = format!("use {number}{binary}i (with powers of 1024) or {number}{thousands} (with powers of 1000)");
        Some(Self { remedy, only: None })
    }
}

/// The units that Kubernetes has.
const UNITS: [&str; 16] = ["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
/// Those among them that are powers of 1000 and that have others, of 1024, beside them.
const THOUSANDS: [&str; 5] = ["k", "M", "G", "T", "P"];
/// What people write behind whole units.
const WHOLE: [&str; 7] = ["b", "byte", "bytes", "core", "cores", "cpu", "cpus"];

/// A number with a point, which some write as a comma; not one with a comma before thousands.
fn with_point(number: &str) -> Option<String> {
    let (whole, fraction) = number.split_once([',', '.']).unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let thousands = number.contains(',') && fraction.len() == 3;
    if whole.is_empty() || thousands || !digits(whole) || !digits(fraction) {
        return None;
    }
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

/// What to do about an amount of bytes that is not whole, by what the API server says of it or of a limit beside it and by what is written: `512m` is
/// half a byte.
#[must_use]
pub fn byte_remedy(document: &Document, field: &str, message: &str) -> Option<String> {
    let written = |field: &str| document.get(field)?.as_str();
    if message.starts_with("fractional byte value") {
        let written = written(field)?;
        return match written.strip_suffix('m') {
            Some(number) => Some(format!("m is a thousandth of a byte: did you mean {number}Mi?")),
            None => whole_bytes(written).map(|whole| format!("use whole bytes, as in {whole}")),
        };
    }
    let resource = ["memory", "ephemeral-storage"].into_iter().find(|resource| message.contains(&format!("{resource} limit of ")))?;
    let limits = format!("{}limits", field.strip_suffix("requests")?);
    let number = written(&path::entry(&limits, resource))?.strip_suffix('m')?;
    Some(format!("m is a thousandth of a byte: the limit may be meant to be {number}Mi"))
}

/// An amount in the next smaller unit, without a fraction: `1126Mi` for `1.1Gi`.
fn whole_bytes(value: &str) -> Option<String> {
    let (number, unit) = value.split_at(value.find(|letter: char| letter.is_ascii_alphabetic())?);
    let (smaller, thousands) = match unit.strip_suffix('i') {
        Some(_) => (["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"], 1024),
        None => (["k", "M", "G", "T", "P", "E"], 1000),
    };
    let place = smaller.iter().position(|known| *known == unit)?;
    let below = place.checked_sub(1).map_or("", |place| smaller[place]);
    let (whole, fraction) = number.split_once('.')?;
    let scale = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let digits: u64 = format!("{whole}{fraction}").parse().ok()?;
    Some(format!("{}{below}", digits.checked_mul(thousands)? / scale))
}

/// Whether a text is a quantity.
pub(crate) fn is_quantity(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let unit_starts = unsigned.find(|letter: char| letter != '.' && !letter.is_ascii_digit()).unwrap_or(unsigned.len());
    let (number, unit) = unsigned.split_at(unit_starts);
    let exponent = || unit.strip_prefix(['e', 'E']).is_some_and(|digits| digits.parse::<i64>().is_ok());
    !text.is_empty() && number.matches('.').count() < 2 && (UNITS.contains(&unit) || exponent())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities() {
        for text in ["1", "500m", "1.5Gi", ".5", "5.", "1e3", "1E-3", "1E", "-1", "+1k", "m", "1e+3"] {
            assert!(is_quantity(text), "{text}");
        }
        for text in ["", "1gb", "1K", "1 Gi", "1.2.3", "--1", "1e", "1e3Gi", "x", "1i", "é"] {
            assert!(!is_quantity(text), "{text}");
        }
    }

    #[test]
    fn what_is_almost_a_quantity_is_meant_to_be_one() {
        let texts = [
            "1gb", "1K", "512MB", "2 g", "1,5GB", "100 m", "1,5Gi", "1 Gi", "1gi", "1GiB", "0,25", "500 MI", "512 B", "2 cores", "1,000Mi",
            "1,000", "1e", "10mm", "x", "", "1.2.3", "é", "Gi", "-1gb",
        ];
        let line = |text: &&str| {
            let (remedy, only) = MeantQuantity::of(text).map_or(("no idea".to_owned(), None), |meant| (meant.remedy, meant.only));
            format!("{text}: {remedy}{}\n", only.map_or("", |_| " *"))
        };
        expect_test::expect![[r#"
            1gb: use 1Gi (with powers of 1024) or 1G (with powers of 1000)
            1K: use 1Ki (with powers of 1024) or 1k (with powers of 1000)
            512MB: use 512Mi (with powers of 1024) or 512M (with powers of 1000)
            2 g: use 2Gi (with powers of 1024) or 2G (with powers of 1000)
            1,5GB: use 1.5Gi (with powers of 1024) or 1.5G (with powers of 1000)
            100 m: did you mean 100m? *
            1,5Gi: did you mean 1.5Gi? *
            1 Gi: did you mean 1Gi? *
            1gi: did you mean 1Gi? *
            1GiB: did you mean 1Gi? *
            0,25: did you mean 0.25? *
            500 MI: did you mean 500Mi? *
            512 B: did you mean 512? *
            2 cores: did you mean 2? *
            1,000Mi: no idea
            1,000: no idea
            1e: no idea
            10mm: no idea
            x: no idea
            : no idea
            1.2.3: no idea
            é: no idea
            Gi: no idea
            -1gb: no idea
        "#]]
        .assert_eq(&texts.iter().map(line).collect::<String>());
    }
}
