//! The grammar of pieces: which clauses a kind is made of.

use super::chance::Chance;
use super::recipe::{Clause, FAR, Form, Landing, Near, Tail, Whose};
use super::zone::{Pair, Zone};

const ORTHOGONAL: [Pair; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [Pair; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// The eight ways around a square.
pub fn around() -> Vec<Pair> {
    [ORTHOGONAL, DIAGONAL].concat()
}

/// Ways for pieces that look the same from all sides, or nearly.
fn broad(chance: &mut Chance) -> Vec<Pair> {
    chance.weighted(&[
        (3, ORTHOGONAL.to_vec()),
        (3, DIAGONAL.to_vec()),
        (3, around()),
        (1, [ORTHOGONAL.to_vec(), vec![(1, 1), (-1, 1)]].concat()),
        (1, [DIAGONAL.to_vec(), vec![(0, 1)]].concat()),
        (1, vec![(0, 1), (0, -1)]),
        (1, vec![(1, 0), (-1, 0), (0, 1)]),
    ])
}

/// Ways forward.
fn ahead(chance: &mut Chance) -> Vec<Pair> {
    chance.weighted(&[
        (3, vec![(0, 1)]),
        (3, vec![(1, 1), (-1, 1)]),
        (2, vec![(0, 1), (1, 1), (-1, 1)]),
        (1, vec![(0, 1), (1, 0), (-1, 0)]),
        (1, vec![(0, 1), (1, 1)]),
    ])
}

fn ways(chance: &mut Chance) -> Vec<Pair> {
    if chance.percent(30) { ahead(chance) } else { broad(chance) }
}

/// The leaps of a and b squares, all of them or some.
fn leaps(chance: &mut Chance, a: i32, b: i32) -> Vec<Pair> {
    let mut all: Vec<Pair> = Vec::new();
    for (x, y) in [(a, b), (b, a)] {
        for (sx, sy) in [(1, 1), (-1, 1), (-1, -1), (1, -1)] {
            if !all.contains(&(sx * x, sy * y)) {
                all.push((sx * x, sy * y));
            }
        }
    }
    let keep: fn(&Pair) -> bool = chance.weighted(&[
        (6, (|_: &Pair| true) as fn(&Pair) -> bool),
        (1, |step| step.1 > 0),
        (1, |step| step.1.abs() >= step.0.abs()),
        (1, |step| step.0.abs() >= step.1.abs()),
        // As a windmill turns: not the same to the left and to the right.
        (1, |step| step.0 * step.1 >= 0),
    ]);
    let kept: Vec<Pair> = all.iter().copied().filter(keep).collect();
    if kept.is_empty() { all } else { kept }
}

/// A clause that moves and captures in one of the simple ways.
fn simple(chance: &mut Chance, landing: Landing) -> Clause {
    let form = chance.weighted(&[
        (4, Form::Leap),
        (3, Form::Ride { min: 1, max: FAR }),
        (2, Form::Ride { min: 1, max: 2 }),
        (1, Form::Ride { min: 1, max: 3 }),
    ]);
    let steps = match form {
        Form::Leap if chance.percent(40) => any_leaps(chance),
        _ => ways(chance),
    };
    Clause::new(form, steps, landing)
}

fn any_leaps(chance: &mut Chance) -> Vec<Pair> {
    let (a, b) = chance.weighted(&[(4, (1, 2)), (1, (0, 2)), (1, (2, 2)), (1, (1, 3)), (1, (0, 3)), (1, (2, 3))]);
    leaps(chance, a, b)
}

/// The recipes, each a function from chance to clauses.
pub type Recipe = fn(&mut Chance) -> Vec<Clause>;

fn stepper(chance: &mut Chance) -> Vec<Clause> {
    vec![Clause::new(Form::Leap, ways(chance), Landing::Both)]
}

fn leaper(chance: &mut Chance) -> Vec<Clause> {
    vec![Clause::new(Form::Leap, any_leaps(chance), Landing::Both)]
}

fn rider(chance: &mut Chance) -> Vec<Clause> {
    let max = chance.weighted(&[(3, FAR), (1, 2), (1, 3), (1, 4)]);
    let steps = if chance.percent(12) { leaps(chance, 1, 2) } else { ways(chance) };
    vec![Clause::new(Form::Ride { min: 1, max }, steps, Landing::Both)]
}

fn lame_leaper(chance: &mut Chance) -> Vec<Clause> {
    let (a, b) = chance.weighted(&[(3, (1, 2)), (2, (2, 2)), (1, (0, 2))]);
    vec![Clause::new(Form::Lame, leaps(chance, a, b), Landing::Both)]
}

fn hopper(chance: &mut Chance) -> Vec<Clause> {
    let form = Form::Hop {
        far: chance.percent(70),
        over: chance.weighted(&[(4, Whose::Anyone), (1, Whose::Own), (1, Whose::Enemy)]),
    };
    let mut clauses = vec![Clause::new(form, broad(chance), Landing::Both)];
    if chance.percent(60) {
        clauses.push(Clause::new(Form::Leap, ways(chance), Landing::Move));
    }
    clauses
}

fn cannon(chance: &mut Chance) -> Vec<Clause> {
    let steps = chance.weighted(&[(3, ORTHOGONAL.to_vec()), (2, DIAGONAL.to_vec()), (1, around())]);
    let moves = chance.weighted(&[(3, Form::Ride { min: 1, max: FAR }), (1, Form::Leap)]);
    vec![Clause::new(moves, steps.clone(), Landing::Move), Clause::new(Form::Cannon, steps, Landing::Capture)]
}

fn bent_rider(chance: &mut Chance) -> Vec<Clause> {
    let steps = chance.weighted(&[(2, ORTHOGONAL.to_vec()), (2, DIAGONAL.to_vec()), (1, vec![(1, 1), (-1, 1)])]);
    vec![Clause::new(Form::Bent { short: chance.percent(70) }, steps, Landing::Both)]
}

fn locust(chance: &mut Chance) -> Vec<Clause> {
    let steps = ways(chance);
    let (far, chain) =
        chance.weighted(&[(3, (false, false)), (3, (false, true)), (1, (true, false)), (1, (true, true))]);
    let moves = if far { Form::Ride { min: 1, max: FAR } } else { Form::Leap };
    let same = chance.percent(70);
    let other = if same { steps.clone() } else { ways(chance) };
    vec![
        Clause::new(moves, other, Landing::Move),
        Clause::new(Form::Locust { far, chain, takes: Whose::Enemy }, steps, Landing::Move),
    ]
}

fn hop_chain(chance: &mut Chance) -> Vec<Clause> {
    let steps = ways(chance);
    let over = chance.weighted(&[(2, Whose::Anyone), (1, Whose::Own), (2, Whose::Enemy)]);
    vec![
        Clause::new(Form::Leap, ways(chance), Landing::Both),
        Clause::new(Form::HopChain { over }, steps, Landing::Move),
    ]
}

fn pawn(chance: &mut Chance) -> Vec<Clause> {
    let steps = ahead(chance);
    let (moves, captures): (Vec<Pair>, Vec<Pair>) = match chance.below(3) {
        0 => (vec![(0, 1)], vec![(1, 1), (-1, 1)]),
        1 => (vec![(1, 1), (-1, 1)], vec![(0, 1)]),
        _ => (steps, ahead(chance)),
    };
    let captured = if chance.percent(25) { Landing::Both } else { Landing::Capture };
    let mut clauses =
        vec![Clause::new(Form::Leap, moves.clone(), Landing::Move), Clause::new(Form::Leap, captures, captured)];
    if chance.percent(35) {
        let mut double = Clause::new(Form::Ride { min: 2, max: 2 }, moves, Landing::Move);
        double.from = Some(Zone::Ranks(1, 1));
        clauses.push(double);
    }
    clauses
}

fn divergent(chance: &mut Chance) -> Vec<Clause> {
    vec![simple(chance, Landing::Move), simple(chance, Landing::Capture)]
}

fn compound(chance: &mut Chance) -> Vec<Clause> {
    vec![simple(chance, Landing::Both), simple(chance, Landing::Both)]
}

fn swapper(chance: &mut Chance) -> Vec<Clause> {
    let with = chance.weighted(&[(1, Whose::Own), (2, Whose::Enemy), (1, Whose::Anyone)]);
    vec![simple(chance, Landing::Both), Clause::new(Form::Swap { with }, ways(chance), Landing::Move)]
}

fn pusher(chance: &mut Chance) -> Vec<Clause> {
    let steps = ways(chance);
    vec![Clause::new(Form::Leap, steps.clone(), Landing::Move), Clause::new(Form::Push, steps, Landing::Move)]
}

fn rifle(chance: &mut Chance) -> Vec<Clause> {
    let range = chance.between(1, 2) as i32;
    vec![simple(chance, Landing::Move), Clause::new(Form::Rifle { range }, ways(chance), Landing::Move)]
}

fn exploder(chance: &mut Chance) -> Vec<Clause> {
    vec![simple(chance, Landing::Move), Clause::new(Form::Explode, ways(chance), Landing::Move)]
}

fn stone_layer(chance: &mut Chance) -> Vec<Clause> {
    let mut clause = simple(chance, Landing::Both);
    clause.tails.push(Tail::Stone);
    vec![clause]
}

fn shooter(chance: &mut Chance) -> Vec<Clause> {
    let mut clause = match chance.percent(50) {
        true => Clause::new(Form::Leap, ways(chance), Landing::Both),
        false => Clause::new(Form::Ride { min: 1, max: 2 }, ORTHOGONAL.to_vec(), Landing::Move),
    };
    let max = chance.weighted(&[(3, 1), (1, 2)]);
    clause.tails.push(Tail::Shoot { steps: ways(chance), max });
    vec![clause]
}

/// One of the recipes.
pub fn recipe(chance: &mut Chance) -> Recipe {
    chance.weighted(&[
        (9, stepper as Recipe),
        (7, leaper),
        (9, rider),
        (5, lame_leaper),
        (5, hopper),
        (5, cannon),
        (5, bent_rider),
        (7, locust),
        (4, hop_chain),
        (10, pawn),
        (7, divergent),
        (6, compound),
        (4, swapper),
        (4, pusher),
        (3, rifle),
        (2, exploder),
        (4, stone_layer),
        (4, shooter),
    ])
}

/// The clauses of a kind of piece. `others` are the letters that it may become.
pub fn piece(chance: &mut Chance, recipe: Recipe, size: Pair, others: &[u8]) -> Vec<Clause> {
    let mut clauses = recipe(chance);
    if chance.percent(10) {
        let zone = place(chance, size);
        clauses.iter_mut().for_each(|clause| clause.to = Some(zone.clone()));
    } else if chance.percent(5) {
        let last = clauses.len() - 1;
        clauses[last].from = Some(place(chance, size));
    }
    let can_become = |clause: &&mut Clause| {
        !matches!(clause.form, Form::Swap { .. } | Form::Push | Form::Rifle { .. } | Form::Explode)
    };
    let advances = clauses.iter().any(|clause| clause.steps.iter().all(|step| step.1 >= 0));
    if !others.is_empty() && chance.percent(if advances { 45 } else { 7 }) {
        let zone = chance.weighted(&[
            (6, Zone::Ranks(size.1 - 1, size.1 - 1)),
            (2, Zone::Ranks(size.1 - 2, size.1 - 1)),
            (1, Zone::FarHalf),
            (1, Zone::Corners),
        ]);
        let tail = Tail::Promote { zone, into: chance.one(others), optional: chance.percent(25) };
        clauses.iter_mut().filter(can_become).for_each(|clause| clause.tails.insert(0, tail.clone()));
    }
    clauses
}

/// A zone that a piece may not leave, or must start from.
fn place(chance: &mut Chance, (width, height): Pair) -> Zone {
    chance.weighted(&[
        (2, Zone::OwnHalf),
        (1, Zone::FarHalf),
        (1, Zone::Palace),
        (1, Zone::Dark),
        (1, Zone::Inner),
        (1, Zone::Files(1, width - 2)),
        (1, Zone::Ranks(0, height - 2)),
        (1, Zone::Files(width / 2 - 1, width / 2)),
    ])
}

/// The clause with which pieces of a letter are put on the board.
pub fn drops(chance: &mut Chance, size: Pair, letter: u8) -> Clause {
    let near = chance.weighted(&[
        (4, Near::Nothing),
        (3, Near::Support),
        (1, Near::Beside(Whose::Own)),
        (1, Near::Beside(Whose::Anyone)),
        (1, Near::Beside(Whose::Enemy)),
    ]);
    let steps = chance.weighted(&[(2, ORTHOGONAL.to_vec()), (1, around()), (1, DIAGONAL.to_vec())]);
    let steps = if matches!(near, Near::Beside(_)) { steps } else { Vec::new() };
    let mut clause = Clause::new(Form::Drop { letter, near }, steps, Landing::Move);
    if near == Near::Nothing && chance.percent(15) {
        clause.to = Some(place(chance, size));
    }
    clause
}

/// A peg of a solitaire: it jumps and takes.
pub fn peg(chance: &mut Chance) -> Vec<Pair> {
    chance.weighted(&[
        (3, ORTHOGONAL.to_vec()),
        (1, around()),
        (1, DIAGONAL.to_vec()),
        (1, vec![(1, 0), (-1, 0), (0, 1)]),
    ])
}
