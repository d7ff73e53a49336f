//! Tables compiled without regard to the board's size, made as narrow as the board allows.
//!
//! Rules are compiled once, for the widest sets of squares; only what runs is there in a version for every width.

use super::tables::{
    Check, Core, Deep, Guard, Hop, Leap, Mover, Node, Openings, Outcome, PlayerTables, Slide, Sliding, Stay, When,
};
use crate::board::{Bits, Shift};

/// The words of the widest sets of squares: enough for the largest board.
pub(super) const WIDEST: usize = 16;

impl Core<WIDEST> {
    /// The same tables for sets of `64 * N` squares, which must hold the board.
    pub fn narrow<const N: usize>(&self) -> Core<N> {
        Core {
            shape: self.shape,
            one_player: self.one_player,
            counts_plies: self.counts_plies,
            board: bits(&self.board),
            kinds: self.kinds.clone(),
            owners: self.owners.clone(),
            kinds_of: self.kinds_of.clone(),
            players: [player(&self.players[0]), player(&self.players[1])],
            start: self.start.clone(),
        }
    }
}

fn bits<const N: usize>(wide: &Bits<WIDEST>) -> Bits<N> {
    Bits(std::array::from_fn(|word| wide.0[word]))
}

fn shift<const N: usize>(wide: Shift) -> Shift {
    // A step further than half of the widest set leads off any smaller board, so that its sign does not matter.
    let up = wide.squares();
    let half = 32 * WIDEST as i32;
    Shift::by::<N>(if up >= half { up - 2 * half } else { up })
}

fn player<const N: usize>(wide: &PlayerTables<WIDEST>) -> PlayerTables<N> {
    PlayerTables {
        letters: wide.letters.clone(),
        movers: wide.movers.iter().map(mover).collect(),
        endings: wide.endings.iter().map(ending).collect(),
    }
}

fn mover<const N: usize>(wide: &Mover<WIDEST>) -> Mover<N> {
    Mover {
        start: wide.start,
        nodes: wide.nodes.iter().map(node).collect(),
        openings: wide.openings.as_ref().map(openings),
        loops: wide.loops,
        touches: wide.touches,
        ambiguous: wide.ambiguous,
        puts_again: wide.puts_again,
    }
}

fn node<const N: usize>(wide: &Node<WIDEST>) -> Node<N> {
    Node {
        accepting: wide.accepting,
        hops: wide.hops.iter().map(hop).collect(),
        puts: wide.puts.clone(),
        guards: wide.guards.iter().map(|guard| Guard { check: check(&guard.check), to: guard.to }).collect(),
        fan: wide.fan.as_ref().map(|fan| fan.iter().map(slide).collect()),
    }
}

fn hop<const N: usize>(wide: &Hop<WIDEST>) -> Hop<N> {
    let &Hop { dx, dy, delta, .. } = wide;
    Hop { dx, dy, delta, shift: shift::<N>(wide.shift), from: bits(&wide.from), arms: wide.arms.clone() }
}

fn check<const N: usize>(wide: &Check<WIDEST>) -> Check<N> {
    match wide {
        Check::Within(squares) => Check::Within(bits(squares)),
        &Check::Look { dx, dy, shift: there, ref from, back, holds } => {
            Check::Look { dx, dy, shift: shift::<N>(there), from: bits(from), back: shift::<N>(back), holds }
        }
    }
}

fn slide<const N: usize>(wide: &Slide<WIDEST>) -> Slide<N> {
    let rays = wide.rays.iter().map(|(ray, length)| (bits(ray), *length)).collect();
    Slide { rays, up: wide.up, ends: wide.ends.clone() }
}

fn openings<const N: usize>(wide: &Openings<WIDEST>) -> Openings<N> {
    let leap = |leap: &Leap<WIDEST>| Leap {
        from: bits(&leap.from),
        shift: shift::<N>(leap.shift),
        delta: leap.delta,
        holds: leap.holds,
        path: leap.path.clone(),
    };
    let stay = |stay: &Stay<WIDEST>| Stay {
        path: stay.path.clone(),
        ways: stay.ways.iter().map(|way| way.iter().map(check).collect()).collect(),
    };
    let sliding = |sliding: &Sliding<WIDEST>| Sliding {
        slide: slide(&sliding.slide),
        from: bits(&sliding.from),
        shift: shift::<N>(sliding.shift),
        delta: sliding.delta,
        letter: sliding.letter,
        ends: sliding.ends.clone(),
    };
    let deep = |deep: &Deep<WIDEST>| Deep {
        dx: deep.dx,
        dy: deep.dy,
        delta: deep.delta,
        shift: shift::<N>(deep.shift),
        from: bits(&deep.from),
        arm: deep.arm.clone(),
    };
    Openings {
        leaps: wide.leaps.iter().map(leap).collect(),
        stays: wide.stays.iter().map(stay).collect(),
        slides: wide.slides.iter().map(sliding).collect(),
        deep: wide.deep.iter().map(deep).collect(),
    }
}

fn ending<const N: usize>(wide: &Outcome<WIDEST>) -> Outcome<N> {
    Outcome { verdict: wide.verdict, when: when(&wide.when) }
}

fn when<const N: usize>(wide: &When<WIDEST>) -> When<N> {
    match wide {
        When::On { kinds, zone } => When::On { kinds: kinds.clone(), zone: bits(zone) },
        When::Line { count, exactly, kinds, directions } => {
            let directions = directions.iter().map(|(there, from)| (shift::<N>(*there), bits(from))).collect();
            When::Line { count: *count, exactly: *exactly, kinds: kinds.clone(), directions }
        }
        When::Left { count, bound, kinds, zone } => {
            When::Left { count: *count, bound: *bound, kinds: kinds.clone(), zone: bits(zone) }
        }
        When::Balance(balance) => When::Balance(*balance),
        When::CannotMove => When::CannotMove,
        When::NeitherCanMove => When::NeitherCanMove,
        When::Plies(plies) => When::Plies(*plies),
        When::All(parts) => When::All(parts.iter().map(when).collect()),
    }
}
