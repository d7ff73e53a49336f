//! The grade: what the learner made of a game, beside the truth.

use super::chance::Chance;
use super::game::{Game, Played};
use super::turn::{Case, TOO_MANY};
use onlooker::board::{Cell, Content, MicroMove, Player, Position, Square, Word};
use onlooker::game::{MismatchKind, RulesGame, check_game};
use onlooker::learn::{Evidence, Learnt, Options, learn};
use onlooker::observe::{Listing, Move, Outcome, Record};
use onlooker::rules::{CompileError, Condition, Rules, Topic, Verdict};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// What the learner is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    pub listing: Listing,
    pub games: u64,
}

/// A game of the exam by its numbers: all that is needed to repeat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub seed: u64,
    pub number: u64,
    pub mode: Mode,
}

/// How well a game was learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Moves, next positions and outcomes of fresh games are all reproduced.
    Exact,
    /// The same, but the learner says that something is not accounted for.
    ExactDoubted,
    /// Something is wrong, and the learner says that something is.
    SaysSo,
    /// Something is wrong, and the learner says nothing.
    Silent,
}

/// Why something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Rules have no words for what differs.
    CannotBeSaid,
    /// A search was given up.
    Search,
    /// The rules do not even reproduce the games that they were learnt from.
    ContradictsEvidence,
    /// The case that differs never occurs in the games learnt from.
    NotInEvidence,
    /// The case does occur, but not with just this word: its other words do not lead the learner to it.
    NotGeneralised,
    /// There was evidence enough for chance to be ruled out.
    Other,
}

/// The result for one question.
#[derive(Clone, Debug)]
pub struct Grade {
    pub mark: Mark,
    /// Whether all is right if outcomes are left out.
    pub moves_exact: bool,
    /// Whether every case and every ending of the fresh games occurs in those learnt from.
    pub covered: bool,
    pub class: Option<Class>,
    /// The first thing that differs.
    pub difference: String,
    /// Whether the learner asks an open question about the piece or the endings that differ.
    pub is_asked: bool,
    pub learnt: Learnt,
}

/// How many fresh games rules are compared with.
const FRESH: u64 = 60;

/// How many plays of a word that is not legal must be expected for their absence to be evidence where only the moves
/// played are listed.
const EXPECTED: f64 = 5.0;

impl Question {
    fn play(&self, game: &Game, fresh: bool, number: u64) -> Played {
        let played = game.play(&mut Chance::new(&[self.seed, self.number, 1 + u64::from(fresh), number]));
        assert!(played.plies.iter().all(|ply| ply.turns.len() < TOO_MANY), "all turns are listed: {game}");
        played
    }

    /// The games that the learner is shown.
    pub fn shown<'a>(&'a self, game: &'a Game) -> impl Iterator<Item = Played> + 'a {
        (0..self.mode.games).map(|number| self.play(game, false, number))
    }
}

/// What occurs in games.
#[derive(Clone, Debug, Default)]
struct Coverage {
    cases: BTreeSet<Case>,
    /// The number of the ending, its outcome, and who moved last where that makes a difference.
    ends: BTreeSet<(usize, Outcome, usize)>,
}

impl Coverage {
    fn add(&mut self, game: &Game, played: &Played, listing: Listing) {
        for ply in &played.plies {
            let listed = if listing == Listing::All { ply.turns.len() } else { 1 };
            self.cases.extend(ply.turns[..listed].iter().map(|turn| turn.1));
        }
        self.ends.extend(end(game, played));
    }
}

fn end(game: &Game, played: &Played) -> Option<(usize, Outcome, usize)> {
    let (ending, outcome) = played.ended?;
    let mover = played.plies.last()?.player;
    Some((ending, outcome, if game.has_different_armies() { mover } else { 0 }))
}

