//! What to write instead of a name that is not one of a time zone.
//!
//! Docs: CronJob, "Time zones" (A-155). Which zones there are, is in `../zone.rs`; what to write instead of a schedule, in `mod.rs`.

use crate::{Zone, zone_names};

/// What to write instead of a name that is not one of a time zone (A-155).
#[must_use]
pub fn zone_remedy(name: &str) -> String {
    let plain = |name: &str| name.to_lowercase().replace(' ', "_");
    let city = |name: &str| plain(name.rsplit('/').next().unwrap_or(name));
    if let Some(offset) = offset(name) {
        return format!("write {offset}: the sign of these names is reversed");
    }
    let abbreviated = ABBREVIATIONS.iter().find(|(short, _)| short.eq_ignore_ascii_case(name)).map(|(_, name)| *name);
    let nearby = CITIES.iter().find(|(cities, _)| cities.contains(&&*city(name))).map(|(_, name)| *name);
    let same = |known: &&str| plain(known) == plain(name) || city(known) == plain(name);
    let same = || zone_names().filter(same).min_by_key(|known| known.len());
    let near = || {
        let distance = |known: &&str| strsim::damerau_levenshtein(&plain(known), &plain(name));
        zone_names()
            .map(|known| (distance(&known), known))
            .min()
            .filter(|(distance, _)| (1..=name.len() / 3).contains(distance))
            .map(|(_, known)| known)
    };
    // Another number is another zone.
    let near = || near().filter(|_| !name.contains(|letter: char| letter.is_ascii_digit()));
    match abbreviated.or_else(same).or(nearby).or_else(near) {
        Some(meant) => format!("did you mean {meant}?"),
        None => "write a name from the time zone database, such as Etc/UTC or Europe/Paris".to_owned(),
    }
}

/// Short names that people write for a time zone, and that the database does not have.
const ABBREVIATIONS: [(&str, &str); 16] = [
    ("Z", "Etc/UTC"),
    ("UTC0", "Etc/UTC"),
    ("PST", "America/Los_Angeles"),
    ("PDT", "America/Los_Angeles"),
    ("MDT", "America/Denver"),
    ("CST", "America/Chicago"),
    ("CDT", "America/Chicago"),
    ("EDT", "America/New_York"),
    ("BRT", "America/Sao_Paulo"),
    ("BST", "Europe/London"),
    ("CEST", "Europe/Berlin"),
    ("MSK", "Europe/Moscow"),
    ("IST", "Asia/Kolkata"),
    ("SGT", "Asia/Singapore"),
    ("JST", "Asia/Tokyo"),
    ("AEST", "Australia/Sydney"),
];

/// Cities that people expect in the database, as they are compared, and the zone that they are in.
const CITIES: [(&[&str], &str); 10] = [
    (&["beijing", "peking", "shenzhen", "guangzhou"], "Asia/Shanghai"),
    (&["mumbai", "delhi", "new_delhi", "bangalore", "bengaluru", "chennai", "hyderabad", "pune"], "Asia/Kolkata"),
    (&["osaka", "kyoto"], "Asia/Tokyo"),
    (&["frankfurt", "munich", "hamburg", "cologne"], "Europe/Berlin"),
    (&["barcelona"], "Europe/Madrid"),
    (&["milan"], "Europe/Rome"),
    (&["geneva"], "Europe/Zurich"),
    (&["san_francisco", "seattle", "san_jose", "las_vegas"], "America/Los_Angeles"),
    (&["dallas", "houston", "austin"], "America/Chicago"),
    (&["boston", "washington", "atlanta", "miami", "philadelphia"], "America/New_York"),
];

/// The name of a zone for a difference from UTC in whole hours: of `UTC+2`, `Etc/GMT-2`.
fn offset(name: &str) -> Option<String> {
    let rest = ["Etc/UTC", "Etc/GMT", "UTC", "GMT", "utc", "gmt", ""]
        .iter()
        .find_map(|start| name.strip_prefix(start).filter(|rest| rest.starts_with(['+', '-'])))?;
    let (sign, hours) = rest.split_at(1);
    let hours: u32 =
        hours.strip_suffix(":00").or_else(|| hours.strip_suffix("00").filter(|hours| hours.len() == 2)).unwrap_or(hours).parse().ok()?;
    let reversed = format!("Etc/GMT{}{hours}", if sign == "+" { '-' } else { '+' });
    Zone::named(&reversed).is_some().then_some(reversed)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn the_zone_that_is_meant_is_named() {
        let names = [
            "europe/berlin",
            "Berlin",
            "New York",
            "Europe/Pariss",
            "UTC+2",
            "GMT-05:00",
            "+0900",
            "Etc/GMT+14",
            "Etc/GMT-15",
            "PST",
            "IST",
            "Z",
            "Asia/Beijing",
            "Mars/Olympus",
        ];
        let remedies: String = names.iter().map(|name| format!("{name}: {}\n", zone_remedy(name))).collect();
        expect![[r#"
            europe/berlin: did you mean Europe/Berlin?
            Berlin: did you mean Europe/Berlin?
            New York: did you mean America/New_York?
            Europe/Pariss: did you mean Europe/Paris?
            UTC+2: write Etc/GMT-2: the sign of these names is reversed
            GMT-05:00: write Etc/GMT+5: the sign of these names is reversed
            +0900: write Etc/GMT-9: the sign of these names is reversed
            Etc/GMT+14: write Etc/GMT-14: the sign of these names is reversed
            Etc/GMT-15: write a name from the time zone database, such as Etc/UTC or Europe/Paris
            PST: did you mean America/Los_Angeles?
            IST: did you mean Asia/Kolkata?
            Z: did you mean Etc/UTC?
            Asia/Beijing: did you mean Asia/Shanghai?
            Mars/Olympus: write a name from the time zone database, such as Etc/UTC or Europe/Paris
        "#]]
        .assert_eq(&remedies);
        assert!(names.iter().all(|name| Zone::named(name).is_none()), "they are no zones");
        let written = CITIES.iter().map(|(_, name)| name).chain(ABBREVIATIONS.iter().map(|(_, name)| name));
        assert!(written.into_iter().all(|name| Zone::named(name).is_some()), "what is written instead is one");
    }
}
