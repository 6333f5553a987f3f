//! The figures of a run.

use std::time::Duration;

use crate::connection::Reply;

#[derive(Default)]
pub struct Run {
    latencies: Vec<Duration>,
    faults: usize,
    bytes: usize,
    pub took: Duration,
}

impl Run {
    pub fn note(&mut self, reply: &Reply) {
        self.latencies.push(reply.took);
        self.faults += usize::from(reply.status != 200);
        self.bytes += reply.bytes;
    }

    pub fn add(&mut self, other: Self) {
        self.latencies.extend(other.latencies);
        self.faults += other.faults;
        self.bytes += other.bytes;
    }

    /// Prints one line; each response covers `positions` positions.
    pub fn print(mut self, name: &str, positions: usize) {
        self.latencies.sort_unstable();
        let at = |share: f64| {
            let index = (self.latencies.len() as f64 * share) as usize;
            self.latencies
                .get(index.min(self.latencies.len().saturating_sub(1)))
                .map_or(0.0, |d| d.as_secs_f64() * 1e3)
        };
        let count = self.latencies.len() * positions;
        println!(
            "{name:31} {:>9.0}/s  {count:>8} positions  p50 {:.2} ms  p99 {:.2} ms  worst {:.1} ms  {} B each  {} faults",
            count as f64 / self.took.as_secs_f64(),
            at(0.5),
            at(0.99),
            at(1.0),
            self.bytes / count.max(1),
            self.faults,
        );
    }
}
