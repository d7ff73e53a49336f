//! The trees that a player thinks with: of the game itself, or of rules on a board that were learnt from its sheet and run faster.

use super::{Choice, Forest, Tree, TreeOptions};
use crate::game::{Chance, Game, Role, RulesGame};
use crate::relearn::{MovePair, SheetTwin};
use crate::rules::State;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Trees of a game's states that may grow in the rules that were learnt from its sheet. Whichever it is, states and moves are the game's.
///
/// The moves of each state that is asked about are compared with those of the game. Where they differ, the trees are given up for trees of the game
/// itself: so a choice is always legal there.
///
/// ```
/// use onlooker::game::{Chance, Game, Role, catalogue_game};
/// use onlooker::play::{TreeOptions, Trees};
/// use std::sync::{Arc, atomic::AtomicBool};
///
/// let game = Arc::new(catalogue_game("connect-four").expect("a game of the catalogue"));
/// let mut trees = Trees::new(Arc::clone(&game), game.start(), Role(0), TreeOptions::default(), 1);
/// trees.grow(500, &mut Chance::new(1), &AtomicBool::new(false));
/// assert!(trees.choice(&mut Chance::new(1)).is_some() && trees.rules().is_none());
/// ```
pub struct Trees<G: Game, R: Deref<Target = G> = Arc<G>> {
    game: R,
    role: Role,
    /// How trees of the game itself are grown, and how many.
    options: TreeOptions<G>,
    number: usize,
    grown: Grown<G, R>,
}

enum Grown<G: Game, R: Deref<Target = G>> {
    InGame(Forest<G, R>),
    InRules(Box<InRules<G>>),
}

/// Trees that grow in the rules, and what they stand for.
struct InRules<G: Game> {
    twin: Arc<SheetTwin>,
    forest: Forest<RulesGame>,
    /// The game's state at the roots.
    state: G::State,
    /// How many turns were played, if that is known.
    plies: Option<u32>,
    pairs: Vec<MovePair<G::Move>>,
}

impl<G: Game, R: Deref<Target = G> + Clone + Send> Trees<G, R> {
    /// So many trees of the game's state.
    pub fn new(game: R, state: G::State, role: Role, options: TreeOptions<G>, number: usize) -> Trees<G, R> {
        let grown = Grown::InGame(Forest::new(game.clone(), state, role, &options, number));
        Trees { game, role, options, number, grown }
    }

    /// The same trees in the rules of a twin, after so many turns, if that is known; these trees of the game if its state is not found in the rules.
    pub fn in_rules(self, twin: &Arc<SheetTwin>, plies: Option<u32>, options: &TreeOptions<RulesGame>) -> Trees<G, R> {
        let state = self.state().clone();
        let found = twin.role(self.role).zip(find(&*self.game, twin, &state, plies));
        let Some((role, (own, pairs))) = found else { return self };
        let forest = Forest::new(Arc::clone(twin.rules()), own, role, options, self.number);
        let twin = Arc::clone(twin);
        Trees { grown: Grown::InRules(Box::new(InRules { twin, forest, state, plies, pairs })), ..self }
    }

    /// The rules that the trees grow in, if they are not the game itself.
    pub fn rules(&self) -> Option<&RulesGame> {
        match &self.grown {
            Grown::InGame(_) => None,
            Grown::InRules(own) => Some(own.twin.rules()),
        }
    }

    /// The state at the roots.
    pub fn state(&self) -> &G::State {
        match &self.grown {
            Grown::InGame(forest) => forest.state(),
            Grown::InRules(own) => &own.state,
        }
    }

    /// Whether more playouts would change nothing.
    pub fn is_settled(&self) -> bool {
        match &self.grown {
            Grown::InGame(forest) => forest.is_settled(),
            Grown::InRules(own) => own.forest.is_settled(),
        }
    }

    /// Whether in all that was seen one of two moved at a time, and what was good for one was bad for the other.
    pub fn is_opposed(&self) -> bool {
        fn of<G: Game, R: Deref<Target = G> + Clone>(tree: &Tree<G, R>) -> bool {
            tree.is_constant_sum() && tree.is_by_turns()
        }
        match &self.grown {
            Grown::InGame(forest) => of(forest.first()),
            Grown::InRules(own) => of(own.forest.first()),
        }
    }

