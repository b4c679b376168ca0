//! Modes of files: which decimal numbers are modes whose leading 0 was left out.
//!
//! Docs: ConfigMap, Secret, "defaultMode". YAML reads `0400` as an octal number, which JSON has none of; the API server takes 0 to 0777.

/// Modes that people give files, in octal digits.
const USUAL: [i64; 19] = [400, 440, 444, 500, 550, 555, 600, 640, 644, 660, 664, 666, 700, 750, 755, 770, 774, 775, 777];

/// The mode that a decimal number was meant to be, as YAML has it: `0400` for 400, which is 0620.
#[must_use]
pub fn octal_mode(number: i64) -> Option<String> {
    USUAL.contains(&number).then(|| format!("0{number}"))
}

/// The mode that is meant where the API server refuses one, by what it says of it: 755 is more than 0777; and what to do.
pub(crate) fn meant_mode(message: &str) -> Option<(String, String)> {
    let (number, _) = message.strip_prefix("Invalid value: ")?.split_once(": must be a number between 0 and 0777")?;
    let mode = octal_mode(number.parse().ok()?)?;
    let remedy = format!("write {mode} (in JSON, {}): without the leading 0, the number is decimal", decimal(&mode));
    Some((mode, remedy))
}

/// An octal mode as a decimal number.
#[must_use]
pub fn decimal(mode: &str) -> i64 {
    i64::from_str_radix(mode, 8).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_numbers_with_the_digits_of_a_mode_are_meant_as_octal() {
        assert_eq!([400, 777].map(octal_mode), [Some("0400".to_owned()), Some("0777".to_owned())]);
        // 0644, 0600 and 0777 as they are written in JSON.
        assert_eq!([420, 384, 511, 0, 4, 100].map(octal_mode), [const { None }; 6]);
        assert_eq!((decimal("0400"), decimal("0777")), (256, 511));
        let refused = "Invalid value: 755: must be a number between 0 and 0777 (octal), both inclusive";
        let remedy = "write 0755 (in JSON, 493): without the leading 0, the number is decimal";
        assert_eq!(meant_mode(refused), Some(("0755".to_owned(), remedy.to_owned())));
        assert_eq!(meant_mode(&refused.replace("755", "512")), None);
    }
}
