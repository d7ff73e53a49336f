//! The grammar of games: board, armies and endings; what cannot be played is refused and made anew.

use super::chance::Chance;
use super::ending::{Ending, WAYS, When};
use super::game::{Game, LONGEST, Played};
use super::pieces::{Recipe, drops, peg, piece, recipe};
use super::recipe::{Clause, DROP, FAR, Form, Kind, Landing, Tail, Whose};
use super::turn::MANY;
use super::zone::{Pair, View, Zone};
use onlooker::observe::Outcome;
use std::collections::{BTreeMap, BTreeSet};

/// Why a game was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refused {
    /// It is over before it begins.
    OverAtStart,
    /// Someone cannot move at the start.
    StuckAtStart,
    /// Random play does not end.
    Endless,
    /// Games are shorter than 6 or longer than 200 plies on average.
    Length,
    /// A position has too many turns.
    TooManyTurns,
    /// A clause is never used in random play.
    IdleClause,
    /// An ending other than a limit or being stuck never decides a game.
    IdleEnding,
}

/// A game that can be played, and how many were refused before it was found.
#[derive(Clone, Debug)]
pub struct Made {
    pub game: Game,
    pub refused: BTreeMap<Refused, usize>,
}

/// Game `number` of the exam with this seed.
pub fn game(seed: u64, number: u64) -> Made {
    // What the game is about is drawn once: what is refused more often is not rarer for that.
    let mut chance = Chance::new(&[seed, number]);
    let family = chance.weighted(&[(78, Family::Armies), (16, Family::Drops), (6, Family::Solitaire)]);
    let first = recipe(&mut chance);
    // A stream of its own, so that the other games stay what they are.
    let unusual = Chance::new(&[seed, number, UNUSUAL]).percent(20);
    let mut refused = BTreeMap::new();
    for attempt in 0.. {
        let mut chance = Chance::new(&[seed, number, attempt]);
        let mut game = any_game(&mut chance, family, first);
        // Chains make more turns than can be listed if games get long.
        let chains = |clause: &Clause| matches!(clause.form, Form::HopChain { .. } | Form::Locust { chain: true, .. });
        let chains = game.kinds.iter().flat_map(|kind| &kind.clauses).any(chains);
        if unusual && game.players == 2 && !chains {
            unusual_ending(&mut game, &mut Chance::new(&[seed, number, attempt, UNUSUAL]));
        }
        match refusal(&game, &mut chance) {
            None => return Made { game, refused },
            Some(reason) => *refused.entry(reason).or_insert(0) += 1,
        }
    }
    unreachable!("there are always more attempts")
}

/// How many games are played to see whether a game can be played.
const TRIED: usize = 30;

fn refusal(game: &Game, chance: &mut Chance) -> Option<Refused> {
    if (0..game.players).any(|mover| game.over(&game.setup, mover, 0, false).is_some()) {
        return Some(Refused::OverAtStart);
    }
    if (0..game.players).any(|player| game.turns(&game.setup, player).is_empty()) {
        return Some(Refused::StuckAtStart);
    }
    let mut plies = 0;
    let mut used = BTreeSet::new();
    let mut decided = BTreeSet::new();
    for _ in 0..TRIED {
        let Played { plies: played, ended, .. } = game.play(chance);
        if played.iter().any(|ply| ply.turns.len() > MANY) {
            return Some(Refused::TooManyTurns);
        }
        let Some((ending, _)) = ended else { return Some(Refused::Endless) };
        plies += played.len();
        used.extend(played.iter().map(|ply| (ply.turns[0].1.kind, ply.turns[0].1.clause)));
        decided.insert(ending);
    }
    if !(6 * TRIED..=200 * TRIED).contains(&plies) {
        return Some(Refused::Length);
    }
    let clauses: usize = game.kinds.iter().map(|kind| kind.clauses.len()).sum();
    if used.len() < clauses {
        return Some(Refused::IdleClause);
    }
    let optional = |ending: &Ending| {
        matches!(
            ending.when,
            When::Stuck | When::MoreWhenStuck | When::NobodyMoves | When::Plies(_) | When::MoreAtLimit(_)
        )
    };
    let idle = (0..game.endings.len()).any(|number| !decided.contains(&number) && !optional(&game.endings[number]));
    idle.then_some(Refused::IdleEnding)
}

