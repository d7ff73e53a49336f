//! The movements of all pieces, learnt together.

use super::boards::{Boards, Situations};
use super::budget::{Budget, GivenUp};
use super::description_length::{DescriptionLength, WORD_KINDS, rates};
use super::grl::{How, grl};
use super::guard::Guards;
use super::guard_search::{Why, guarded};
use super::letter::Letter;
use super::reading::{as_seen_by, letters, word};
use super::sgrl::{SgrlLimits, Union, sgrl};
use super::state_merging::{Disagreement, Induced, PieceSamples, WordCount, WordTable, annotate};
use super::trie::{Source, count_moves};
use super::{Contradiction, Evidence, Method, Options, Progress};
use crate::automata::Dfa;
use crate::board::{Cell, Player, Square};
use crate::rules::Symbol;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What was learnt of one kind of piece.
#[derive(Clone, Debug)]
pub(super) struct KindMovement {
    /// The piece as the first player has it, or [`Cell::EMPTY`] for drops.
    pub kind: Cell,
    /// Whether both players move it in the same way, as they see the board.
    pub shared: bool,
    /// What was learnt for each player who has it, as that player sees the board.
    pub players: [Option<PlayerMovement>; 2],
    /// Whether the search was given up; then nothing was learnt.
    pub given_up: bool,
}

impl KindMovement {
    /// Nothing was learnt if the search was given up for either player.
    fn or_none(mut self, given_up: bool) -> KindMovement {
        self.given_up = given_up;
        for movement in self.players.iter_mut().flatten().filter(|_| given_up) {
            (movement.automaton, movement.consistent) = (no_words(), false);
        }
        self
    }
}

fn no_words() -> Dfa<Letter> {
    Dfa::prefix_tree([] as [Vec<Letter>; 0])
}

/// How one player moves a kind of piece.
#[derive(Clone, Debug)]
pub(super) struct PlayerMovement {
    pub automaton: Dfa<Letter>,
    pub guards: Guards,
    /// For each guard why it is needed.
    pub why: Vec<Option<Why>>,
    pub consistent: bool,
    pub contradictions: Vec<Contradiction>,
}

/// The share of false records that is assumed where records contradict each other and nobody said how many are false.
pub(super) const ASSUMED_NOISE: f64 = 0.01;

/// What is known of all pieces before any is learnt.
pub(super) struct SampleSet<const N: usize> {
    pub boards: [Boards<N>; 2],
    /// For each player, the words of each kind.
    pub tables: Vec<(Cell, [Option<WordTable>; 2])>,
    /// For each player and board, the share that one of its legal moves has.
    share: [Vec<f64>; 2],
    rates: [f64; WORD_KINDS],
}

pub(super) const PLAYERS: [Player; 2] = [Player::First, Player::Second];

/// A cell as a player sees it, or the other way round.
pub(super) fn cell_of(player: Player, cell: Cell) -> Cell {
    if player == Player::First || cell.is_empty() { cell } else { cell.turned() }
}