/// Teaches a game and compares.
pub fn grade(game: &Game, question: &Question, options: &Options) -> Grade {
    let listing = question.mode.listing;
    let mut evidence = Evidence::default();
    let mut seen = Coverage::default();
    for played in question.shown(game) {
        seen.add(game, &played, listing);
        evidence.observe(&game.records(&played, listing)).expect("games of one board go together");
    }
    let learnt = learn(&evidence, options, &AtomicBool::new(false), &|_| {}).expect("there are games");
    let mut asked = Coverage::default();
    let fresh: Vec<Played> = (0..FRESH).map(|number| question.play(game, true, number)).collect();
    fresh.iter().for_each(|played| asked.add(game, played, Listing::All));
    let covered = asked.cases.is_subset(&seen.cases) && asked.ends.is_subset(&seen.ends);

    let comparison = Comparison { game, question, learnt: &learnt, seen: &seen };
    let moves = comparison.moves(&fresh);
    let outcomes = comparison.outcomes(&fresh);
    let moves_exact = moves.is_none();
    let first = moves.or(outcomes);
    let mark = match (&first, learnt.is_consistent()) {
        (None, true) => Mark::Exact,
        (None, false) => Mark::ExactDoubted,
        (Some(_), false) => Mark::SaysSo,
        (Some(_), true) => Mark::Silent,
    };
    let is_asked = first.as_ref().is_some_and(|difference| difference.is_asked(&learnt.rules));
    let (class, difference) = first.map_or((None, String::new()), |found| (Some(found.class), found.text));
    Grade { mark, moves_exact, covered, class, difference, is_asked, learnt }
}

/// Learnt rules beside the game.
struct Comparison<'a> {
    game: &'a Game,
    question: &'a Question,
    learnt: &'a Learnt,
    seen: &'a Coverage,
}

/// What of the rules is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Moves,
    All,
}

/// Where rules differ from a game.
struct Difference {
    class: Class,
    text: String,
    about: About,
}

/// Which lines of the rules are wrong.
enum About {
    /// Those of the piece from whose square the move starts that differs.
    Piece(Cell),
    /// Those of the endings that give what was recorded, or what was learnt instead.
    Endings([Option<Outcome>; 2]),
    Unknown,
}

impl Difference {
    fn is_asked(&self, rules: &Rules) -> bool {
        let questions = rules.learnt.iter().flat_map(|provenance| &provenance.open);
        questions.into_iter().any(|question| match (question.about, &self.about) {
            // A movement of both players is named by the first's piece.
            (Topic::Piece(cell), About::Piece(piece)) => cell == *piece || cell == piece.turned(),
            (Topic::Ending(number), About::Endings(outcomes)) => {
                let outcome = rules.endings.get(number).map(|ending| match ending.verdict {
                    Verdict::Win => Outcome::Won,
                    Verdict::Lose => Outcome::Lost,
                    Verdict::Tie => Outcome::Tied,
                });
                outcome.is_some() && outcomes.contains(&outcome)
            }
            _ => false,
        })
    }
}

