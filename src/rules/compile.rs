//! Rules made into tables that run.
//!
//! Each player's movements become automata over symbols: steps, put-downs and guards, with everything turned for that
//! player. The automata are then laid out for the generator in `generate.rs`, once for the widest board, and made
//! narrow enough for this one (`narrow.rs`).

use super::narrow::WIDEST;
use super::symbol::{Symbol, has_idle_loop, is_ambiguous, looks, may_put_again, may_return};
use super::tables::{Act, Arm, Board, Check, Core, Guard, Hop, Letter, Mover, Node, Outcome, PlayerTables, Put, When};
use super::{Condition, Ending, Flaw, Landing, Movement, Rules, Seen, Start, Taken, Whose, Zone};
use crate::automata::{Dfa, DfaState, TooManyStates};
use crate::board::{Bits, Cell, Content, Player, SetStep, Square};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Rules that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// They make no sense.
    #[error("the rules make no sense: {}", .0.iter().map(|flaw| flaw.reason.as_str()).collect::<Vec<_>>().join("; "))]
    Flawed(Vec<Flaw>),
    /// A movement is too large.
    #[error("the movement of {start} is too large: {reason}")]
    TooManyStates {
        /// Where it starts.
        start: Cell,
        /// How large.
        reason: TooManyStates,
    },
    /// A guard is repeated: `(on:far)*` would be tried for ever.
    #[error("the movement of {start} repeats nothing but guards, which leads nowhere")]
    IdleLoop {
        /// Where it starts.
        start: Cell,
    },
}

impl Core<WIDEST> {
    /// The tables of rules without flaws.
    pub fn new(rules: &Rules) -> Result<Core<WIDEST>, CompileError> {
        let shape = rules.setup.shape();
        let kinds: Vec<Cell> = rules.cells().into_iter().collect();
        let of = |player| (0..kinds.len()).filter(|&k| kinds[k].owner() == Some(player)).collect();
        let kind_at = |square: Square| kinds.iter().position(|&kind| kind == rules.setup.at(square));
        let mut core = Core {
            shape,
            one_player: rules.players.len() == 1,
            counts_plies: rules.endings.iter().any(|ending| ending.when.plies().is_some()),
            board: Bits::of(shape.all().filter(|&s| rules.setup.at(s) != Cell::HOLE).map(Square::index)),
            kinds_of: [of(Player::First), of(Player::Second)],
            owners: kinds.iter().map(|kind| kind.owner()).collect(),
            players: Default::default(),
            start: shape.all().map(kind_at).collect(),
            kinds,
        };
        for player in rules.sides() {
            core.players[player.index()] = core.player(rules, player)?;
        }
        Ok(core)
    }

    fn player(&self, rules: &Rules, player: Player) -> Result<PlayerTables<WIDEST>, CompileError> {
        let mut tables = PlayerTables::default();
        for movement in rules.moves.iter().filter(|movement| movement.side.is_for(player)) {
            let start = movement.start_for(player);
            // A line for one player alone stands in place of the line for both.
            if rules.movement(player, start) != Some(movement) {
                continue;
            }
            let kind = self.kind(start);
            // A piece that is never on the board never moves.
            if kind.is_some() || movement.start == Start::Empty {
                let mover = self.mover(rules, movement, player, start, &mut tables.letters)?;
                tables.movers.push(mover);
            }
        }
        let endings = rules.endings.iter().filter(|ending| ending.side.is_for(player));
        tables.endings = endings.map(|ending| self.ending(rules, ending, player)).collect();
        Ok(tables)
    }

    fn zone(&self, zone: &Zone, turned: bool) -> Bits<WIDEST> {
        let seen = |square| if turned { self.shape.mirrored(square) } else { square };
        Bits::of(self.shape.all().filter(|&s| zone.contains(self.shape, seen(s))).map(Square::index)).and(&self.board)
    }

