//! Lines of the session protocol that came together: sessions know nothing of each other, so that each core takes one after the other.
//!
//! Docs: `protocol::Session`. Reading and writing is in `step/mod.rs`.

use std::sync::atomic::{AtomicUsize, Ordering};

use contract::Manager;
use protocol::Session;

/// As many sessions as there are cores.
pub(super) struct Sessions<M> {
    /// The first is the one whose lines go on.
    sessions: Vec<Session<M>>,
}

impl<M: Manager + Send> Sessions<M> {
    /// One session for each manager; at least one.
    pub(super) fn new(managers: Vec<M>) -> Self {
        Self { sessions: managers.into_iter().map(Session::new).collect() }
    }

    /// Answers lines in their order.
    pub(super) fn serve(&mut self, lines: &str) -> Vec<String> {
        let histories = histories(lines);
        let next = AtomicUsize::new(1);
        let workers = self.sessions.len().min(histories.len());
        if workers < 2 {
            return histories.into_iter().map(|history| answers(&mut self.sessions[0], history)).collect();
        }
        // The first history goes on in the first session; all others are independent, wherever they are.
        let work = |session: &mut Session<M>, first: Option<usize>| {
            let mut taken = first;
            let mut answered = Vec::new();
            while let Some(place) = taken.take().or_else(|| Some(next.fetch_add(1, Ordering::Relaxed))) {
                let Some(history) = histories.get(place) else { break };
                answered.push((place, answers(session, history)));
            }
            answered
        };
        let mut parts: Vec<Vec<(usize, String)>> = std::thread::scope(|scope| {
            let (current, others) = self.sessions[..workers].split_first_mut().expect("there are two");
            let others: Vec<_> = others.iter_mut().map(|session| scope.spawn(|| work(session, None))).collect();
            let own = work(current, Some(0));
            let others = others.into_iter().map(|worker| worker.join().expect("a session does not panic"));
            std::iter::once(own).chain(others).collect()
        });
        let last = parts.iter().position(|part| part.last().is_some_and(|(place, _)| place + 1 == histories.len()));
        self.sessions.swap(0, last.expect("somebody took the last history"));
        let mut answered: Vec<(usize, String)> = parts.drain(..).flatten().collect();
        answered.sort_by_key(|(place, _)| *place);
        answered.into_iter().map(|(_, answers)| answers).collect()
    }
}

/// Cuts lines where a session begins.
fn histories(lines: &str) -> Vec<&str> {
    let mut histories = Vec::new();
    let (mut start, mut end) = (0, 0);
    for line in lines.split_inclusive('\n') {
        if end > start && protocol::begins(line) {
            histories.push(&lines[start..end]);
            start = end;
        }
        end += line.len();
    }
    histories.push(&lines[start..]);
    histories
}

/// One line for each that is not empty.
fn answers<M: Manager>(session: &mut Session<M>, history: &str) -> String {
    let mut answers = String::with_capacity(history.len() * 4);
    for line in history.lines().filter(|line| !line.trim().is_empty()) {
        answers.push_str(&session.serve(line));
        answers.push('\n');
    }
    answers
}
