//! When to stop thinking.

use std::time::Duration;

/// Every answer leaves at least this long before a clock runs out.
pub const LEAST_MARGIN: Duration = Duration::from_millis(500);
/// The way through a busy machine and the network takes a little too.
const WAY: Duration = Duration::from_millis(50);
/// How long after thinking should have ended an answer leaves in any case.
const GRACE: Duration = Duration::from_millis(150);

/// How long before the clock runs out thinking ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin(pub Duration);

impl Margin {
    /// How long to think where a clock of this length runs.
    ///
    /// That is all but the margin; where little or nothing would be left, a good half of what can be used at all.
    pub fn think(self, clock: Duration) -> Duration {
        let latest = latest(clock);
        let half = latest.mul_f64(0.6);
        clock.saturating_sub(self.0).min(latest.saturating_sub(GRACE)).max(half)
    }

    /// When the answer leaves in any case.
    pub fn answer(self, clock: Duration) -> Duration {
        (self.think(clock) + GRACE).min(latest(clock))
    }
}

fn latest(clock: Duration) -> Duration {
    clock.saturating_sub(LEAST_MARGIN + WAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_leave_in_time() {
        for margin in [500, 1000, 3000, 60_000] {
            let margin = Margin(Duration::from_millis(margin));
            for clock in [0, 1, 2, 3, 5, 10, 60, 3600] {
                let clock = Duration::from_secs(clock);
                let (think, answer) = (margin.think(clock), margin.answer(clock));
                assert!(answer + LEAST_MARGIN <= clock || answer.is_zero(), "{margin:?} {clock:?} {answer:?}");
                assert!(clock.is_zero() || !think.is_zero(), "{margin:?} {clock:?}");
            }
        }
        let usual = Margin(Duration::from_secs(1));
        assert_eq!([1, 2, 10].map(|s| usual.think(Duration::from_secs(s)).as_millis()), [270, 1000, 9000]);
    }
}