/// What a game is about.
#[derive(Clone, Copy)]
enum Family {
    Armies,
    Drops,
    Solitaire,
}

fn any_game(chance: &mut Chance, family: Family, first: Recipe) -> Game {
    let side = |chance: &mut Chance| chance.weighted(&[(3, 5), (4, 6), (3, 7), (4, 8), (1, 9), (1, 10)]);
    let size: Pair = (side(chance), side(chance));
    let mut game = Game {
        size,
        setup: vec![DROP; (size.0 * size.1) as usize],
        players: 2,
        second: chance.weighted(&[(7, View::Mirrored), (3, View::Turned)]),
        kinds: Vec::new(),
        endings: Vec::new(),
        must_capture: false,
    };
    match family {
        Family::Armies => army_game(&mut game, chance, first),
        Family::Drops => drop_game(&mut game, chance, first),
        Family::Solitaire => solitaire(&mut game, chance),
    }
    game
}

/// Takes squares out of the board, the same ones for both players.
fn make_holes(game: &mut Game, chance: &mut Chance, ranks: (i32, i32)) {
    for _ in 0..chance.between(1, 3) {
        let place =
            (chance.below(game.size.0 as usize) as i32, chance.between(ranks.0 as usize, ranks.1 as usize) as i32);
        for (x, y) in [place, game.second.square(place, game.size)] {
            game.setup[(y * game.size.0 + x) as usize] = b'#';
        }
    }
}

const LETTERS: [u8; 20] = *b"ABCDEFGHJKLMNPQRSTVW";

fn army_game(game: &mut Game, chance: &mut Chance, first: Recipe) {
    let (width, height) = game.size;
    let mut letters = LETTERS.to_vec();
    let mut fresh = |chance: &mut Chance| letters.remove(chance.below(letters.len()));
    let different = chance.percent(20);
    let owners: Vec<Option<usize>> = if different { vec![Some(0), Some(1)] } else { vec![None] };
    let rows = chance.between(1, 3.min((height as usize - 1) / 2)) as i32;
    if chance.percent(20) {
        make_holes(game, chance, (0, height - 1));
    }
    let mut armies: Vec<Vec<u8>> = Vec::new();
    for &owner in &owners {
        let count = chance.weighted(&[(3, 1), (4, 2), (3, 3), (1, 4)]);
        let army: Vec<u8> = (0..count).map(|_| fresh(chance)).collect();
        // Someone who is only there once others have become it.
        let late = chance.percent(25).then(|| fresh(chance));
        let everyone: Vec<u8> = army.iter().copied().chain(late).collect();
        for &letter in &army {
            let others: Vec<u8> = everyone.iter().copied().filter(|other| *other != letter).collect();
            let recipe = if game.kinds.is_empty() { first } else { recipe(chance) };
            game.kinds.push(Kind { letter, owner, clauses: piece(chance, recipe, game.size, &others) });
        }
        let becomes = |clause: &Clause, letter: u8| {
            clause.tails.iter().any(|tail| matches!(tail, Tail::Promote { into, .. } if *into == letter))
        };
        if let Some(late) = late.filter(|&late| game.kinds.iter().flat_map(|k| &k.clauses).any(|c| becomes(c, late))) {
            let recipe = recipe(chance);
            game.kinds.push(Kind { letter: late, owner, clauses: piece(chance, recipe, game.size, &[]) });
        }
        armies.push(army);
    }
    let density = chance.between(50, 100);
    for player in 0..2 {
        let army = &armies[player.min(armies.len() - 1)];
        for y in 0..rows {
            for x in 0..width {
                let (at_x, at_y) = game.view(player).square((x, y), game.size);
                let own = (y * width + x) as usize;
                let square = (at_y * width + at_x) as usize;
                if game.setup[square] == b'#' {
                    continue;
                }
                // The same army stands as the other player's does, seen from its side.
                game.setup[square] = if player == 1 && armies.len() == 1 {
                    game.setup[own].to_ascii_lowercase()
                } else if chance.percent(density) {
                    game.letter(chance.one(army), player)
                } else {
                    DROP
                };
            }
        }
    }
    game.must_capture = chance.percent(4);
    army_endings(game, chance, &armies);
}