impl Comparison<'_> {
    /// The first difference in moves or next positions while games go on, whatever endings are.
    fn moves(&self, fresh: &[Played]) -> Option<Difference> {
        let mover = match mover(&self.learnt.rules) {
            Ok(mover) => mover,
            Err(error) => return Some(uncompiled(&error)),
        };
        for (number, played) in (1..).zip(fresh) {
            let mut records = self.game.records(played, Listing::All);
            records.pop();
            let report = check_game(&mover, &records, number, 4);
            let found = report.mismatches.iter().find(|m| !matches!(m.kind, MismatchKind::Outcome { .. }));
            if let Some(mismatch) = found.filter(|_| report.exact < report.positions) {
                let at = mismatch.record as usize - 1;
                return Some(self.explain_move(played, at, &records[at], &mismatch.kind));
            }
        }
        None
    }

    fn explain_move(&self, played: &Played, at: usize, record: &Record, kind: &MismatchKind) -> Difference {
        let ply = &played.plies[at];
        let board = format!("in {}, ply {at}, player {}", self.game.drawn(&ply.cells), ply.player + 1);
        let (what, moves) = match kind {
            MismatchKind::Missing(moves) => ("missing", moves),
            MismatchKind::Extra(moves) => ("extra", moves),
            other => {
                let class = self.general(Class::Other, Part::Moves);
                return Difference { class, text: format!("{other:?} {board}"), about: About::Unknown };
            }
        };
        let Move::Word { start, word } = &moves[0] else {
            return Difference { class: Class::Other, text: format!("a pass {board}"), about: About::Unknown };
        };
        let letter = char::from(ply.cells[start.index()]);
        let case = ply.turns.iter().find(|turn| turn.0 == moves[0]).map(|turn| turn.1);
        let kind = self.game.kinds.iter().find(|kind| {
            let mine = kind.owner.is_none_or(|owner| owner == ply.player);
            mine && self.game.letter(kind.letter, ply.player) == ply.cells[start.index()]
        });
        let clause = case.map(|case| self.game.kinds[case.kind].clauses[case.clause].to_string());
        let about = clause.or(kind.map(|kind| kind.to_string().trim_end().replace('\n', " |"))).unwrap_or_default();
        let (class, note) = match case {
            Some(case) if self.seen.cases.contains(&case) => {
                let times = self.shown(ply.player, letter, word);
                let class = if times == 0 { Class::NotGeneralised } else { Class::Other };
                (class, format!("the case was shown, this word {times} times"))
            }
            Some(_) => (Class::NotInEvidence, "the case was not shown".to_owned()),
            None => self.refuted(ply.player, letter, word),
        };
        let class = if self.game.must_capture { Class::CannotBeSaid } else { self.general(class, Part::Moves) };
        let shape = record.position.shape();
        let text =
            format!("{what} {letter}{} {word} ({} in all; {note}) {board}; {about}", shape.name(*start), moves.len());
        Difference { class, text, about: About::Piece(record.position.at(*start)) }
    }

    /// A class unless there is a plainer reason; `part` makes a game of the part of the rules that differs.
    fn general(&self, class: Class, part: Part) -> Class {
        if !self.learnt.stopped.is_done() {
            Class::Search
        } else if self.contradicts(part) {
            Class::ContradictsEvidence
        } else {
            class
        }
    }

    /// Whether the rules do not reproduce what the learner was shown.
    fn contradicts(&self, part: Part) -> bool {
        let rules = match part {
            Part::Moves => mover(&self.learnt.rules),
            Part::All => RulesGame::new(self.learnt.rules.clone()),
        };
        let Ok(rules) = rules else { return true };
        self.question.shown(self.game).any(|played| {
            let mut records = self.game.records(&played, self.question.mode.listing);
            if part == Part::Moves {
                records.pop();
            }
            let report = check_game(&rules, &records, 1, 0);
            report.exact < report.positions || part == Part::All && !report.holds()
        })
    }

    /// How often the learner was shown a word of a piece, of either player where both have the same pieces.
    fn shown(&self, player: usize, letter: char, word: &Word) -> usize {
        let shared = !self.game.has_different_armies();
        let mut times = 0;
        for played in self.question.shown(self.game) {
            for ply in played.plies.iter().filter(|ply| shared || ply.player == player) {
                let turned = ply.player != player;
                let (letter, word) = (if turned { swapped(letter) } else { letter }, self.seen_by(word, turned));
                let listed = if self.question.mode.listing == Listing::All { ply.turns.len() } else { 1 };
                let is_it = |turn: &&(Move, Case)| match &turn.0 {
                    Move::Word { start, word: other } => {
                        char::from(ply.cells[start.index()]) == letter && self.seen_by(other, false) == word
                    }
                    Move::Pass => false,
                };
                times += ply.turns[..listed].iter().filter(is_it).count();
            }
        }
        times
    }

    /// Whether the games shown rule out a word that is not legal, and how.
    fn refuted(&self, player: usize, letter: char, word: &Word) -> (Class, String) {
        // Whose pieces it takes, as its player sees them: none for blocked squares.
        let mine = |owner: Player| owner == if player == 0 { Player::First } else { Player::Second };
        let taken: Vec<Option<bool>> = removed(word).map(|cell| cell.and_then(|c| c.owner()).map(mine)).collect();
        let shared = !self.game.has_different_armies();
        let (mut positions, mut expected) = (0, 0.0);
        for played in self.question.shown(self.game) {
            for ply in played.plies.iter().filter(|ply| shared || ply.player == player) {
                let turned = ply.player != player;
                let (letter, word) = (if turned { swapped(letter) } else { letter }, self.seen_by(word, turned));
                let position = self.game.position(&ply.cells);
                let mover = if ply.player == 0 { Player::First } else { Player::Second };
                let starts = (0..ply.cells.len()).filter(|&square| char::from(ply.cells[square]) == letter);
                let fits = |square: &usize| {
                    let start = Square(*square as u16);
                    let effect = position.effect(mover, start, &word).ok().filter(|_| {
                        let owners = stands_on(&position, start, &word).map(|cell| cell.owner());
                        owners.map(|owner| owner.map(|owner| owner == mover)).eq(taken.iter().copied())
                    });
                    effect.is_some_and(|effect| {
                        let same =
                            |turn: &(Move, Case)| turn.0.effect(&position, mover).is_ok_and(|other| other == effect);
                        !ply.turns.iter().any(same)
                    })
                };
                let count = starts.filter(fits).count();
                positions += count;
                expected += count as f64 / (ply.turns.len() + count) as f64;
            }
        }
        let note = format!("it fits {positions} times where it is not legal; {expected:.1} plays expected, none seen");
        let enough = if self.question.mode.listing == Listing::All { positions > 0 } else { expected >= EXPECTED };
        (if enough { Class::Other } else { Class::NotInEvidence }, note)
    }

    /// A word as the other player would make it, with whatever it removes.
    fn seen_by(&self, word: &Word, turned: bool) -> Word {
        let micro = |micro: &MicroMove| {
            let view = self.game.view(usize::from(turned));
            let (dx, dy) = view.step((i32::from(micro.dx), i32::from(micro.dy)));
            let content = match micro.content {
                Content::Remove(_) if (dx, dy) != (0, 0) => Content::Remove(None),
                Content::Add(Some(cell)) if turned => Content::Add(Some(cell.turned())),
                other => other,
            };
            MicroMove { dx: dx as i8, dy: dy as i8, content }
        };
        Word(word.0.iter().map(micro).collect())
    }

    /// The first difference in outcomes, if moves agree.
    fn outcomes(&self, fresh: &[Played]) -> Option<Difference> {
        let rules = match RulesGame::new(self.learnt.rules.clone()) {
            Ok(rules) => rules,
            Err(error) => return Some(uncompiled(&error)),
        };
        for (number, played) in (1..).zip(fresh) {
            let report = check_game(&rules, &self.game.records(played, Listing::All), number, 4);
            if report.holds() {
                continue;
            }
            let Some(mismatch) = report.mismatches.first() else { continue };
            let at = mismatch.record as usize - 1;
            let decided = played.ended.filter(|_| at == played.plies.len());
            let cells = played.plies.get(at).map_or(&played.last, |ply| &ply.cells);
            let board = format!("in {} after {at} plies", self.game.drawn(cells));
            let truth = decided.map_or("goes on".to_owned(), |(ending, _)| self.game.endings[ending].to_string());
            let class = match decided {
                Some((ending, _)) if !self.game.endings[ending].can_be_said() => Class::CannotBeSaid,
                Some(_) if end(self.game, played).is_some_and(|end| !self.seen.ends.contains(&end)) => {
                    self.general(Class::NotInEvidence, Part::All)
                }
                _ => self.general(Class::Other, Part::All),
            };
            let text = format!("ending: truth: {truth}; {} {board}", plainly(&mismatch.kind));
            let mut here = report.mismatches.iter().filter(|other| other.record == mismatch.record);
            let computed = here.find_map(|other| match other.kind {
                MismatchKind::Outcome { computed, .. } => computed,
                _ => None,
            });
            let outcomes = [decided.map(|(_, outcome)| outcome), computed];
            return Some(Difference { class, text, about: About::Endings(outcomes) });
        }
        None
    }
}