    /// Whether one guard wants a zone from which what the other looks at lies beyond the edge.
    fn lies_beyond(&self, zone: Symbol, look: Symbol, zones: &[Bits<WIDEST>]) -> bool {
        match (zone, look) {
            (Symbol::Zone { number, within: true }, Symbol::Look { dx, dy, .. }) => {
                zones[number].and(&SetStep::new(self.shape, dx, dy).from).is_empty()
            }
            _ => false,
        }
    }

    fn mover(
        &self,
        rules: &Rules,
        movement: &Movement,
        player: Player,
        start: Cell,
        letters: &mut Vec<Letter>,
    ) -> Result<Mover<WIDEST>, CompileError> {
        let turned = movement.side.turns_for(player);
        let dfa = rules.automaton(movement, player).map_err(|reason| CompileError::TooManyStates { start, reason })?;
        if has_idle_loop(&dfa) {
            return Err(CompileError::IdleLoop { start });
        }
        let zones: Vec<Bits<WIDEST>> = rules.zones.iter().map(|zone| self.zone(zone, turned)).collect();
        let excludes =
            |a: Symbol, b: Symbol| a.excludes(b) || self.lies_beyond(a, b, &zones) || self.lies_beyond(b, a, &zones);
        let node = |state| self.node(&dfa, state, player, &zones, letters);
        let mut nodes: Vec<Node<WIDEST>> = dfa.states().iter().map(node).collect();
        nodes.push(Node::end());
        let mut mover = Mover {
            start: self.kind(start),
            openings: None,
            nodes,
            loops: may_return(&dfa, true),
            touches: may_return(&dfa, false) || looks(&dfa),
            ambiguous: is_ambiguous(&dfa, &excludes),
            puts_again: may_put_again(&dfa),
        };
        if !mover.loops && !mover.ambiguous {
            let fans: Vec<_> = mover.nodes.iter().map(|node| self.fan(&mover, node)).collect();
            mover.nodes.iter_mut().zip(fans).for_each(|(node, fan)| node.fan = fan);
        }
        if !mover.ambiguous && !mover.puts_again {
            mover.openings = self.openings(&mover);
        }
        if mover.openings.is_none() && !mover.puts_again {
            mover.openings = self.stays(&mover);
        }
        Ok(mover)
    }

    fn node(
        &self,
        dfa: &Dfa<Symbol>,
        state: &DfaState<Symbol>,
        player: Player,
        zones: &[Bits<WIDEST>],
        letters: &mut Vec<Letter>,
    ) -> Node<WIDEST> {
        let mut node = Node { accepting: state.accepting, ..Node::end() };
        let mut hops: BTreeMap<(i8, i8), SmallVec<[Arm; 2]>> = BTreeMap::new();
        for &(symbol, to) in &state.edges {
            let to = to.index();
            let target = &dfa.states()[to];
            match symbol {
                Symbol::Step { dx, dy, landing } => {
                    let Some(holds) = self.board_of(landing, player) else { continue };
                    let takes = matches!(landing, Landing::Take(_));
                    let act = if takes { Act::Take } else { Act::Pass(content(landing)) };
                    let letter = number(letters, Letter { dx, dy, delta: self.shape.delta(dx, dy), act });
                    let arm =
                        Arm { holds, takes, letter, to, leaf: target.edges.is_empty(), accepting: target.accepting };
                    hops.entry((dx, dy)).or_default().push(arm);
                }
                Symbol::Put(cell) => {
                    // Every cell that is put down somewhere has a kind.
                    let Some(kind) = self.kind(cell) else { continue };
                    let letter = number(letters, Letter { dx: 0, dy: 0, delta: 0, act: Act::Put(kind) });
                    node.puts.push(Put { kind: Some(kind), letter, to });
                }
                Symbol::Vanish => {
                    // Nothing follows, whatever the automaton has there.
                    if target.accepting {
                        let letter = number(letters, Letter { dx: 0, dy: 0, delta: 0, act: Act::Vanish });
                        node.puts.push(Put { kind: None, letter, to: dfa.states().len() });
                    }
                }
                Symbol::Zone { number, within } => {
                    let squares = if within { zones[number] } else { self.board.without(&zones[number]) };
                    node.guards.push(Guard { check: Check::Within(squares), to });
                }
                Symbol::Look { dx, dy, seen } => {
                    let Some(holds) = self.board_of(Landing::On(seen), player) else { continue };
                    let SetStep { from, shift, back } = SetStep::new(self.shape, dx, dy);
                    node.guards.push(Guard { check: Check::Look { dx, dy, shift, from, back, holds }, to });
                }
            }
        }
        for ((dx, dy), mut arms) in hops {
            arms.sort_by_key(|arm| !arm.leaf);
            let SetStep { from, shift, .. } = SetStep::new(self.shape, dx, dy);
            node.hops.push(Hop { dx, dy, delta: self.shape.delta(dx, dy), shift, from, arms });
        }
        node
    }