impl<const N: usize> SampleSet<N> {
    pub fn of(evidence: &Evidence, situations: &Situations) -> SampleSet<N> {
        let boards = PLAYERS.map(|player| Boards::of(situations, player));
        let mut kinds: Vec<Cell> = evidence.words.keys().map(|&(player, start)| cell_of(player, start)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let table = |player: Player, kind: Cell| {
            let start = cell_of(player, kind);
            let words = evidence.words.get(&(player, start));
            (words.is_some() || !start.is_empty() && boards[player.index()].has(start)).then(|| {
                let mut table = WordTable::new();
                for (word, origins) in words.into_iter().flatten() {
                    let Some(word) = letters(word, player) else { continue };
                    let shape = boards[0].shape;
                    let square = |square| if player == Player::First { square } else { shape.mirrored(square) };
                    let seen = origins.iter().map(|(start, listed)| {
                        (square(*start), WordCount { all: u64::from(listed.all), some: u64::from(listed.some) })
                    });
                    add_origins(table.entry(word).or_default(), seen);
                }
                table
            })
        };
        let tables = kinds.into_iter().map(|kind| (kind, PLAYERS.map(|player| table(player, kind)))).collect();
        let share = [0, 1].map(|player: usize| vec![0.0; boards[player].len()]);
        SampleSet { boards, tables, share, rates: [1.0; WORD_KINDS] }
    }

    /// The share of each board's legal moves, if these are the movements; and how evenly the players play then.
    fn count(&mut self, options: &Options, movement: &(dyn Fn(Player, Cell) -> Option<GuardedMovement> + Sync)) {
        let share = PLAYERS.into_par_iter().map(|player| {
            let boards = &self.boards[player.index()];
            let mut moves = vec![0.0; boards.len()];
            for (kind, _) in &self.tables {
                if let Some((automaton, guards)) = movement(player, *kind) {
                    count_moves(boards, cell_of(player, *kind), (&automaton, &guards), &mut moves);
                }
            }
            moves.iter().zip(&boards.all).map(|(&b, &all)| if all { 0.0 } else { 1.0 / b.max(1.0) }).collect()
        });
        let share: Vec<Vec<f64>> = share.collect();
        (0..).zip(share).for_each(|(player, share): (usize, _)| self.share[player] = share);
        let even = DescriptionLength { rates: [1.0; WORD_KINDS], noise: options.noise };
        let plays = self.tables.par_iter().map(|(kind, tables)| {
            let pieces = PLAYERS.into_iter().filter_map(|player| {
                let guards = movement(player, *kind)?.1;
                let source = vec![self.source(player, *kind)];
                Some(PieceSamples::new(source, tables[player.index()].as_ref()?, guards, kind.is_empty(), &even))
            });
            pieces.flat_map(|piece| piece.plays()).collect::<Vec<_>>()
        });
        self.rates = rates(&plays.collect::<Vec<_>>().concat(), options.floor);
    }

    pub fn source(&self, player: Player, kind: Cell) -> Source<'_, N> {
        let boards = &self.boards[player.index()];
        Source { boards, starts: boards.starts(cell_of(player, kind)), share: &self.share[player.index()] }
    }

