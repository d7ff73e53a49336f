//! The joint moves of a state, one after another.

use super::Game;

/// All the ways in which the roles to move can move together in one state, gone through in reused room.
///
/// Its places are the roles of [`Game::to_move`] in the order of their numbers; the last place changes fastest.
#[derive(Clone, Debug)]
pub struct JointMoves<M> {
    /// The legal moves of each place. Lists beyond `places` are kept for their room.
    lists: Vec<Vec<M>>,
    places: usize,
    /// The place whose move does not change.
    fixed: Option<usize>,
    picks: Vec<usize>,
    joint: Vec<M>,
    begun: bool,
    done: bool,
}

impl<M> Default for JointMoves<M> {
    fn default() -> JointMoves<M> {
        JointMoves {
            lists: Vec::new(),
            places: 0,
            fixed: None,
            picks: Vec::new(),
            joint: Vec::new(),
            begun: false,
            done: true,
        }
    }
}

impl<M: Clone> JointMoves<M> {
    /// Begins with the joint moves of a state; there are none if the game is over or the state is beyond the engine's limits.
    pub fn begin<G: Game<Move = M>>(&mut self, game: &G, state: &G::State) {
        self.places = 0;
        for role in game.to_move(state).iter() {
            if self.places == self.lists.len() {
                self.lists.push(Vec::new());
            }
            game.legal(state, role, &mut self.lists[self.places]);
            self.places += 1;
        }
        self.restart(None);
    }

    /// Begins again, and with a place and one of its moves, only through the joint moves in which it plays that one.
    pub fn restart(&mut self, fixed: Option<(usize, usize)>) {
        self.picks.clear();
        self.picks.resize(self.places, 0);
        self.fixed = fixed.map(|(place, pick)| {
            self.picks[place] = pick;
            place
        });
        self.begun = false;
        self.done = self.is_empty();
        self.joint.clear();
    }

    /// Whether the state had no joint moves.
    pub fn is_empty(&self) -> bool {
        self.places == 0 || self.lists[..self.places].iter().any(Vec::is_empty)
    }

    /// The joint move with so many others before it, from a restart without a fixed place.
    ///
    /// # Panics
    ///
    /// If there are no joint moves.
    pub fn nth(&self, mut number: u64) -> Vec<M> {
        let mut joint: Vec<M> = Vec::with_capacity(self.places);
        for list in self.lists[..self.places].iter().rev() {
            joint.push(list[(number % list.len() as u64) as usize].clone());
            number /= list.len() as u64;
        }
        joint.reverse();
        joint
    }

    /// The legal moves of a place.
    pub fn moves(&self, place: usize) -> &[M] {
        &self.lists[place]
    }

    /// The joint move that [`JointMoves::advance`] gave last.
    pub fn current(&self) -> &[M] {
        &self.joint
    }

    /// Which of its moves each place plays in it.
    pub fn picks(&self) -> &[usize] {
        &self.picks
    }

    /// The next joint move, a move for each place.
    pub fn advance(&mut self) -> Option<&[M]> {
        if self.done {
            return None;
        }
        if !self.begun {
            self.begun = true;
            self.joint.extend(self.picks.iter().zip(&self.lists).map(|(&pick, list)| list[pick].clone()));
            return Some(&self.joint);
        }
        for place in (0..self.places).rev().filter(|&place| Some(place) != self.fixed) {
            let next = self.picks[place] + 1;
            let carry = next == self.lists[place].len();
            self.picks[place] = if carry { 0 } else { next };
            self.joint[place].clone_from(&self.lists[place][self.picks[place]]);
            if !carry {
                return Some(&self.joint);
            }
        }
        self.done = true;
        None
    }
}