    /// Adds up to so many playouts to each tree; returns how many there were together.
    pub fn grow(&mut self, playouts: u64, chance: &mut Chance, stop: &AtomicBool) -> u64 {
        match &mut self.grown {
            Grown::InGame(forest) => forest.grow(playouts, chance, stop),
            Grown::InRules(own) => own.forest.grow(playouts, chance, stop),
        }
    }

    /// Plays a joint move at the roots.
    pub fn play(&mut self, joint: &[G::Move]) {
        let own = match &mut self.grown {
            Grown::InGame(forest) => return forest.play(joint),
            Grown::InRules(own) => own,
        };
        if !own.play(&*self.game, joint) {
            let forest = Forest::new(self.game.clone(), own.state.clone(), self.role, &self.options, self.number);
            self.grown = Grown::InGame(forest);
        }
    }

    /// The move to play. What was found out in rules is never called certain, since they were learnt.
    pub fn choice(&self, chance: &mut Chance) -> Option<Choice<G::Move>> {
        match &self.grown {
            Grown::InGame(forest) => forest.choice(chance),
            Grown::InRules(own) => {
                let choice = own.forest.choice(chance)?;
                let place = self.game.to_move(&own.state).iter().position(|role| role == self.role)?;
                let pair = own.pairs.iter().find(|pair| pair.own == choice.pick)?;
                Some(Choice {
                    pick: pair.sheet[place].clone(),
                    value: choice.value,
                    nodes: choice.nodes,
                    depth: choice.depth,
                    playouts: choice.playouts,
                    proved: false,
                    truncated: choice.truncated,
                })
            }
        }
    }

    /// What is expected to be played, at most so many joint moves.
    pub fn line(&self, most: usize) -> Vec<Vec<G::Move>> {
        match &self.grown {
            Grown::InGame(forest) => forest.first().line(most),
            Grown::InRules(own) => own.line(&*self.game, most),
        }
    }
}

impl<G: Game> InRules<G> {
    /// Plays a joint move of the game; `false` if what it leads to is not found in the rules.
    fn play(&mut self, game: &G, joint: &[G::Move]) -> bool {
        game.play(&mut self.state, joint);
        self.plies = self.plies.map(|plies| plies + 1);
        let Some((own, pairs)) = find(game, &self.twin, &self.state, self.plies) else { return false };
        let rules = self.twin.rules();
        // Another move of the game may do the same, so that the states are compared.
        let leads_there = |pair: &&MovePair<G::Move>| {
            let mut next = self.forest.state().clone();
            rules.play(&mut next, std::slice::from_ref(&pair.own));
            next == own
        };
        let Some(played) = self.pairs.iter().find(leads_there) else { return false };
        self.forest.play(std::slice::from_ref(&played.own));
        self.pairs = pairs;
        true
    }

    fn line(&self, game: &G, most: usize) -> Vec<Vec<G::Move>> {
        let (mut state, mut own, mut pairs) = (self.state.clone(), self.forest.state().clone(), self.pairs.clone());
        let mut line = Vec::new();
        for joint in self.forest.first().line(most) {
            let Some(pair) = pairs.into_iter().find(|pair| joint[..] == [pair.own.clone()]) else { break };
            game.play(&mut state, &pair.sheet);
            self.twin.rules().play(&mut own, &joint);
            line.push(pair.sheet);
            let Some(next) = self.twin.pairs(game, &state, &own) else { break };
            pairs = next;
        }
        line
    }
}

/// A state of the game in the rules, with its moves. Where nobody knows how many turns were played, whoever has the same moves is to move.
fn find<G: Game>(
    game: &G,
    twin: &SheetTwin,
    state: &G::State,
    plies: Option<u32>,
) -> Option<(State, Vec<MovePair<G::Move>>)> {
    let movers: Vec<Role> = plies.map_or_else(|| game.to_move(state).iter().collect(), |plies| vec![twin.mover(plies)]);
    movers.into_iter().find_map(|mover| {
        let own = twin.state(game, state, mover, plies)?;
        let pairs = twin.pairs(game, state, &own)?;
        Some((own, pairs))
    })
}