    /// One player's piece of a kind, if the player has any.
    fn piece(
        &self,
        player: Player,
        kind: Cell,
        tables: &[Option<WordTable>; 2],
        model: &DescriptionLength,
        effort: u64,
    ) -> Result<Option<PieceSamples<'_, N>>, GivenUp> {
        let Some(table) = &tables[player.index()] else { return Ok(None) };
        guarded(vec![self.source(player, kind)], table, kind.is_empty(), model, &mut Budget::new(effort)).map(Some)
    }

    fn lists_some(&self) -> bool {
        self.boards.iter().any(|boards| boards.all.iter().any(|&all| !all))
    }

    /// Learns the movement of every kind of piece.
    pub fn movements(
        &mut self,
        evidence: &Evidence,
        options: &Options,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Vec<KindMovement> {
        match options.method {
            Method::Shortest => {}
            Method::Paper { distance, expansions } => {
                return self.papers_movements(evidence, options, SgrlLimits { distance, expansions }, watch);
            }
            Method::Grl(None) => return self.papers_turns(evidence, options, How::Shortest, watch),
            Method::Grl(Some((distance, expansions))) => {
                let how = How::Collapse(SgrlLimits { distance, expansions });
                return self.papers_turns(evidence, options, how, watch);
            }
        }
        if !self.lists_some() {
            return self.round(Some(evidence), options, watch);
        }
        // Every word counts the same until something is known of how evenly they are played.
        let even = DescriptionLength { rates: [1.0; WORD_KINDS], noise: options.noise };
        let none = Guards::none(self.boards[0].shape);
        let mut believed: BTreeMap<(Player, Cell), GuardedMovement> = BTreeMap::new();
        for (kind, tables) in &self.tables {
            for player in PLAYERS {
                let Some(table) = &tables[player.index()] else { continue };
                let noisy = (options.noise > 0.0).then(|| self.piece(player, *kind, tables, &even, options.effort));
                let noisy = noisy.and_then(|piece| piece.ok().flatten());
                let plain = |word: &Vec<Symbol>| word.iter().copied().map(Letter::plain).collect::<Vec<_>>();
                let tree = match noisy {
                    Some(piece) => (Dfa::prefix_tree(piece.kept_words()), piece.guards),
                    None => (Dfa::prefix_tree(table.keys().map(plain)), none.clone()),
                };
                believed.insert((player, *kind), tree);
            }
        }
        let listed = |player: Player, kind: Cell| believed.get(&(player, kind)).cloned();
        self.count(options, &listed);
        let first = self.round(None, options, &|_| {});
        let learnt = |player: Player, kind: Cell| {
            let movement = first.iter().find(|movement| movement.kind == kind)?;
            let movement = movement.players[player.index()].as_ref()?;
            Some((movement.automaton.clone(), movement.guards.clone()))
        };
        self.count(options, &learnt);
        self.round(Some(evidence), options, watch)
    }

    /// Learns every kind once. Only with the evidence it looks for contradictions, which a first round need not know.
    fn round(
        &self,
        evidence: Option<&Evidence>,
        options: &Options,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Vec<KindMovement> {
        let learn = |(kind, tables): &(Cell, [Option<WordTable>; 2])| {
            watch(Progress::Begun(*kind, None));
            let movement = self.kind(evidence, *kind, tables, options);
            watch(Progress::Done(*kind, None));
            movement
        };
        self.tables.par_iter().map(learn).collect()
    }

    /// What the paper's learner finds, for each player alone. A piece with an inconsistent prefix tree gets no
    /// movement.
    fn papers_movements(
        &self,
        evidence: &Evidence,
        options: &Options,
        limits: SgrlLimits,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Vec<KindMovement> {
        let unions = PLAYERS.map(|player| self.union_seen_by(player));
        let clean = DescriptionLength { rates: self.rates, noise: 0.0 };
        let learn = |(kind, tables): &(Cell, [Option<WordTable>; 2])| {
            let mut given_up = false;
            let players = PLAYERS.map(|player| {
                let words = tables[player.index()].as_ref()?;
                watch(Progress::Begun(*kind, Some(player)));
                let union = &unions[player.index()];
                let automaton = sgrl(self, (player, *kind), words, union, limits, Budget::new(options.effort));
                watch(Progress::Done(*kind, Some(player)));
                given_up |= automaton.is_err();
                let automaton = automaton.ok().flatten();
                let consistent = automaton.is_some();
                let piece = self.piece(player, *kind, tables, &clean, options.effort).ok().flatten();
                let found = piece.map_or(Vec::new(), |piece| piece.disagreements(&clean));
                let found = found.iter().filter(|found| !consistent && found.expected.is_none());
                Some(PlayerMovement {
                    automaton: automaton.unwrap_or_else(no_words),
                    guards: Guards::none(self.boards[0].shape),
                    why: Vec::new(),
                    consistent,
                    contradictions: found.map(|found| self.contradiction(evidence, player, *kind, found)).collect(),
                })
            });
            KindMovement { kind: *kind, shared: false, players, given_up: false }.or_none(given_up)
        };
        self.tables.par_iter().map(learn).collect()
    }

    /// What GRL finds, for each player alone.
    fn papers_turns(
        &mut self,
        evidence: &Evidence,
        options: &Options,
        how: How,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Vec<KindMovement> {
        // Where only some moves are listed, whether something was to be expected depends on how many moves there are.
        if self.lists_some() {
            let shape = self.boards[0].shape;
            let plain = |word: &Vec<Symbol>| word.iter().copied().map(Letter::plain).collect::<Vec<_>>();
            let tables = self.tables.clone();
            let listed = |player: Player, kind: Cell| {
                let table = tables.iter().find(|table| table.0 == kind)?.1[player.index()].as_ref()?;
                Some((Dfa::prefix_tree(table.keys().map(plain)), Guards::none(shape)))
            };
            self.count(options, &listed);
        }
        let clean = DescriptionLength { rates: self.rates, noise: 0.0 };
        let piece = |player: Player, kind: Cell, tables: &[Option<WordTable>; 2]| {
            self.piece(player, kind, tables, &clean, options.effort)
        };
        let found = PLAYERS.map(|player| {
            let guards = self.tables.iter().filter_map(|(kind, tables)| {
                let piece = piece(player, *kind, tables).ok().flatten()?;
                Some((*kind, piece.guards))
            });
            let how = (how, &clean, Budget::new(options.effort));
            grl(self, player, guards.collect(), how, &|kind, turns, done| {
                watch(match (turns, done) {
                    (false, false) => Progress::Begun(kind, Some(player)),
                    (false, true) => Progress::Done(kind, Some(player)),
                    (true, false) => Progress::TurnsBegun(kind, player),
                    (true, true) => Progress::TurnsDone(kind, player),
                });
            })
        });
        let learn = |(kind, tables): &(Cell, [Option<WordTable>; 2])| {
            let mut given_up = false;
            let players = PLAYERS.map(|player| {
                let found = found[player.index()].get(kind)?;
                let consistent = found.automaton.is_some();
                tables[player.index()].as_ref()?;
                let piece = piece(player, *kind, tables);
                given_up |= found.given_up || piece.is_err();
                let piece = piece.ok().flatten();
                let told = piece.as_ref().map_or(Vec::new(), |piece| piece.disagreements(&clean));
                let told = told.iter().filter(|told| !consistent && told.expected.is_none());
                Some(PlayerMovement {
                    automaton: found.automaton.clone().unwrap_or_else(no_words),
                    why: piece.map_or(vec![None; found.guards.list.len()], |piece| why_of(&piece, &found.guards)),
                    guards: found.guards.clone(),
                    consistent,
                    contradictions: told.map(|told| self.contradiction(evidence, player, *kind, told)).collect(),
                })
            });
            KindMovement { kind: *kind, shared: false, players, given_up: false }.or_none(given_up)
        };
        self.tables.iter().map(learn).collect()
    }

    /// The words of all pieces of both players, as one of them sees the board.
    fn union_seen_by(&self, player: Player) -> Union {
        let mut union = Union::default();
        for (_, tables) in &self.tables {
            for owner in PLAYERS {
                let turned = |&letter: &Symbol| as_seen_by(player, as_seen_by(owner, letter));
                let words = tables[owner.index()].iter().flat_map(WordTable::keys);
                union.extend(words.map(|word| word.iter().map(turned).collect::<Vec<Symbol>>()));
            }
        }
        union
    }

    /// What disagrees, as it stands on the board.
    fn contradiction(&self, evidence: &Evidence, player: Player, kind: Cell, found: &Disagreement) -> Contradiction {
        let shape = self.boards[0].shape;
        let start = cell_of(player, kind);
        let turned = |square| if player == Player::First { square } else { shape.mirrored(square) };
        let mut squares: BTreeMap<Square, (u64, u64)> = BTreeMap::new();
        let possible = found.origins.iter().filter(|origin| origin.1.all > 0);
        possible.for_each(|&(square, times)| squares.entry(turned(square)).or_default().1 += times.all);
        for (word, origins) in evidence.words.get(&(player, start)).into_iter().flatten() {
            if letters(word, player).is_some_and(|letters| letters == found.word) {
                for (square, listed) in origins {
                    squares.entry(*square).and_modify(|sums| sums.0 += u64::from(listed.all));
                }
            }
        }
        let letters: Vec<Symbol> = found.word.iter().map(|&letter| as_seen_by(player, letter)).collect();
        let squares = squares.into_iter().map(|(square, (listed, possible))| (square, listed, possible)).collect();
        let (listed, possible, expected) = (found.listed, found.possible, found.expected);
        Contradiction { player, start, word: word(&letters), listed, possible, expected, squares }
    }

    fn kind(
        &self,
        evidence: Option<&Evidence>,
        kind: Cell,
        tables: &[Option<WordTable>; 2],
        options: &Options,
    ) -> KindMovement {
        let mut contradictions = [Vec::new(), Vec::new()];
        let searched = self.search(evidence, kind, tables, options, &mut contradictions);
        let shared = searched.as_ref().is_ok_and(|found| found.1);
        let given_up = searched.is_err();
        let mut induced = searched.map_or([None, None], |found| found.0);
        let players = [0, 1].map(|player: usize| {
            tables[player].as_ref()?;
            let contradictions = std::mem::take(&mut contradictions[player]);
            let consistent = !given_up && (contradictions.is_empty() || options.noise > 0.0);
            let nothing = || Induced {
                automaton: no_words(),
                guards: Guards::none(self.boards[0].shape),
                why: Vec::new(),
                description: 0.0,
                surprise: 0.0,
            };
            let Induced { automaton, guards, why, .. } = induced[player].take().unwrap_or_else(nothing);
            let why = why.into_iter().map(Some).collect();
            Some(PlayerMovement { automaton, guards, why, consistent, contradictions })
        });
        KindMovement { kind, shared, players, given_up }
    }

    /// How each player who has it moves a kind, and whether both do alike. On what records contradict each other is told
    /// even if it is given up later.
    fn search(
        &self,
        evidence: Option<&Evidence>,
        kind: Cell,
        tables: &[Option<WordTable>; 2],
        options: &Options,
        contradictions: &mut [Vec<Contradiction>; 2],
    ) -> Result<([Option<Induced>; 2], bool), GivenUp> {
        let pieces = |model: &DescriptionLength| {
            let piece = |player| self.piece(player, kind, tables, model, options.effort);
            let (first, second) = rayon::join(|| piece(Player::First), || piece(Player::Second));
            Ok([first?, second?])
        };
        let mut model = DescriptionLength { rates: self.rates, noise: 0.0 };
        let mut alone = pieces(&model)?;
        *contradictions = PLAYERS.map(|player| {
            let (Some(evidence), Some(piece)) = (evidence, &alone[player.index()]) else { return Vec::new() };
            let found = piece.disagreements(&model);
            found.iter().map(|found| self.contradiction(evidence, player, kind, found)).collect::<Vec<_>>()
        });
        // Where records contradict each other some must be false, and then it is better to find out which.
        let contradictory = contradictions.iter().any(|found| !found.is_empty());
        model.noise = if options.noise == 0.0 && contradictory { ASSUMED_NOISE } else { options.noise };
        if model.noise > 0.0 {
            alone = pieces(&model)?;
        }
        let together = self.together(kind, tables, &mut alone, &model, options.effort)?;
        let shared = together.as_ref().is_some_and(|(induced, ground)| {
            // To write the movement twice would cost another description.
            let apart: f64 = alone.iter().flatten().map(|piece| piece.ground_cost()).sum();
            let apart = if model.noise > 0.0 { apart } else { 0.0 };
            induced.surprise + ground - apart <= induced.description
        });
        let induce = |piece: &mut Option<PieceSamples<N>>| {
            let mut effort = Budget::new(options.effort);
            piece.as_mut().map(|piece| piece.induce(&model, &mut effort)).transpose()
        };
        let [first, second] = &mut alone;
        let (first, second) =
            if shared { (Ok(None), Ok(None)) } else { rayon::join(|| induce(first), || induce(second)) };
        let apart = [first?, second?];
        let total = |induced: &Induced, ground: f64| induced.description + induced.surprise + ground;
        let both: f64 = (apart.iter().zip(&alone))
            .filter_map(|(induced, piece)| Some(total(induced.as_ref()?, piece.as_ref()?.ground_cost())))
            .sum();
        Ok(match together.filter(|(induced, ground)| shared || total(induced, *ground) <= both) {
            Some((induced, _)) => ([Some(induced.clone()), Some(induced)], true),
            None => (apart, false),
        })
    }

    /// The movement of a kind if both players move it alike, with what it costs in any case; nothing if they cannot.
    fn together(
        &self,
        kind: Cell,
        tables: &[Option<WordTable>; 2],
        alone: &mut [Option<PieceSamples<N>>; 2],
        model: &DescriptionLength,
        effort: u64,
    ) -> Result<Option<(Induced, f64)>, GivenUp> {
        let [Some(first), Some(second)] = tables else { return Ok(None) };
        let mut effort = Budget::new(effort);
        let mut table = first.clone();
        for (word, origins) in second {
            add_origins(table.entry(word.clone()).or_default(), origins.iter().copied());
        }
        let sources = PLAYERS.map(|player| self.source(player, kind)).into();
        let mut piece = guarded(sources, &table, kind.is_empty(), model, &mut effort)?;
        if piece.ground_cost() == f64::INFINITY {
            return Ok(None);
        }
        let mut induced = piece.induce(model, &mut effort)?;
        // Words that only the other player was seen to play.
        for player in PLAYERS {
            let own = alone[player.index()].as_mut().filter(|own| own.guards == piece.guards);
            let cost = own.and_then(|own| own.cost_of_foreign(&piece, model)).or_else(|| {
                let table = tables[player.index()].as_ref()?;
                let mut known = annotate(table, &piece.guards);
                piece.kept_words().for_each(|word| {
                    known.entry(word).or_default();
                });
                let source = vec![self.source(player, kind)];
                let mut own = PieceSamples::spelt(source, &known, piece.guards.clone(), kind.is_empty(), model);
                own.cost_of_foreign(&piece, model)
            });
            let Some(cost) = cost else { return Ok(None) };
            induced.surprise += cost;
        }
        Ok(Some((induced, piece.ground_cost())))
    }
}

/// Why a piece needs its guards, in the order of other guards; nothing is told of those that are not its own.
fn why_of<const N: usize>(piece: &PieceSamples<N>, guards: &Guards) -> Vec<Option<Why>> {
    let place = |guard| piece.guards.list.iter().position(|own| own == guard);
    guards.list.iter().map(|guard| piece.why.get(place(guard)?).cloned()).collect()
}

/// A movement with its guards.
type GuardedMovement = (Dfa<Letter>, Guards);

/// Adds how often a word was listed to what is known already, sorted by square.
fn add_origins(sums: &mut Vec<(Square, WordCount)>, origins: impl IntoIterator<Item = (Square, WordCount)>) {
    for (square, count) in origins {
        let at = sums.binary_search_by_key(&square, |origin| origin.0).unwrap_or_else(|at| {
            sums.insert(at, (square, WordCount::default()));
            at
        });
        sums[at].1.add(count);
    }
}
