//! Several trees of one state that grow at the same time, one a thread, and choose together (root parallelism, Cazenave and Jouandeau 2007).

use super::{Choice, Tree, TreeOptions};
use crate::game::{Chance, Game, Role};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Trees that were grown apart from each other. With one, all is as with a [`Tree`]; for a number of playouts without a stop, the same
/// chance gives the same choice, whichever thread is faster.
///
/// ```
/// use onlooker::game::{Chance, Game, Role, catalogue_game};
/// use onlooker::play::{Forest, TreeOptions};
/// use std::sync::{Arc, atomic::AtomicBool};
///
/// let game = Arc::new(catalogue_game("connect-four").expect("a game of the catalogue"));
/// let mut forest = Forest::new(Arc::clone(&game), game.start(), Role(0), &TreeOptions::default(), 2);
/// assert_eq!(forest.grow(500, &mut Chance::new(1), &AtomicBool::new(false)), 1000);
/// assert!(forest.choice(&mut Chance::new(1)).is_some());
/// ```
pub struct Forest<G: Game, R: Deref<Target = G> = Arc<G>> {
    trees: Vec<Tree<G, R>>,
}

impl<G: Game, R: Deref<Target = G> + Clone + Send> Forest<G, R> {
    /// So many trees of one node, at least one. The room that the options give is shared out among them.
    pub fn new(game: R, state: G::State, role: Role, options: &TreeOptions<G>, trees: usize) -> Forest<G, R> {
        let trees = trees.max(1);
        let options = TreeOptions { room: options.room / trees, ..options.clone() };
        let tree = |_| Tree::with_options(game.clone(), state.clone(), role, options.clone());
        Forest { trees: (0..trees).map(tree).collect() }
    }

    /// The first tree, which stands for what they have in common.
    pub fn first(&self) -> &Tree<G, R> {
        &self.trees[0]
    }

    /// The state at the roots.
    pub fn state(&self) -> &G::State {
        self.trees[0].state()
    }

    /// Whether more playouts would change nothing, since one of the trees is certain.
    pub fn is_settled(&self) -> bool {
        self.trees.iter().any(Tree::is_settled)
    }

    /// Adds up to so many playouts to each tree, each in a thread of its own; returns how many there were together.
    pub fn grow(&mut self, playouts: u64, chance: &mut Chance, stop: &AtomicBool) -> u64 {
        if let [tree] = &mut self.trees[..] {
            return tree.grow(playouts, chance, stop);
        }
        let seed = chance.bits();
        std::thread::scope(|scope| {
            let grow = |(tree, number): (_, u64)| {
                let tree: &mut Tree<G, R> = tree;
                scope.spawn(move || tree.grow(playouts, &mut Chance::stream(seed, number), stop))
            };
            let threads: Vec<_> = self.trees.iter_mut().zip(0..).map(grow).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .sum()
        })
    }

    /// Plays a joint move at the roots.
    pub fn play(&mut self, joint: &[G::Move]) {
        self.trees.iter_mut().for_each(|tree| tree.play(joint));
    }

    /// The move to play: that of a tree that is certain, otherwise the one that was tried most in all of them together.
    pub fn choice(&self, chance: &mut Chance) -> Option<Choice<G::Move>> {
        let [first, others @ ..] = &self.trees[..] else { return None };
        if others.is_empty() {
            return first.choice(chance);
        }
        let sum = |count: fn(&Choice<G::Move>) -> u64, choices: &[Choice<G::Move>]| choices.iter().map(count).sum();
        let choices: Vec<Choice<G::Move>> = self.trees.iter().map(|tree| tree.choice(chance)).collect::<Option<_>>()?;
        let (nodes, playouts) = (sum(|choice| choice.nodes, &choices), sum(|choice| choice.playouts, &choices));
        let settled = self.trees.iter().position(Tree::is_settled);
        let best = match settled {
            Some(tree) => choices[tree].clone(),
            None => self.most_tried(&choices),
        };
        Some(Choice { nodes, playouts, ..best })
    }

    /// The choice of one of the trees that they would make together.
    fn most_tried(&self, choices: &[Choice<G::Move>]) -> Choice<G::Move> {
        let tried = |choice: &Choice<G::Move>| -> (u64, f64) {
            let visits = self.trees.iter().map(|tree| tree.tried(&choice.pick));
            visits.fold((0, 0.0), |(visits, total), (more, brought)| (visits + u64::from(more), total + brought))
        };
        // Of those that were tried as often, the first.
        let best = choices.iter().rev().max_by_key(|choice| tried(choice).0).expect("there is a tree");
        let (visits, total) = tried(best);
        let value = if visits == 0 { best.value } else { Some(100.0 * total / visits as f64) };
        let truncated = choices.iter().find_map(|choice| choice.truncated);
        Choice { value, truncated, proved: false, ..best.clone() }
    }
}
