//! A trial of join orders: provers of the same sheet with different join orders walk through the same states, and the one that
//! does so with the least work is kept.

use super::prover::{Allowance, MOST_WORK, Prover};
use super::{Term, TooLarge};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The trial is over when a runner has passed so many states, or when all have done so much work and one has passed a state.
const STATES: u64 = 100;
const ENOUGH: u64 = 50_000;
/// How much work a runner may first spend on a state, and how many times as much when that was too little.
const FIRST_TRY: u64 = 5_000;
const GROWTH: u64 = 4;

struct Runner {
    prover: Prover,
    facts: Arc<[Term]>,
    /// How many states it has passed, and how much work it has done.
    states: u64,
    spent: u64,
    /// How much it may do for the state it is at.
    most: u64,
}

/// The fastest engine. They take turns, so that a slow one costs no more than a fast one.
pub(super) fn fastest<const N: usize>(
    plains: [Result<Prover, TooLarge>; N],
    stop: &AtomicBool,
) -> Result<Prover, TooLarge> {
    let mut trouble = TooLarge::Work(MOST_WORK);
    let mut runners = Vec::new();
    for prover in plains {
        match prover {
            Ok(prover) => {
                let facts = prover.start().into();
                runners.push(Runner { prover, facts, states: 0, spent: 0, most: FIRST_TRY });
            }
            Err(error) => trouble = error,
        }
    }
    loop {
        let Some(behind) = (0..runners.len()).min_by_key(|&number| runners[number].spent) else { return Err(trouble) };
        let ahead = (0..runners.len()).max_by_key(|&number| runners[number].states).unwrap_or(behind);
        let is_over = runners[behind].spent >= ENOUGH && runners[ahead].states > 0;
        if is_over || runners[ahead].states >= STATES {
            return Ok(runners.swap_remove(ahead).finish());
        }
        match runners[behind].step(stop) {
            Ok(true) => {}
            Ok(false) => return Ok(runners.swap_remove(behind).finish()),
            Err(TooLarge::Work(_)) if runners[behind].spent < MOST_WORK => {}
            Err(TooLarge::Stopped) => return Err(TooLarge::Stopped),
            // The game grows without end: all come to this state, and what lies before it can be played.
            Err(TooLarge::TermLength(_) | TooLarge::TermDepth(_) | TooLarge::State(_))
                if runners[behind].states > 0 =>
            {
                return Ok(runners.swap_remove(behind).finish());
            }
            Err(error) => {
                trouble = error;
                runners.swap_remove(behind);
            }
        }
    }
}

impl Runner {
    fn finish(mut self) -> Prover {
        self.prover.work_of_a_state = self.spent / self.states.max(1);
        self.prover
    }

    /// Goes on to the next state; `false` if the game is over. Moves are any that all runners choose alike.
    fn step(&mut self, stop: &AtomicBool) -> Result<bool, TooLarge> {
        let mut allowance = Allowance { left: self.most, stop };
        let followed = self.follow(&mut allowance);
        self.spent += self.most - allowance.left;
        match followed {
            Ok(facts) => {
                let Some(facts) = facts else { return Ok(false) };
                self.facts = facts.into();
                self.states += 1;
                self.most = FIRST_TRY;
                Ok(true)
            }
            Err(error) => {
                self.spent += allowance.left;
                self.most = (self.most * GROWTH).min(MOST_WORK);
                Err(error)
            }
        }
    }

    fn follow(&self, allowance: &mut Allowance) -> Result<Option<Vec<Term>>, TooLarge> {
        let view = self.prover.view_within(&self.facts, allowance)?;
        if view.terminal || view.legal.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        let choose = |(role, moves): (u64, &Vec<Term>)| {
            let number = (self.states + 1).wrapping_mul(role + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            moves[number as usize % moves.len()].clone()
        };
        let joint: Vec<Term> = (0..).zip(&view.legal).map(choose).collect();
        self.prover.next_within(&self.facts, &joint, allowance).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::gdl;
    use crate::gdl::Program;
    use crate::rules::Rules;

    /// How much work the first state is.
    fn work(text: &str) -> u64 {
        let prover = Prover::new(Arc::new(Program::read(text).unwrap())).unwrap();
        let mut allowance = Allowance { left: MOST_WORK, stop: &AtomicBool::new(false) };
        let view = prover.view_within(&prover.start().into(), &mut allowance).unwrap();
        assert!(!view.legal[0].is_empty());
        MOST_WORK - allowance.left
    }

    #[test]
    fn neither_order_has_to_be_good_everywhere() {
        // As it is written, 216000 ways are tried.
        let digits: String = (0..60).map(|digit| format!("(d {digit})")).collect();
        let written_badly = format!(
            "{digits} (role a) (init (only 1 2 3)) (goal a 0) (<= (next ?x) (true ?x)) (<= terminal (true over)) \
             (<= (legal a (go ?x ?y ?z)) (d ?x) (d ?y) (d ?z) (true (only ?x ?y ?z)))"
        );
        assert!(work(&written_badly) < 1_000);
        // Paths of the pieces seem to be ever more the longer they are, as long as it is not known how few squares are free.
        let rules = Rules::parse(
            "game g\nplayers white black\nboard\n  PQpq\n  ..#.\n  *...\nmoves\n  P  ((-1 0 take:q) (-1 1 take:\"*\"))* | \
             ((1 -1 take:own) leap 1,2(take:own))* put:q leap 1,2(empty | enemy)+\n\
             ending\n  win when the next player cannot move\n",
        );
        assert!(work(&gdl(&rules.unwrap()).unwrap()) < 100_000);
    }
}
