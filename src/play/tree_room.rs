//! What a tree keeps: nodes by state, the part below a new root, and the nodes that were visited most when room runs out.

use super::Tree;
use super::tree_node::{NONE, Picks, TreeNode};
use crate::game::Game;
use std::cmp::Reverse;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;

/// There is always room for this many times the root.
const LEAST_ROOM: usize = 4;

impl<G: Game, R: Deref<Target = G> + Clone> Tree<G, R> {
    /// Makes a node the root and drops all that is not below it.
    pub(super) fn re_root(&mut self, root: u32) {
        self.keep(root, 0);
        // A win that was seen at a glance has left no trace of the move that wins; the root is to tell it.
        let over = self.nodes[0].places.is_empty();
        if !over && self.nodes[0].proofs().next().is_none() {
            self.nodes[0].proof = None;
        }
    }

    /// Drops the nodes that were visited least, so that those that stay take half of the room at most.
    pub(super) fn recycle(&mut self) {
        let mut nodes: Vec<(u32, usize)> = self.nodes[1..].iter().map(|node| (node.visits, node.room())).collect();
        nodes.sort_unstable_by_key(|&(visits, _)| Reverse(visits));
        let (mut taken, mut least) = (self.nodes[0].room(), u32::MAX);
        for alike in nodes.chunk_by(|one, other| one.0 == other.0) {
            taken += alike.iter().map(|(_, room)| room).sum::<usize>();
            if taken > self.room() / 2 {
                break;
            }
            least = alike[0].0;
        }
        self.keep(0, least);
    }

    /// How many moves the tree may hold.
    pub(super) fn room(&self) -> usize {
        self.options.room.max(LEAST_ROOM * self.nodes[0].room())
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.children.clear();
        self.by_key.clear();
        self.arms = 0;
    }

    /// Makes a node the root and keeps what is below it and was visited at least so often.
    fn keep(&mut self, root: u32, least: u32) {
        let mut below: Vec<Vec<(Picks, u32)>> = vec![Vec::new(); self.nodes.len()];
        for ((parent, picks), child) in self.children.drain() {
            below[parent as usize].push((picks, child));
        }
        let visits: Vec<u32> = self.nodes.iter().map(|node| node.visits).collect();
        let mut old: Vec<Option<TreeNode<G::Move>>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        self.arms = 0;
        // The new numbers of nodes, and the old ones of those that were kept, by their new ones.
        let mut number = vec![NONE; old.len()];
        number[root as usize] = 0;
        let mut kept = vec![root];
        let mut renumber = |child: u32, kept: &mut Vec<u32>| {
            let new = &mut number[child as usize];
            if *new == NONE && visits[child as usize] >= least {
                *new = kept.len() as u32;
                kept.push(child);
            }
            *new
        };
        let mut next = 0;
        while let Some(&from) = kept.get(next) {
            let Some(mut node) = old[from as usize].take() else { break };
            for arm in node.places.iter_mut().flatten().filter(|arm| arm.node != NONE) {
                arm.node = renumber(arm.node, &mut kept);
            }
            let mut children = std::mem::take(&mut below[from as usize]);
            // The order of a map is nobody's business.
            children.sort_unstable_by_key(|&(_, child)| child);
            for (picks, child) in children {
                let child = renumber(child, &mut kept);
                if child != NONE {
                    self.children.insert((next as u32, picks), child);
                }
            }
            self.arms += node.room();
            self.nodes.push(node);
            next += 1;
        }
        self.by_key.clear();
        if self.options.transpositions {
            let keys = self.nodes.iter().map(|node| node.key).zip(0..);
            self.by_key.extend(keys);
        }
    }

    /// What tells a state from others, where nodes are shared. Two of a billion states share a key with a chance of about one in
    /// ten to the twentieth.
    pub(super) fn key(&self, state: &G::State) -> u128 {
        if !self.options.transpositions {
            return 0;
        }
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            salt.hash(&mut hasher);
            state.hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(1) << 64 | half(2)
    }
}
