//! What is valid in a schedule and seldom meant: each minute of some hours, and steps that start again before they have gone round.
//!
//! Docs: CronJob, "Schedule syntax" (C-53). What a schedule means, in words, is in `words.rs`; what is not valid, in `remedies/`.

/// A field that is counted in steps.
struct SteppedField {
    name: &'static str,
    /// What the field's values are part of.
    whole: &'static str,
    /// The least number, and the greatest one.
    range: (u32, u32),
    /// How long a value is, as `@every` has it, and in words.
    unit: Option<(u32, &'static str, &'static str)>,
}

const ALL: [SteppedField; 5] = [
    SteppedField { name: "minute", whole: "hour", range: (0, 59), unit: Some((1, "m", "minutes")) },
    SteppedField { name: "hour", whole: "day", range: (0, 23), unit: Some((1, "h", "hours")) },
    SteppedField { name: "day of month", whole: "month", range: (1, 31), unit: Some((24, "h", "days")) },
    SteppedField { name: "month", whole: "year", range: (1, 12), unit: None },
    SteppedField { name: "day of week", whole: "week", range: (0, 6), unit: Some((24, "h", "days")) },
];

/// A step that starts again before it has gone round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnevenStep {
    /// What it does, without the end of the sentence.
    pub message: String,
    /// What to write instead, if a length of time can stand for it; without the end of the sentence, too.
    pub remedy: Option<String>,
}

/// What surprises people about a valid schedule, a sentence each.
#[must_use]
pub fn surprises(text: &str) -> Vec<String> {
    each_minute(text).into_iter().chain(uneven_steps(text).iter().map(UnevenStep::sentence)).collect()
}

/// The steps of a schedule that start again before they have gone round.
#[must_use]
pub fn uneven_steps(text: &str) -> Vec<UnevenStep> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() != ALL.len() {
        return Vec::new();
    }
    let stars = |fields: &[&str]| fields.iter().all(|field| matches!(*field, "*" | "?"));
    let steps = ALL.iter().enumerate().filter_map(|(place, field)| {
        let before = fields[..place].iter().all(|field| field.parse::<u32>().is_ok());
        field.steps(fields[place], before && stars(&fields[place + 1..]))
    });
    steps.collect()
}

/// The schedule that runs once an hour, if this one has a star for the minutes where the hours are chosen one by one.
#[must_use]
pub fn once_an_hour(text: &str) -> Option<String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [minute, hour, days @ ..] = &fields[..] else { return None };
    let each = matches!(*minute, "*" | "?" | "*/1") && !matches!(*hour, "*" | "?" | "*/1") && !hour.contains('-');
    (each && fields.len() == ALL.len()).then(|| format!("0 {hour} {}", days.join(" ")))
}

fn each_minute(text: &str) -> Option<String> {
    let (meant, minute) = (once_an_hour(text)?, text.split_whitespace().next()?);
    Some(format!("With `{minute}` as the minute, it runs every minute of each matching hour; to run once an hour, write `{meant}`."))
}

impl UnevenStep {
    fn sentence(&self) -> String {
        self.remedy.as_ref().map_or_else(|| format!("{}.", self.message), |remedy| format!("{}; {remedy}.", self.message))
    }
}

