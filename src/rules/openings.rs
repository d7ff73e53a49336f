//! How words begin: first steps sorted by what can follow them, so that most words need not be walked.

use super::narrow::WIDEST;
use super::state::{Path, push_letter};
use super::tables::{Arm, Board, Check, Core, Deep, Hop, Leap, Mover, Node, Openings, Slide, Sliding, Stay};
use crate::board::{Bits, Shift, Square};
use smallvec::SmallVec;

impl Core<WIDEST> {
    /// The slides of a node, if there is nothing else to it.
    pub(super) fn fan(&self, mover: &Mover<WIDEST>, node: &Node<WIDEST>) -> Option<Vec<Slide<WIDEST>>> {
        let only_hops = node.puts.is_empty() && node.guards.is_empty();
        if node.hops.is_empty() || !only_hops {
            None
        } else {
            node.hops.iter().map(|hop| self.slide(mover, hop)).collect()
        }
    }

    /// The slide that a hop begins, if it is nothing else.
    fn slide(&self, mover: &Mover<WIDEST>, hop: &Hop<WIDEST>) -> Option<Slide<WIDEST>> {
        let vacant = Board(self.vacant());
        // What stands at the end of a slide, and the state in which the slide goes on over empty squares.
        let parts = |hop: &Hop<WIDEST>| {
            let (ends, on): (Vec<&Arm>, Vec<&Arm>) = hop.arms.iter().partition(|arm| arm.leaf);
            let ends: SmallVec<[Board; 1]> = ends.iter().map(|arm| arm.holds).collect();
            match on.as_slice() {
                [arm] if arm.holds == vacant && arm.accepting && !ends.contains(&vacant) => Some((ends, arm.to)),
                _ => None,
            }
        };
        let (ends, to) = parts(hop)?;
        let next = &mover.nodes[to];
        let [again] = next.hops.as_slice() else { return None };
        let only_hop = next.puts.is_empty() && next.guards.is_empty();
        let same = only_hop && (again.dx, again.dy) == (hop.dx, hop.dy) && parts(again)? == (ends.clone(), to);
        same.then(|| Slide { rays: self.rays(hop.dx, hop.dy), up: hop.delta > 0, ends })
    }

    /// What the words of a mover begin with; `None` if some begin with a look at other squares, or go on to other squares
    /// after something was put down or a guard was passed.
    pub(super) fn openings(&self, mover: &Mover<WIDEST>) -> Option<Openings<WIDEST>> {
        let first = &mover.nodes[0];
        let mut openings = Openings { leaps: Vec::new(), stays: Vec::new(), slides: Vec::new(), deep: Vec::new() };
        // Words that stay where they start.
        let here = Node {
            accepting: false,
            hops: Vec::new(),
            puts: first.puts.clone(),
            guards: first.guards.clone(),
            fan: None,
        };
        let holds = Board(mover.start.unwrap_or(self.vacant()));
        for (from, letters) in self.closings(mover, &here, 0)? {
            // Guards alone are no word.
            if !letters.is_empty() {
                openings.leaps.push(Leap { from, shift: Shift::default(), delta: 0, holds, path: path_of(letters) });
            }
        }
        for hop in &first.hops {
            let (shift, delta) = (hop.shift, hop.delta);
            let slide = if mover.loops { None } else { self.slide(mover, hop) };
            if let Some(slide) = slide {
                // The arm over empty squares is the last, behind those at which the slide ends.
                let mut letters = hop.arms.iter().map(|arm| arm.letter);
                let letter = letters.next_back()?;
                openings.slides.push(Sliding { slide, from: hop.from, shift, delta, letter, ends: letters.collect() });
                continue;
            }
            for arm in &hop.arms {
                match self.closings(mover, &mover.nodes[arm.to], 0) {
                    Some(closings) => openings.leaps.extend(closings.into_iter().map(|(squares, rest)| {
                        let from = hop.from.and(&squares.rotate(Shift::by::<WIDEST>(-delta)));
                        let path = path_of(std::iter::once(arm.letter).chain(rest));
                        Leap { from, shift, delta, holds: arm.holds, path }
                    })),
                    None => openings.deep.push(Deep {
                        dx: hop.dx,
                        dy: hop.dy,
                        delta,
                        shift,
                        from: hop.from,
                        arm: arm.clone(),
                    }),
                }
            }
        }
        Some(openings)
    }

    /// The letters with which a word can end in a state, and the squares on which it can; `None` if it can go on to
    /// other squares or depends on them.
    fn closings(
        &self,
        mover: &Mover<WIDEST>,
        node: &Node<WIDEST>,
        depth: usize,
    ) -> Option<Vec<(Bits<WIDEST>, Vec<u16>)>> {
        const DEEP: usize = 4;
        if !node.hops.is_empty() || depth > DEEP {
            return None;
        }
        let mut closings = Vec::new();
        if node.accepting {
            closings.push((self.board, Vec::new()));
        }
        for guard in &node.guards {
            let Check::Within(squares) = &guard.check else { return None };
            let after = self.closings(mover, &mover.nodes[guard.to], depth + 1)?;
            closings.extend(after.into_iter().map(|(there, rest)| (there.and(squares), rest)));
        }
        for put in &node.puts {
            let after = self.closings(mover, &mover.nodes[put.to], depth + 1)?;
            closings.extend(after.into_iter().map(|(there, rest)| (there, [vec![put.letter], rest].concat())));
        }
        Some(closings)
    }

    /// The words of a mover that never leave their square, such as drops that look below; `None` if some may go elsewhere.
    ///
    /// Nothing around is changed by them, so that all they look at is on the board as it is.
    pub(super) fn stays(&self, mover: &Mover<WIDEST>) -> Option<Openings<WIDEST>> {
        let mut stays: Vec<Stay<WIDEST>> = Vec::new();
        let mut open = vec![(0, Vec::new(), Path::new())];
        let mut steps = 0;
        while let Some((state, checks, path)) = open.pop() {
            const MOST: usize = 100;
            let node = &mover.nodes[state];
            steps += 1;
            if !node.hops.is_empty() || steps > MOST {
                return None;
            }
            // Guards alone are no word.
            if node.accepting && !path.is_empty() {
                match stays.iter_mut().find(|stay| stay.path == path) {
                    Some(stay) => stay.ways.push(checks.clone()),
                    None => stays.push(Stay { path: path.clone(), ways: vec![checks.clone()] }),
                }
            }
            for put in &node.puts {
                let mut longer = path.clone();
                push_letter(&mut longer, put.letter);
                open.push((put.to, checks.clone(), longer));
            }
            for guard in &node.guards {
                if let Check::Look { dx: 0, dy: 0, .. } = guard.check {
                    return None;
                }
                open.push((guard.to, [checks.clone(), vec![guard.check.clone()]].concat(), path.clone()));
            }
        }
        Some(Openings { leaps: Vec::new(), stays, slides: Vec::new(), deep: Vec::new() })
    }

    fn rays(&self, dx: i8, dy: i8) -> Vec<(Bits<WIDEST>, u16)> {
        let ray = |square: Square| {
            let squares = Bits::of(self.shape.ray(square, dx, dy).map(Square::index));
            (squares, squares.count() as u16)
        };
        self.shape.all().map(ray).collect()
    }
}

/// The word of these letters.
fn path_of(letters: impl IntoIterator<Item = u16>) -> Path {
    let mut path = Path::new();
    letters.into_iter().for_each(|letter| push_letter(&mut path, letter));
    path
}
