//! Proofs of combinations: who moves where, and why each reply loses.
//!
//! A proof is a tree over the arguments of its rule. The attacker plays a square; for each reply that is listed there is a proof of its own, and
//! one for all other replies. The leaves are moves that win at once. [`super::check_rule`] re-verifies it for every state that the rule describes.

use super::language::{Argument, Bindings, Variable, map_argument};

/// Why a state is won for the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Proof {
    /// This move wins at once.
    Win(Argument),
    /// Some move wins at once, whatever the reply was: one of these, or else any other. What a reply that leaves the king in check loses to.
    AtOnce(Vec<Argument>),
    /// This move wins against every reply.
    Play {
        /// The move.
        square: Argument,
        /// Replies that need an answer of their own.
        replies: Vec<(Argument, Proof)>,
        /// The answer to all other replies.
        otherwise: Option<Box<Proof>>,
    },
}

impl Proof {
    /// The first move, if the proof names one.
    pub fn square(&self) -> Option<Argument> {
        match self {
            Proof::Win(square) | Proof::Play { square, .. } => Some(*square),
            Proof::AtOnce(_) => None,
        }
    }

    /// The first moves that the proof names.
    fn first_moves(&self) -> &[Argument] {
        match self {
            Proof::Win(square) | Proof::Play { square, .. } => std::slice::from_ref(square),
            Proof::AtOnce(squares) => squares,
        }
    }

    /// Whether the first move threatens no immediate win, so that any reply may matter.
    pub fn is_quiet(&self) -> bool {
        match self {
            Proof::Win(_) | Proof::AtOnce(_) => false,
            Proof::Play { otherwise, .. } => !matches!(otherwise.as_deref(), Some(Proof::Win(_) | Proof::AtOnce(_))),
        }
    }

    /// How many moves of the attacker it takes at most.
    pub fn depth(&self) -> u32 {
        match self {
            Proof::Win(_) | Proof::AtOnce(_) => 1,
            Proof::Play { replies, otherwise, .. } => {
                let replies = replies.iter().map(|(_, proof)| proof);
                1 + replies.chain(otherwise.as_deref()).map(Proof::depth).max().unwrap_or(0)
            }
        }
    }

    /// The proof with every variable replaced as `change` says.
    #[must_use]
    pub fn map(&self, change: &mut impl FnMut(Variable) -> Argument) -> Proof {
        match self {
            Proof::Win(square) => Proof::Win(map_argument(*square, change)),
            Proof::AtOnce(squares) => {
                Proof::AtOnce(squares.iter().map(|&square| map_argument(square, change)).collect())
            }
            Proof::Play { square, replies, otherwise } => Proof::Play {
                square: map_argument(*square, change),
                replies: replies
                    .iter()
                    .map(|(reply, proof)| (map_argument(*reply, change), proof.map(change)))
                    .collect(),
                otherwise: otherwise.as_ref().map(|proof| Box::new(proof.map(change))),
            },
        }
    }

    /// The proof for what the variables stand for.
    #[must_use]
    pub fn ground(&self, bindings: &Bindings) -> Proof {
        self.map(&mut |variable| bindings.get(variable).map_or(Argument::Variable(variable), Argument::Object))
    }

    /// All arguments in it, each once, in order.
    pub fn arguments(&self) -> Vec<Argument> {
        fn collect(proof: &Proof, found: &mut Vec<Argument>) {
            let mut add = |argument: Argument| {
                if !found.contains(&argument) {
                    found.push(argument);
                }
            };
            proof.first_moves().iter().for_each(|&square| add(square));
            if let Proof::Play { replies, otherwise, .. } = proof {
                replies.iter().for_each(|(reply, _)| add(*reply));
                replies
                    .iter()
                    .map(|(_, proof)| proof)
                    .chain(otherwise.as_deref())
                    .for_each(|proof| collect(proof, found));
            }
        }
        let mut found = Vec::new();
        collect(self, &mut found);
        found
    }

    /// The squares that the attacker may come to play on: whoever takes one of them may parry.
    pub fn moves(&self) -> Vec<Argument> {
        fn collect(proof: &Proof, found: &mut Vec<Argument>) {
            for square in proof.first_moves() {
                if !found.contains(square) {
                    found.push(*square);
                }
            }
            if let Proof::Play { replies, otherwise, .. } = proof {
                replies
                    .iter()
                    .map(|(_, proof)| proof)
                    .chain(otherwise.as_deref())
                    .for_each(|proof| collect(proof, found));
            }
        }
        let mut found = Vec::new();
        collect(self, &mut found);
        found
    }
}