impl SteppedField {
    /// What is surprising about a step over all values; `alone`: nothing else is chosen that a length of time could not stand for.
    fn steps(&self, value: &str, alone: bool) -> Option<UnevenStep> {
        let Self { name, whole, range: (first, last), unit } = self;
        let (range, step) = value.split_once('/')?;
        let all = matches!(range, "*" | "?") || range == first.to_string() || range == format!("{first}-{last}");
        let (step, values) = (step.parse::<u32>().ok().filter(|step| all && *step > 0)?, last - first + 1);
        let remedy = unit.filter(|_| alone).map(|(length, letter, plural)| {
            let length = step.saturating_mul(length);
            format!("to run every {step} {plural}, write `@every {length}{letter}`, which counts from the last run")
        });
        let once = format!("`{value}` as the {name} matches only {first}, once each {whole}");
        if step == values && *name != "day of month" {
            return Some(UnevenStep { message: once, remedy: None });
        }
        if step >= values {
            return Some(UnevenStep { message: format!("{once}, because a step never crosses into the next one"), remedy });
        }
        let plural = unit.map_or("months", |(_, _, plural)| plural);
        // Months differ in length.
        let end = match values % step {
            _ if step == 1 => return None,
            _ if *name == "day of month" => "so that the last interval of a month can be shorter".to_owned(),
            0 => return None,
            1 => format!("so that the last interval of each {whole} is 1 {}", plural.trim_end_matches('s')),
            rest => format!("so that the last interval of each {whole} is {rest} {plural}"),
        };
        Some(UnevenStep { message: format!("`{value}` as the {name} starts again at {first} each {whole}, {end}"), remedy })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn what_is_seldom_meant_is_named() {
        let schedules = [
            "* */3 * * *",
            "* 3 * * 1",
            "*/48 * * * *",
            "*/90 * * * *",
            "*/60 * * * *",
            "0 */24 * * *",
            "0 */36 * * *",
            "0 */7 * * *",
            "0-59/7 9 * * *",
            "30 2 */2 * *",
            "0 0 */31 * *",
            "0 0 * * */2",
            "0 0 * * */7",
            "0 0 1 */5 *",
            "0 0 1 */11 *",
        ];
        let found: String = schedules.iter().map(|text| format!("{text}: {}\n", surprises(text).join(" "))).collect();
        expect![[r#"
            * */3 * * *: With `*` as the minute, it runs every minute of each matching hour; to run once an hour, write `0 */3 * * *`.
            * 3 * * 1: With `*` as the minute, it runs every minute of each matching hour; to run once an hour, write `0 3 * * 1`.
            */48 * * * *: `*/48` as the minute starts again at 0 each hour, so that the last interval of each hour is 12 minutes; to run every 48 minutes, write `@every 48m`, which counts from the last run.
            */90 * * * *: `*/90` as the minute matches only 0, once each hour, because a step never crosses into the next one; to run every 90 minutes, write `@every 90m`, which counts from the last run.
            */60 * * * *: `*/60` as the minute matches only 0, once each hour.
            0 */24 * * *: `*/24` as the hour matches only 0, once each day.
            0 */36 * * *: `*/36` as the hour matches only 0, once each day, because a step never crosses into the next one; to run every 36 hours, write `@every 36h`, which counts from the last run.
            0 */7 * * *: `*/7` as the hour starts again at 0 each day, so that the last interval of each day is 3 hours; to run every 7 hours, write `@every 7h`, which counts from the last run.
            0-59/7 9 * * *: `0-59/7` as the minute starts again at 0 each hour, so that the last interval of each hour is 4 minutes.
            30 2 */2 * *: `*/2` as the day of month starts again at 1 each month, so that the last interval of a month can be shorter; to run every 2 days, write `@every 48h`, which counts from the last run.
            0 0 */31 * *: `*/31` as the day of month matches only 1, once each month, because a step never crosses into the next one; to run every 31 days, write `@every 744h`, which counts from the last run.
            0 0 * * */2: `*/2` as the day of week starts again at 0 each week, so that the last interval of each week is 1 day.
            0 0 * * */7: `*/7` as the day of week matches only 0, once each week.
            0 0 1 */5 *: `*/5` as the month starts again at 1 each year, so that the last interval of each year is 2 months.
            0 0 1 */11 *: `*/11` as the month starts again at 1 each year, so that the last interval of each year is 1 month.
        "#]].assert_eq(&found);
        let plain = [
            "* * * * *",
            "*/5 * * * *",
            "0 */6 * * *",
            "* 9-17 * * *",
            "0 9-17/3 * * *",
            "5/20 * * * *",
            "0 0 1 */3 *",
            "@daily",
            "@every 7m",
        ];
        for text in plain {
            assert_eq!(surprises(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_is_proposed_is_a_schedule() {
        for text in ["* */3 * * *", "*/48 * * * *", "*/90 * * * *", "0 */7 * * *", "0 0 */2 * *"] {
            let surprise = surprises(text).join(" ");
            let proposed = surprise.split('`').rfind(|quoted| quoted.contains(' ') && (quoted.starts_with(['@', '0']))).unwrap();
            assert!(crate::Schedule::parse(proposed, &crate::Zone::utc()).is_ok(), "{text}: {surprise}");
        }
    }
}