    /// The set in which a landing must be; `None` if what it asks for is never on the board.
    fn board_of(&self, landing: Landing, player: Player) -> Option<Board> {
        Some(Board(match landing {
            Landing::On(Seen::Empty) => self.vacant(),
            Landing::On(Seen::Own) | Landing::Take(Taken::Own) => self.side(player),
            Landing::On(Seen::Enemy) | Landing::Take(Taken::Enemy) => self.side(player.other()),
            Landing::Take(Taken::The(cell)) => self.kind(cell)?,
        }))
    }

    fn ending(&self, rules: &Rules, ending: &Ending, player: Player) -> Outcome<WIDEST> {
        let turned = ending.side.turns_for(player);
        Outcome { verdict: ending.verdict, when: self.when(rules, &ending.when, player, turned) }
    }

    fn when(&self, rules: &Rules, when: &Condition, player: Player, turned: bool) -> When<WIDEST> {
        let kinds = |pieces: &[crate::board::Piece], owner: Player| -> Vec<usize> {
            let cells = pieces.iter().map(|piece| if turned { piece.turned().cell() } else { piece.cell() });
            if pieces.is_empty() {
                self.kinds_of[owner.index()].clone()
            } else {
                cells.filter_map(|cell| self.kind(cell)).collect()
            }
        };
        let zone = |name: &str| rules.zone(name).map_or(Bits::NONE, |zone| self.zone(zone, turned));
        match when {
            Condition::On { pieces, zone: name } => When::On { kinds: kinds(pieces, player), zone: zone(name) },
            Condition::Line { count, exactly, pieces, ways } => {
                let ways = if turned { ways.mirrored() } else { *ways };
                let directions = ways.steps().map(|(dx, dy)| SetStep::new(self.shape, dx, dy));
                let directions = directions.map(|step| (step.shift, step.from)).collect();
                let (count, exactly) = (usize::from(*count), *exactly);
                When::Line { count, exactly, kinds: kinds(pieces, player), directions }
            }
            Condition::Left { whose, count, bound, pieces, zone: name } => {
                let owner = if *whose == Whose::Mover { player } else { player.other() };
                let zone = name.as_ref().map_or(self.board, |name| zone(name));
                When::Left { count: *count, bound: *bound, kinds: kinds(pieces, owner), zone }
            }
            Condition::Balance(balance) => When::Balance(*balance),
            Condition::CannotMove => When::CannotMove,
            Condition::NeitherCanMove => When::NeitherCanMove,
            Condition::Plies(plies) => When::Plies(*plies),
            Condition::All(parts) => {
                When::All(parts.iter().map(|part| self.when(rules, part, player, turned)).collect())
            }
        }
    }
}

/// How a log writes what a step passes over.
fn content(landing: Landing) -> Content {
    match landing {
        Landing::On(Seen::Own) => Content::Own,
        Landing::On(Seen::Enemy) => Content::Opponent,
        Landing::On(Seen::Empty) => Content::Empty,
        Landing::Take(_) => Content::Remove(None),
    }
}

fn number(letters: &mut Vec<Letter>, letter: Letter) -> u16 {
    let known = letters.iter().position(|&other| other == letter);
    known.unwrap_or_else(|| {
        letters.push(letter);
        letters.len() - 1
    }) as u16
}
