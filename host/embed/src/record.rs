//! A recording of a manager's calls and results with their times, so that it can be replayed.
//!
//! Docs: `jobsmith replay --help`; `crates/component/wit/controllers.wit`, "Order and time": the same calls return the same results. The lines are those of
//! `play::recording`, where they are also read and replayed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use api::{Text, Timestamp};
use contract::{ApiResource, Event, Explanation, Malformed, Manager, ObjectRef, Plan, Wakeup};
use play::recording::{Handled, Header, Line, Planned};

use crate::Component;

/// What is recorded of a manager in this component.
///
/// # Errors
/// If the configuration is not JSON, which the component would have refused.
pub fn header(component: &Component, configuration: &str, start: Timestamp) -> serde_json::Result<Header> {
    Ok(Header {
        jobsmith: env!("CARGO_PKG_VERSION").to_owned(),
        component: component.sha256().to_owned(),
        kubernetes: component.about().kubernetes.clone(),
        configuration: serde_json::value::to_raw_value(&serde_json::from_str::<serde_json::Value>(configuration)?)?,
        start,
    })
}

/// A manager whose calls are recorded, if there is a tape for it.
///
/// Calls that can change no answer are left out: all but `handle`, `next_plan` and `restart`, and `next_plan` where nothing was handled since there
/// was no plan.
#[derive(Debug)]
pub struct Recorded<M> {
    manager: M,
    tape: Option<Tape>,
    /// Whether nothing was handled since there was no plan.
    idle: bool,
}

/// Where a recording is written to.
pub struct Tape {
    to: BufWriter<Box<dyn Write + Send>>,
}

impl std::fmt::Debug for Tape {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Tape")
    }
}

impl Tape {
    /// Begins a recording in a new file, or in place of what is in it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, header: &Header) -> io::Result<Self> {
        Self::begin(File::create(path)?, header)
    }

    /// Begins a recording.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(to: impl Write + Send + 'static, header: &Header) -> io::Result<Self> {
        let mut tape = Self { to: BufWriter::new(Box::new(to)) };
        tape.write(&Line::Recording(header.clone()))?;
        tape.to.flush()?;
        Ok(tape)
    }

    fn write(&mut self, line: &Line) -> io::Result<()> {
        serde_json::to_writer(&mut self.to, line)?;
        self.to.write_all(b"\n")
    }
}

impl<M: Manager> Recorded<M> {
    /// A manager that is recorded, if there is a tape.
    pub fn new(manager: M, tape: Option<Tape>) -> Self {
        Self { manager, tape, idle: false }
    }

    /// The manager itself, for what is not recorded: its metrics.
    pub fn manager(&mut self) -> &mut M {
        &mut self.manager
    }

    /// Writes something down. If that fails, it is logged once and the recording ends there; the manager goes on.
    fn record(&mut self, write: impl FnOnce(&mut Tape) -> io::Result<()>) {
        let Some(tape) = &mut self.tape else { return };
        if let Err(error) = write(tape) {
            tracing::error!("cannot write the recording, so it ends here: {error}");
            self.tape = None;
        }
    }
}

impl<M: Manager> Manager for Recorded<M> {
    fn resources(&mut self) -> Vec<ApiResource> {
        self.manager.resources()
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        self.idle = false;
        if self.tape.is_none() {
            return self.manager.handle(event, now);
        }
        let mut handled = Handled { at: now, event: event.clone(), malformed: None };
        let result = self.manager.handle(event, now);
        handled.malformed = result.as_ref().err().cloned();
        self.record(|tape| tape.write(&Line::Handled(handled)));
        result
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        let next = self.manager.next_plan(now);
        let known = std::mem::replace(&mut self.idle, next.is_none());
        if next.is_none() && known {
            return None;
        }
        self.record(|tape| {
            tape.write(&Line::Planned(Planned::new(now, next.as_ref())?))?;
            // A manager that has nothing to do has time for the disk.
            if next.is_none() { tape.to.flush() } else { Ok(()) }
        });
        next
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.manager.next_wakeup()
    }

    fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
        self.manager.explain(object, warnings, now)
    }

    fn restart(&mut self) {
        self.idle = false;
        self.manager.restart();
        self.record(|tape| tape.write(&Line::Restarted));
    }

    fn lost(&mut self) -> Option<String> {
        let lost = self.manager.lost()?;
        self.idle = false;
        let reason = lost.clone();
        self.record(|tape| tape.write(&Line::Lost { reason }).and_then(|()| tape.to.flush()));
        Some(lost)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use api::{Kind, Text};
    use contract::{Change, Listing, ObjectJson, Part};
    use play::recording::Lines;

    use super::*;

    /// A file in memory that has room for this many bytes.
    #[derive(Clone)]
    struct Disk(Arc<Mutex<(Vec<u8>, usize)>>);

    impl Disk {
        fn of(room: usize) -> Self {
            Self(Arc::new(Mutex::new((Vec::new(), room))))
        }

        fn content(&self) -> Vec<u8> {
            self.0.lock().unwrap().0.clone()
        }
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let (content, room) = &mut *self.0.lock().unwrap();
            if content.len() + bytes.len() > *room {
                return Err(io::ErrorKind::StorageFull.into());
            }
            content.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn recorded(disk: &Disk) -> Recorded<crate::Guest> {
        let component = crate::guest::tests::component();
        let header = header(&component, "{}", Timestamp::UNIX_EPOCH).unwrap();
        Recorded::new(crate::Guest::new(&component).unwrap(), Some(Tape::begin(disk.clone(), &header).unwrap()))
    }

    fn listed(kind: Kind) -> Event {
        Event::Listed(Listing { kind: kind.name().into(), part: Part::Whole, resource_version: "1".into(), objects: Vec::new() })
    }

    fn pod(text: &str) -> Event {
        Event::Changed(Change::Applied(ObjectJson { kind: "Pod".into(), json: text.into() }))
    }

    #[test]
    fn calls_come_back_as_they_were_made_and_those_that_change_nothing_are_left_out() {
        let disk = Disk::of(1 << 20);
        let mut manager = recorded(&disk);
        let odd = "{\"metadata\":{\"name\":\n\"a\"},\"status\":{\"phase\":1}}";
        let now = Timestamp::UNIX_EPOCH;
        for kind in Kind::ALL {
            manager.handle(listed(kind), now).unwrap();
        }
        assert!([(); 3].map(|()| manager.next_plan(now)).iter().all(Option::is_none));
        let malformed = manager.handle(pod(odd), now).unwrap_err();
        manager.next_plan(now);
        manager.restart();
        manager.next_plan(now);
        let content = disk.content();
        let lines: Vec<Line> = Lines::new(&content[..]).map(Result::unwrap).collect();
        let Line::Handled(last) = &lines[5] else { panic!("{:?}", lines[5]) };
        assert_eq!((&last.event, last.malformed.as_ref()), (&pod(odd), Some(&malformed)));
        let kinds: String = lines
            .iter()
            .map(|line| match line {
                Line::Recording(_) => 'H',
                Line::Handled(_) => 'e',
                Line::Planned(_) => 'p',
                Line::Restarted => 'r',
                Line::Lost { .. } => 'l',
            })
            .collect();
        assert_eq!(kinds, "Heeepeprp");
    }

    #[test]
    fn a_full_disk_ends_the_recording_and_not_the_manager() {
        let disk = Disk::of(1000);
        let mut manager = recorded(&disk);
        let long: Text = format!(r#"{{"metadata":{{"name":"{}"}}}}"#, "a".repeat(20_000)).into();
        for _ in 0..2 {
            manager.handle(pod(&long), Timestamp::UNIX_EPOCH).unwrap();
            manager.next_plan(Timestamp::UNIX_EPOCH);
        }
        assert!(manager.tape.is_none() && disk.content().len() <= 1000);
        for kind in Kind::ALL {
            manager.handle(listed(kind), Timestamp::UNIX_EPOCH).unwrap();
        }
        assert_eq!(manager.manager().lost(), None);
    }
}