fn uncompiled(error: &CompileError) -> Difference {
    Difference { class: Class::Other, text: format!("the rules do not compile: {error}"), about: About::Unknown }
}

/// What a word removes, as far as it says.
fn removed(word: &Word) -> impl Iterator<Item = Option<Cell>> {
    word.0.iter().filter_map(|micro| match micro.content {
        Content::Remove(cell) if (micro.dx, micro.dy) != (0, 0) => Some(cell),
        _ => None,
    })
}

/// What stands on the squares that a word removes something from.
fn stands_on(position: &Position, start: Square, word: &Word) -> impl Iterator<Item = Cell> {
    let mut at = Some(start);
    word.0.iter().filter_map(move |micro| {
        at = at.and_then(|square| position.shape().step(square, micro.dx, micro.dy));
        let takes = matches!(micro.content, Content::Remove(_)) && (micro.dx, micro.dy) != (0, 0);
        at.filter(|_| takes).map(|square| position.at(square))
    })
}

/// The rules without endings other than being stuck.
fn mover(rules: &Rules) -> Result<RulesGame, CompileError> {
    let mut rules = Rules { learnt: None, ..rules.clone() };
    rules.endings.retain(|ending| ending.when.parts().contains(&Condition::CannotMove));
    RulesGame::new(rules)
}

fn swapped(letter: char) -> char {
    if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
}

fn plainly(kind: &MismatchKind) -> String {
    let name = |outcome: &Option<Outcome>| {
        outcome.map_or("goes on".to_owned(), |outcome| format!("{outcome:?}").to_lowercase())
    };
    match kind {
        MismatchKind::Outcome { recorded, computed } => {
            format!("recorded: {}, learnt: {}", name(recorded), name(computed))
        }
        MismatchKind::Missing(moves) => format!("the learnt game is over, {} moves are missing", moves.len()),
        MismatchKind::Extra(moves) => format!("the learnt game goes on with {} moves", moves.len()),
        other => format!("{other:?}"),
    }
}
