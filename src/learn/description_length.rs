//! Minimum description length (MDL): what it costs to believe that a word is legal which nobody listed.
//!
//! The learner looks for the movement H that minimises the sum of two lengths, in nats:
//!
//! * the *description* of H: for each transition its letter, one of those seen, and its target; for each state whether
//!   it accepts. If H looks the same after some turns or reflections of the board, what is the image of something else
//!   is not written down again (`Hypothesis::description_length`);
//! * the *surprise* at the records if H is right. A legal word is listed in every record that lists all moves and where
//!   its steps find what they say. So where such records disagree, H is impossible, or, if a share q of the records may
//!   be false, each disagreement costs -ln q. In a record that lists only the move played, each of the b legal moves is
//!   played with a chance of at least r/b; a word that could have been played in records with b1, b2, ... legal moves
//!   and never was costs r (1/b1 + 1/b2 + ...), the negative logarithm of the chance of that. A word that was never
//!   possible costs nothing, and so the shorter description decides there.
//!
//! The number of legal moves b is counted with the words known so far, and then again with the movements learnt from
//! that. The rate r says how evenly the players play: 1 if every move is as likely as any other. It is estimated, for
//! each kind of word (what it ends on, one step or more) as plays over expected plays, and over all words as the ratio
//! that nine tenths of the expected plays surpass; the least of the two counts, but never less than the floor, an
//! option: players who like some moves better make the learner slower, not wrong, as long as they play each legal kind
//! of move at least so often.

use super::samples::{Opportunities, WordCount};
use crate::rules::{Landing, Seen, Symbol, Taken};

/// The share of false records that is assumed where records contradict each other and nobody said how many are false.
pub(super) const ASSUMED_NOISE: f64 = 0.01;

/// How records are believed: the likelihood of what was listed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DescriptionLength {
    /// How much less often than its share a legal move of each kind of word may be played.
    pub rates: [f64; WORD_KINDS],
    /// The share of false records; nothing if all are true.
    pub noise: f64,
    /// Whether listed words are believed even if they were listed less often than not.
    pub keeps_all: bool,
}

/// Kinds of words by what they end on, and by whether they have more than one letter.
pub(super) const WORD_KINDS: usize = 12;

/// What was played so rarely that chance explains it only so badly, in nats, is no accident.
pub(super) const NO_ACCIDENT: f64 = 10.0;

/// The kind of a word that ends with a letter.
pub(super) fn word_kind(last: Symbol, single: bool) -> usize {
    let end = match last {
        Symbol::Step { landing: Landing::On(Seen::Empty), .. } => 0,
        Symbol::Step { landing: Landing::On(Seen::Own), .. } => 1,
        Symbol::Step { landing: Landing::On(Seen::Enemy), .. } => 2,
        Symbol::Step { landing: Landing::Take(Taken::Own), .. } => 3,
        Symbol::Step { landing: Landing::Take(_), .. } => 4,
        _ => 5,
    };
    2 * end + usize::from(!single)
}

/// The share of expected plays that the evenness of play may leave below it.
const UNEVEN: f64 = 0.1;

/// How evenly the players play: for every word that was played, its kind, how often it was, and how often it was
/// expected.
pub(super) fn rates(words: &[(usize, f64, f64)], floor: f64) -> [f64; WORD_KINDS] {
    let mut sums = [(1.0, 1.0); WORD_KINDS];
    for &(kind, played, expected) in words {
        sums[kind].0 += played;
        sums[kind].1 += expected;
    }
    let mut ratios: Vec<(f64, f64)> =
        words.iter().map(|&(_, played, expected)| ((played + 1.0) / (expected + 1.0), expected)).collect();
    ratios.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let whole: f64 = ratios.iter().map(|ratio| ratio.1).sum();
    let mut below = 0.0;
    let even = ratios.iter().find(|ratio| {
        below += ratio.1;
        below >= UNEVEN * whole
    });
    let even = even.map_or(1.0, |ratio| ratio.0);
    sums.map(|(played, expected)| (played / expected).min(even).clamp(floor, 1.0))
}

impl DescriptionLength {
    /// All records are true.
    pub fn exact(rates: [f64; WORD_KINDS]) -> DescriptionLength {
        DescriptionLength { rates, noise: 0.0, keeps_all: true }
    }

    /// A share of the records may be false.
    pub fn noisy(rates: [f64; WORD_KINDS], noise: f64) -> DescriptionLength {
        DescriptionLength { rates, noise, keeps_all: noise == 0.0 }
    }

    /// Records contradict each other although nobody said that any is false: something that is not seen decides, so
    /// every word is believed that was listed more often than by a slip.
    pub fn contradictory(rates: [f64; WORD_KINDS]) -> DescriptionLength {
        DescriptionLength { rates, noise: ASSUMED_NOISE, keeps_all: true }
    }

    /// What one false record costs.
    fn disagreement(&self) -> f64 {
        if self.noise > 0.0 { -self.noise.ln() } else { f64::INFINITY }
    }

    /// Whether a listed word is believed to be legal. Where records may be false, it must have been listed more often
    /// than not where all legal moves are, elsewhere so often that false records do not explain it, and in all so often
    /// that believing it is worth its description; rarer words may still follow from the others.
    pub fn keeps(&self, kind: usize, count: WordCount, opportunities: Opportunities, description: f64) -> bool {
        if self.noise == 0.0 {
            return true;
        }
        if self.keeps_all {
            // What is listed hardly ever is a slip of whoever wrote the records.
            return opportunities.all == 0 || count.all as f64 > 2.0 * self.noise * opportunities.all as f64;
        }
        let rate = self.rates[kind];
        let played = count.some as f64 * (rate / self.noise).ln() > (rate - self.noise) * opportunities.expected;
        let listed = opportunities.all == 0 || 2 * count.all > opportunities.all;
        listed && (count.all > 0 || played) && self.cost_of_dropped(count) > description
    }

    /// What it costs that a kept word was not listed everywhere.
    pub fn cost_of_kept(&self, count: WordCount, opportunities: Opportunities) -> f64 {
        let misses = opportunities.all.saturating_sub(count.all);
        if misses == 0 { 0.0 } else { misses as f64 * self.disagreement() }
    }

    /// What it costs that a listed word is not believed.
    pub fn cost_of_dropped(&self, count: WordCount) -> f64 {
        (count.all + count.some) as f64 * self.disagreement()
    }

    /// What it costs more to believe that a word is legal which is not kept than not to believe it.
    pub fn cost(&self, kind: usize, count: WordCount, opportunities: Opportunities) -> f64 {
        let misses = opportunities.all.saturating_sub(2 * count.all);
        let all = if misses == 0 { 0.0 } else { misses as f64 * self.disagreement() };
        all + (self.rates[kind] * opportunities.expected - count.some as f64 * self.disagreement().min(MOST)).max(0.0)
    }
}

/// More than any word costs.
const MOST: f64 = 1e9;
