//! Recipes: what the turns of a piece are made of, as data.

use super::zone::{Pair, Zone};

/// How pieces of one letter move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its letter as the first player has it; [`DROP`] for pieces that are put on empty squares.
    pub letter: u8,
    /// Whose it is; both players' if nobody is named.
    pub owner: Option<usize>,
    /// A turn follows one of them.
    pub clauses: Vec<Clause>,
}

/// Where drops start.
pub const DROP: u8 = b'.';
/// A stone: nobody's, never moves, blocks its square.
pub const STONE: u8 = b'*';

/// One way to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub form: Form,
    /// The directions, as the player sees them.
    pub steps: Vec<Pair>,
    pub landing: Landing,
    /// It must start here.
    pub from: Option<Zone>,
    /// It must end here.
    pub to: Option<Zone>,
    /// What happens besides, in this order.
    pub tails: Vec<Tail>,
}

/// What may stand where the piece ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    Move,
    Capture,
    Both,
}

/// Whose pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Own,
    Enemy,
    Anyone,
}

/// The way a piece takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One step, whatever is in between.
    Leap,
    /// From `min` to `max` equal steps over empty squares.
    Ride { min: i32, max: i32 },
    /// A leap that needs the square next to the piece on its way to be empty.
    Lame,
    /// Over empty squares (none unless `far`) to a piece, and to the square just behind it.
    Hop { far: bool, over: Whose },
    /// Over empty squares, one piece and empty squares.
    Cannon,
    /// One step to an empty square, then as a rider half a right angle to the left or right. It may stop after the step
    /// if `short`.
    Bent { short: bool },
    /// Over empty squares (none unless `far`) and over a piece, which is taken, to the empty square behind it; again and
    /// again in any direction but back if `chain`.
    Locust { far: bool, chain: bool, takes: Whose },
    /// Over adjacent pieces to empty squares, again and again, never to a square twice; nothing is taken.
    HopChain { over: Whose },
    /// It and an adjacent piece change places.
    Swap { with: Whose },
    /// It goes to the square of an adjacent enemy, who is pushed on to an empty square.
    Push,
    /// It takes an enemy up to `range` steps away without moving.
    Rifle { range: i32 },
    /// It and an adjacent enemy are removed.
    Explode,
    /// A piece of this letter is put on an empty square.
    Drop { letter: u8, near: Near },
}

/// What a drop needs beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    Nothing,
    /// The lower edge of the board, or a piece just below.
    Support,
    /// A piece on one of the clause's steps.
    Beside(Whose),
}

/// What happens besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tail {
    /// It becomes another piece where it ends in the zone, if it likes to or always.
    Promote { zone: Zone, into: u8, optional: bool },
    /// A stone appears where it came from.
    Stone,
    /// A stone flies from where it ends over empty squares.
    Shoot { steps: Vec<Pair>, max: i32 },
}

impl Clause {
    /// A clause without zones and tails.
    pub fn new(form: Form, steps: Vec<Pair>, landing: Landing) -> Clause {
        Clause { form, steps, landing, from: None, to: None, tails: Vec::new() }
    }

    /// The name of its form, for tables.
    pub fn name(&self) -> &'static str {
        match self.form {
            Form::Leap if self.steps.iter().all(|s| s.0.abs().max(s.1.abs()) == 1) => "stepper",
            Form::Leap => "leaper",
            Form::Ride { min: 2, .. } => "double step",
            Form::Ride { max, .. } if max < FAR => "short rider",
            Form::Ride { .. } => "rider",
            Form::Lame => "lame leaper",
            Form::Hop { far: true, .. } => "far hopper",
            Form::Hop { far: false, .. } => "hopper",
            Form::Cannon => "cannon",
            Form::Bent { .. } => "bent rider",
            Form::Locust { chain: true, .. } => "locust chain",
            Form::Locust { far: true, .. } => "far locust",
            Form::Locust { .. } => "locust",
            Form::HopChain { .. } => "hop chain",
            Form::Swap { .. } => "swapper",
            Form::Push => "pusher",
            Form::Rifle { .. } => "rifle",
            Form::Explode => "self-removal",
            Form::Drop { near: Near::Nothing, .. } => "drop",
            Form::Drop { near: Near::Support, .. } => "drop on support",
            Form::Drop { near: Near::Beside(_), .. } => "drop beside",
        }
    }
}

/// Farther than any board reaches.
pub const FAR: i32 = 31;