fn army_endings(game: &mut Game, chance: &mut Chance, armies: &[Vec<u8>]) {
    let (width, height) = game.size;
    let everyone: Vec<u8> = game.kinds.iter().map(|kind| kind.letter).collect();
    // Some of each army, so that both players can do it.
    let some = |chance: &mut Chance| -> Vec<u8> {
        if chance.percent(50) {
            return everyone.clone();
        }
        armies.iter().map(|army| chance.one(army)).collect()
    };
    for _ in 0..chance.weighted(&[(6, 1), (2, 2)]) {
        let when = match chance.below(10) {
            0..5 => When::Reach {
                letters: some(chance),
                zone: chance.weighted(&[
                    (6, Zone::Ranks(height - 1, height - 1)),
                    (2, Zone::Ranks(height - 2, height - 1)),
                    (1, Zone::Corners),
                    (1, Zone::Square((width - 1) / 2, height / 2)),
                    (1, Zone::Files(width - 1, width - 1)),
                ]),
            },
            5..7 => {
                let letters = some(chance);
                let count = if letters.len() == everyone.len() {
                    chance.between(0, 3)
                } else {
                    chance.weighted(&[(4, 0), (1, 1)])
                };
                When::EnemyLeft { count, letters }
            }
            _ => line(chance),
        };
        let outcome = if chance.percent(85) { Outcome::Won } else { Outcome::Lost };
        game.endings.push(Ending { when, outcome });
    }
    let outcome = chance.weighted(&[(5, Outcome::Won), (2, Outcome::Tied), (2, Outcome::Lost)]);
    game.endings.push(Ending { when: When::Stuck, outcome });
    let limit = 10 * chance.between(4, 12);
    let when = if chance.percent(86) { When::Plies(limit) } else { When::MoreAtLimit(limit) };
    game.endings.push(Ending { when, outcome: Outcome::Tied });
    if chance.percent(15) {
        // What is asked first may decide.
        let last = game.endings.len() - 1;
        game.endings.swap(last, last - 1);
    }
}

/// The number of the stream for endings that few games have.
const UNUSUAL: u64 = 0xE4D;

/// Puts an ending that few games have in place of the first.
fn unusual_ending(game: &mut Game, chance: &mut Chance) {
    let letters = |owner: usize| -> Vec<u8> {
        let standing = game.setup.iter().filter(|cell| cell.is_ascii_alphabetic() && game.owner(**cell) == owner);
        let letters: BTreeSet<u8> = standing.map(u8::to_ascii_uppercase).collect();
        letters.into_iter().collect()
    };
    let (first, second) = (letters(0), letters(1));
    let outcome = if chance.percent(70) { Outcome::Won } else { Outcome::Lost };
    let ending = |when: When, outcome: Outcome| Ending { when, outcome };
    if first.is_empty() || second.is_empty() || chance.percent(30) {
        // Only what asks for no piece in particular.
        let unusual = chance.weighted(&[(2, When::MoreWhenStuck), (1, When::NobodyMoves)]);
        let stuck = game.endings.iter().position(|ending| ending.when == When::Stuck).unwrap_or(0);
        match unusual {
            When::NobodyMoves => game.endings.insert(stuck, ending(unusual, Outcome::Tied)),
            unusual => game.endings[stuck] = ending(unusual, Outcome::Tied),
        }
        return;
    }
    let some = if game.has_different_armies() {
        vec![chance.one(&first), chance.one(&second)]
    } else {
        vec![chance.one(&first)]
    };
    let squares: Vec<usize> = (0..game.setup.len()).filter(|&s| game.letter(some[0], 0) == game.setup[s]).collect();
    let square = game.place(chance.one(&squares));
    let when = match chance.below(3) {
        0 => When::LineOf { count: chance.between(3, 4), letters: some },
        1 => When::OwnFew { count: chance.below(2), letters: some },
        _ => When::Leaves { letters: some, square },
    };
    game.endings[0] = ending(when, outcome);
}

