//! Work on all cores, whose results are handled in order.
//!
//! Docs: none; `jobsmith check` checks files so, and `jobsmith test` plays claims.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Works on each of `count` things, and handles the results in their order as soon as they are there, until `handle` breaks.
pub(crate) fn in_order<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync, mut handle: impl FnMut(usize, R) -> ControlFlow<()>) {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let worker = |sender: mpsc::Sender<(usize, R)>| {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count || sender.send((at, work(at))).is_err() {
                return;
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(count);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let sender = sender.clone();
            scope.spawn(|| worker(sender));
        }
        drop(sender);
        let (mut early, mut due) = (BTreeMap::new(), 0);
        for (at, result) in results {
            early.insert(at, result);
            while let Some(result) = early.remove(&due) {
                if handle(due, result).is_break() {
                    next.store(count, Ordering::Relaxed);
                    return;
                }
                due += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_until_it_is_enough() {
        let mut handled = Vec::new();
        let uneven = |at: usize| (0..if at.is_multiple_of(7) { 100_000 } else { 10 }).fold(at, |sum, number| sum ^ number ^ number);
        in_order(100, uneven, |at, result| {
            handled.push((at, result));
            if at == 60 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(handled, (0..=60).map(|at| (at, at)).collect::<Vec<_>>());
        in_order(0, uneven, |_, _| panic!("there is nothing to work on"));
    }
}
