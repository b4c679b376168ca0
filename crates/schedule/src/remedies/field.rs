//! What to write instead of a value that a field of a schedule does not have.
//!
//! Docs: CronJob, "Schedule syntax" (C-51…C-55). What the fields take is decided in `../fields.rs`; schedules with other fields than Kubernetes' are in `mod.rs`.

use super::schedule_of;

/// A field of a schedule.
struct ScheduleField {
    name: &'static str,
    plural: &'static str,
    /// The least and the greatest number.
    range: (u32, u32),
    /// The names of its values, from the least number on; their first three letters are what Kubernetes reads.
    names: &'static [&'static str],
}

const ALL: [ScheduleField; 5] = [
    ScheduleField { name: "minute", plural: "minutes", range: (0, 59), names: &[] },
    ScheduleField { name: "hour", plural: "hours", range: (0, 23), names: &[] },
    ScheduleField { name: "day of month", plural: "days of the month", range: (1, 31), names: &[] },
    ScheduleField {
        name: "month",
        plural: "months",
        range: (1, 12),
        names: &["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
    },
    WEEKDAY,
];

const WEEKDAY: ScheduleField = ScheduleField {
    name: "day of week",
    plural: "days of the week",
    range: (0, 6),
    names: &["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
};

/// What to do about five fields that are not a schedule.
pub(super) struct FieldRemedy {
    /// What is wrong with the first field that is.
    why: String,
    /// What is meant instead: of a field first, and then of the schedule; `None` if that is not certain.
    instead: Option<String>,
}

impl FieldRemedy {
    fn why(why: impl Into<String>) -> Self {
        Self { why: why.into(), instead: None }
    }

    fn write(why: impl Into<String>, instead: impl Into<String>) -> Self {
        Self { why: why.into(), instead: Some(instead.into()) }
    }

    /// As a sentence.
    pub(super) fn words(self) -> String {
        match self.instead {
            Some(schedule) => format!("{}: write `{schedule}`", self.why),
            None => self.why,
        }
    }

    /// As the rest of a sentence on what else is wrong.
    pub(super) fn after(self, words: &str) -> String {
        match self.instead {
            Some(schedule) => format!("{words}: `{schedule}`"),
            None => format!("{words}; {}", self.why),
        }
    }
}

/// What to do about five fields; `None` if they are a schedule.
pub(super) fn remedy(values: &[&str]) -> Option<FieldRemedy> {
    let mut why = None;
    let mut correct = |(field, value): (&ScheduleField, &&str)| {
        if field.takes(value) {
            return Some((*value).to_owned());
        }
        let remedy = field.remedy(value);
        why.get_or_insert(remedy.why);
        remedy.instead
    };
    let corrected: Vec<Option<String>> = ALL.iter().zip(values).map(&mut correct).collect();
    let corrected: Option<Vec<String>> = corrected.into_iter().collect();
    // Midnight at the end of a day is on the next one.
    let another_day = !ALL[1].takes(values[1]) && values[1].contains("24") && values[2..].iter().any(|value| !matches!(*value, "*" | "?"));
    let corrected = corrected.filter(|_| !another_day);
    let schedule = corrected.and_then(|fields| schedule_of(&fields.iter().map(String::as_str).collect::<Vec<_>>()));
    why.map(|why| FieldRemedy { why, instead: schedule })
}

/// Whether a text is a value for the day of the week, here or in another cron.
pub(super) fn means_weekday(value: &str) -> bool {
    let known = |part: &str| WEEKDAY.takes(part) || WEEKDAY.foreign(part).is_some() || WEEKDAY.of_part(part).instead.is_some();
    value.split(',').all(known)
}

/// Days of the week that are counted from 1 for Sunday, by their names.
pub(super) fn named_weekdays(value: &str) -> String {
    let named = |day: &str| {
        let digits = day.trim_end_matches('L');
        let place = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        place.and_then(|place| WEEKDAY.names.get(place)).map(|name| format!("{}{}", &name[..3], &day[digits.len()..]))
    };
    let part = |part: &str| {
        let (days, rest) = part.split_at(part.find(['/', '#']).unwrap_or(part.len()));
        let days: Vec<String> = days.split('-').map(|day| named(day).unwrap_or_else(|| day.to_owned())).collect();
        format!("{}{rest}", days.join("-"))
    };
    value.split(',').map(part).collect::<Vec<_>>().join(",")
}

impl ScheduleField {
    /// Whether this is a value of the field.
    fn takes(&self, value: &str) -> bool {
        schedule_of(&ALL.each_ref().map(|field| if field.name == self.name { value } else { "*" })).is_some()
    }

    /// What to write instead of a value that this field does not have.
    fn remedy(&self, value: &str) -> FieldRemedy {
        let mut why = None;
        let mut corrected = Vec::new();
        for part in value.split(',') {
            if part.is_empty() || self.takes(part) {
                corrected.push(Some(part.to_owned()));
                continue;
            }
            let remedy = self.of_part(part);
            why.get_or_insert(remedy.why);
            corrected.push(remedy.instead);
        }
        let instead: Option<Vec<String>> = corrected.into_iter().collect();
        let instead = instead.map(|mut parts| {
            parts.dedup();
            parts
        });
        FieldRemedy { why: why.unwrap_or_else(|| self.usual()), instead: instead.map(|parts| parts.join(",")) }
    }

    /// What to write instead of a part of a list.
    fn of_part(&self, part: &str) -> FieldRemedy {
        if let Some(why) = self.foreign(part) {
            return FieldRemedy::why(why);
        }
        let plain = part.replace(';', ",").replace(['–', '—'], "-");
        if plain != part {
            let why = if part.contains(';') { "commas separate the values of a field" } else { "a range is written with a hyphen" };
            return FieldRemedy { why: why.to_owned(), instead: Some(plain).filter(|plain| self.takes(plain)) };
        }
        let number = |text: &str| text.parse::<u32>().ok();
        match part.split_once('/') {
            None => match part.strip_prefix('*') {
                Some(step) if number(step).is_some_and(|step| step > 0) => {
                    FieldRemedy::write("a step follows a slash", format!("*/{step}"))
                }
                _ => self.of_range(part, 1),
            },
            Some((_, "0")) => FieldRemedy::why("a step must be at least 1"),
            Some(("", step)) if number(step).is_some() => FieldRemedy::write("a step needs a range before it", format!("*/{step}")),
            Some((range, step)) => match number(step) {
                Some(step) => self.of_range(range, step),
                None => FieldRemedy::why("a step is a number, as in `*/5`"),
            },
        }
    }

    /// What only other crons have: L, W and # of Quartz, H of Jenkins, ~ of OpenBSD.
    fn foreign(&self, part: &str) -> Option<String> {
        let upper = part.to_uppercase();
        let random = if upper.starts_with('H') && self.names.is_empty() || upper == "H" { Some("H") } else { None };
        if let Some(random) = random.or(part.contains('~').then_some("~")) {
            let (first, last) = self.range;
            if let Some(step) = upper.strip_prefix("H/").filter(|step| step.parse::<u32>().is_ok()) {
                return Some(format!("Kubernetes does not support H: write `*/{step}` as the {}", self.name));
            }
            return Some(format!("Kubernetes does not support {random}: write a number from {first} to {last} as the {}", self.name));
        }
        if let Some((day, number)) = part.split_once('#') {
            let weekday = self.number(day).and_then(|day| WEEKDAY.names.get(usize::try_from(day % 7).ok()?));
            let weeks = number.parse::<u32>().ok().filter(|number| (1..=5).contains(number));
            let (weekday, weeks) = weekday.zip(weeks)?;
            let (first, last) = (weeks * 7 - 6, (weeks * 7).min(31));
            return Some(format!(
                "Kubernetes does not support #: run on days {first}-{last} of the month, and let the command exit unless it is a {weekday}"
            ));
        }
        let letters: String = upper.chars().filter(char::is_ascii_alphabetic).collect();
        if self.name == "day of month" && matches!(&*letters, "L" | "LW") && upper != "L" {
            return Some(format!("Kubernetes does not support {part}: run on days 25-31, and let the command exit on the other days"));
        }
        match (self.name, &*letters) {
            ("day of month", "L") => {
                Some("Kubernetes does not support L: run on days 28-31, and let the command exit unless tomorrow is the 1st".to_owned())
            }
            ("day of month", "W") => {
                Some("Kubernetes does not support W: run on the days around it, and let the command exit on the other days".to_owned())
            }
            ("day of week", text) if text.strip_suffix('L').is_some_and(|day| day.is_empty() || self.number(day).is_some()) => Some(
                "Kubernetes does not support L: run on that day each week, and let the command exit unless it is the month's last"
                    .to_owned(),
            ),
            _ => None,
        }
    }

    /// What to write instead of a number, a name or a range with this step.
    fn of_range(&self, range: &str, step: u32) -> FieldRemedy {
        let spelled: Vec<(String, Option<&str>)> = range.split('-').map(|value| self.spelled(value)).collect();
        let why = spelled.iter().find_map(|(_, why)| *why);
        let values: Vec<&str> = spelled.iter().map(|(value, _)| &**value).collect();
        let every = if step == 1 { String::new() } else { format!("/{step}") };
        let written = format!("{}{every}", values.join("-"));
        if let Some(why) = why.filter(|_| self.takes(&written)) {
            return FieldRemedy::write(why, written);
        }
        let (first, last) = self.range;
        let numbers: Option<Vec<u32>> = values.iter().map(|value| self.number(value)).collect();
        let remedy = match numbers.as_deref() {
            // What other crons call 7, or people 24: the first value once more.
            Some([number]) if *number == last + 1 && step == 1 && matches!(self.name, "hour" | "day of week") => {
                FieldRemedy::write(self.bounds_and_first(), first.to_string())
            }
            Some([low, high]) if first == 0 && *low.max(high) == last + 1 => {
                FieldRemedy::write(self.bounds_and_first(), self.past_the_end(*low, *high, step))
            }
            Some([low, high]) if low > high && (first..=last).contains(low) && (first..=last).contains(high) => {
                let one = |from: u32, to: u32| if from == to { from.to_string() } else { format!("{from}-{to}") };
                let numbers = (*low..=last).chain(first..=*high).step_by(usize::try_from(step).unwrap_or(1).max(1));
                let listed = || numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(",");
                let instead = if step == 1 { format!("{},{}", one(*low, last), one(first, *high)) } else { listed() };
                FieldRemedy::write("a range cannot wrap around", instead)
            }
            Some([_] | [_, _]) => FieldRemedy::why(self.bounds()),
            _ => FieldRemedy::why(self.usual()),
        };
        FieldRemedy { why: why.map_or(remedy.why, str::to_owned), ..remedy }
    }

    /// A range that ends, or begins, with the value after the last one, which is the first one again.
    fn past_the_end(&self, low: u32, high: u32, step: u32) -> String {
        let (first, last) = self.range;
        let every = if step == 1 { String::new() } else { format!("/{step}") };
        if low > last {
            return if high > last { first.to_string() } else { format!("{first}-{high}{every}") };
        }
        if step == 1 && low <= first + 1 {
            return format!("{first}-{last}");
        }
        let range = if low == last { low.to_string() } else { format!("{low}-{last}{every}") };
        let again = low != first && (high - low).is_multiple_of(step);
        if again { format!("{range},{first}") } else { range }
    }

    /// A value with its name as Kubernetes has it, or by a clock of 24 hours; and what was wrong with it.
    fn spelled(&self, value: &str) -> (String, Option<&'static str>) {
        let lower = value.to_lowercase();
        let half =
            [("am", 0), ("pm", 12)].into_iter().find_map(|(half, hours)| Some((lower.strip_suffix(half)?.parse::<u32>().ok()?, hours)));
        if let Some((hour, hours)) = half.filter(|(hour, _)| self.name == "hour" && (1..=12).contains(hour)) {
            return ((hour % 12 + hours).to_string(), Some("hours are 0 to 23, without am and pm"));
        }
        match self.named(&lower).filter(|_| lower.len() != 3) {
            Some(name) => (name[..3].to_owned(), Some("use three-letter names")),
            None => (value.to_owned(), None),
        }
    }

    /// The only name that begins like this, or else one that is written almost like this.
    fn named(&self, lower: &str) -> Option<&'static str> {
        let mut begin = self.names.iter().filter(|name| lower.len() > 1 && name.to_lowercase().starts_with(lower));
        let mut near: Vec<(usize, &str)> =
            self.names.iter().map(|name| (strsim::damerau_levenshtein(&name.to_lowercase(), lower), *name)).collect();
        near.retain(|(distance, _)| lower.len() > 4 && *distance <= 2);
        near.sort_unstable();
        match (begin.next(), begin.next()) {
            (Some(name), None) => Some(*name),
            (Some(_), Some(_)) => None,
            (None, _) => match near[..] {
                [(_, name)] => Some(name),
                [(nearest, name), (next, _), ..] if nearest < next => Some(name),
                _ => None,
            },
        }
    }

    /// Which numbers there are.
    fn bounds(&self) -> String {
        format!("{} are {} to {}", self.plural, self.range.0, self.range.1)
    }

    /// Which numbers there are, where one is written that is one too large.
    fn bounds_and_first(&self) -> String {
        match self.name {
            "hour" => format!("{}, and midnight is 0", self.bounds()),
            "day of week" => format!("{}, and 0 is Sunday", self.bounds()),
            _ => self.bounds(),
        }
    }

    /// How a value is usually written.
    fn usual(&self) -> String {
        let (first, last) = self.range;
        let name = self.names.get(1).map(|name| format!(", a name such as {}", &name[..3])).unwrap_or_default();
        format!("write the {} as a number from {first} to {last}{name} or `*`", self.name)
    }

    /// The number of a value.
    fn number(&self, value: &str) -> Option<u32> {
        let named = || self.names.iter().position(|name| name[..3].eq_ignore_ascii_case(value)).and_then(|place| u32::try_from(place).ok());
        value.parse().ok().or_else(|| named().map(|place| place + self.range.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fields: &str, expected: &str) {
        assert_eq!(remedy(&fields.split(' ').collect::<Vec<_>>()).map(FieldRemedy::words).unwrap_or_default(), expected, "{fields}");
    }

    #[test]
    fn the_first_field_that_is_wrong_is_named_and_all_are_corrected() {
        check("* * * * *", "");
        check("*/* 24 * * *", "a step is a number, as in `*/5`");
        check("*5 9PM * * Tues", "a step follows a slash: write `*/5 21 * * Tue`");
        check("0 24 * * L", "hours are 0 to 23, and midnight is 0");
        check("0 x * * 7", "write the hour as a number from 0 to 23 or `*`");
    }

    #[test]
    fn the_value_after_the_last_one_is_the_first() {
        let hours = "hours are 0 to 23, and midnight is 0";
        check("0 24 * * *", &format!("{hours}: write `0 0 * * *`"));
        check("0 24 * * 1", hours);
        check("0 24 31 12 *", hours);
        check("0 8-24/4 * * *", &format!("{hours}: write `0 8-23/4,0 * * *`"));
        check("0 8-24/5 * * *", &format!("{hours}: write `0 8-23/5 * * *`"));
        check("0 0-24/2 * * *", &format!("{hours}: write `0 0-23/2 * * *`"));
        check("0 24-6 * * *", &format!("{hours}: write `0 0-6 * * *`"));
        check("0-60/5 * * * *", "minutes are 0 to 59: write `0-59/5 * * * *`");
        check("60 * * * *", "minutes are 0 to 59");
        check("0 0 1 13 *", "months are 1 to 12");
    }

    #[test]
    fn days_of_the_week_that_are_counted_from_1_get_names() {
        for (numbers, names) in [
            ("1", "Sun"),
            ("2-6", "Mon-Fri"),
            ("7,2", "Sat,Mon"),
            ("2/2", "Mon/2"),
            ("6L", "FriL"),
            ("6#3", "Fri#3"),
            ("MON-FRI", "MON-FRI"),
            ("?", "?"),
            ("0-8", "0-8"),
        ] {
            assert_eq!(named_weekdays(numbers), names);
        }
    }
}