fn line(chance: &mut Chance) -> When {
    let ways = chance.weighted(&[
        (6, WAYS.to_vec()),
        (1, WAYS[..2].to_vec()),
        (1, WAYS[2..].to_vec()),
        (1, WAYS[..1].to_vec()),
    ]);
    When::Line { count: chance.between(3, 5), exactly: chance.percent(12), ways }
}

fn drop_game(game: &mut Game, chance: &mut Chance, recipe: Recipe) {
    let height = game.size.1;
    if chance.percent(15) {
        make_holes(game, chance, (0, height - 1));
    }
    let mut letters = LETTERS.to_vec();
    let first = letters.remove(chance.below(letters.len()));
    // Both players' pieces have one letter, or each has its own.
    let second = if chance.percent(60) { first } else { letters.remove(chance.below(letters.len())) };
    let clause = drops(chance, game.size, first);
    let needs_others = matches!(clause.form, Form::Drop { near, .. } if near != super::recipe::Near::Nothing);
    if first == second {
        game.kinds.push(Kind { letter: DROP, owner: None, clauses: vec![clause] });
    } else {
        let Form::Drop { near, .. } = clause.form else { unreachable!("drops are drops") };
        let other = Clause { form: Form::Drop { letter: second, near }, ..clause.clone() };
        game.kinds.push(Kind { letter: DROP, owner: Some(0), clauses: vec![clause] });
        game.kinds.push(Kind { letter: DROP, owner: Some(1), clauses: vec![other] });
    }
    if chance.percent(25) {
        let clauses = piece(chance, recipe, game.size, &[]);
        let owner = (first != second).then_some(0);
        game.kinds.push(Kind { letter: first, owner, clauses });
    }
    if needs_others || chance.percent(20) {
        for (player, letter) in [(0, first), (1, second)] {
            let place = game.view(player).square((game.size.0 / 2, height / 2 - 1), game.size);
            if let Some(square) = game.square(place) {
                game.setup[square] = game.letter(letter, player);
            }
        }
    }
    let outcome = if chance.percent(85) { Outcome::Won } else { Outcome::Lost };
    if chance.percent(85) {
        game.endings.push(Ending { when: line(chance), outcome });
    }
    let outcome = chance.weighted(&[(4, Outcome::Tied), (2, Outcome::Won), (1, Outcome::Lost)]);
    game.endings.push(Ending { when: When::Stuck, outcome });
    if chance.percent(40) {
        let limit = 10 * chance.between(2, 6);
        let when = if chance.percent(60) { When::Plies(limit) } else { When::MoreAtLimit(limit) };
        game.endings.push(Ending { when, outcome: Outcome::Tied });
    }
}

fn solitaire(game: &mut Game, chance: &mut Chance) {
    game.players = 1;
    let letter = chance.one(&LETTERS);
    let size = game.size;
    if chance.percent(50) {
        make_holes(game, chance, (0, size.1 - 1));
    }
    let density = chance.between(40, 90);
    for square in 0..game.setup.len() {
        if game.setup[square] == DROP && chance.percent(density) {
            game.setup[square] = letter;
        }
    }
    let form = Form::Locust { far: false, chain: chance.percent(40), takes: Whose::Own };
    let mut clauses = vec![Clause::new(form, peg(chance), Landing::Move)];
    if chance.percent(20) {
        clauses.push(Clause::new(Form::Ride { min: 1, max: FAR.min(2) }, vec![(0, 1)], Landing::Move));
    }
    game.kinds.push(Kind { letter, owner: None, clauses });
    let pieces = game.setup.iter().filter(|cell| **cell == letter).count();
    let count = chance.between(1, (pieces / 2).max(1));
    game.endings.push(Ending { when: When::OwnLeft { count }, outcome: Outcome::Won });
    game.endings.push(Ending { when: When::Stuck, outcome: Outcome::Lost });
    if chance.percent(50) {
        game.endings.push(Ending { when: When::Plies(LONGEST / 4), outcome: Outcome::Tied });
    }
}
