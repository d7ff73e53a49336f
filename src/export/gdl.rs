//! Rules as a rule sheet in the Game Description Language.
//!
//! The sheet has the same states as the rules' own game (the same facts) and a move for each of its words. Automata are
//! facts, and a few rules walk them. What a word changes on its way is not on the board yet, so the squares where it
//! takes or puts down pieces go along as arguments, and there are rules for each number of them that some word has
//! (`forms.rs`): no relation grows without end.

use super::forms::{Act, Form, FormProblem, Forms};
use super::gdl_moves::{WordRules, becomes};
use super::kif_writer::Kif;
use super::mover::{MoverAutomaton, What, machines};
use crate::board::{Cell, Player, Shape, Square};
use crate::rules::{
    Area, Balance, Bound, CompileError, Condition, Ending, Engine, Landing, Rules, Symbol, Verdict, Ways, Whose, Zone,
};
use std::collections::BTreeSet;

/// Rules that cannot be written for another program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// They do not run.
    #[error(transparent)]
    Rules(#[from] CompileError),
    /// A movement has words that cannot be written.
    #[error("the movement of {start} cannot be written: {problem}")]
    Movement {
        /// What its turns start on.
        start: Cell,
        /// Why.
        problem: FormProblem,
    },
    /// A name means something else in the other language.
    #[error("the {what} {name} cannot keep its name: {reason}")]
    Name {
        /// What is called so.
        what: &'static str,
        /// Its name.
        name: String,
        /// What the name means there.
        reason: &'static str,
    },
    /// There is no such piece, or it does not move.
    #[error("no turn starts on {piece}: expected one of {}", .expected.join(", "))]
    Piece {
        /// What was asked for.
        piece: String,
        /// What turns start on.
        expected: Vec<String>,
    },
    /// An ending asks for something that cannot be written.
    #[error("the ending '{ending}' cannot be written: {reason}")]
    Ending {
        /// The ending.
        ending: String,
        /// Why.
        reason: &'static str,
    },
    /// The position is not one of the game.
    #[error("the position does not fit the game: {0}")]
    Position(#[from] crate::rules::UnknownPiece),
}

/// The rule sheet of a game: the same states, a move for each word, the same endings.
///
/// ```
/// use onlooker::game::catalogue_game;
/// use onlooker::gdl::Program;
///
/// let game = catalogue_game("breakthrough").expect("a game of the catalogue");
/// let sheet = onlooker::export::gdl(game.rules())?;
/// assert_eq!(Program::read(&sheet)?.roles(), ["white", "black"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ExportError`] if the rules do not compile, or a movement or a name cannot be written in this language.
pub fn gdl(rules: &Rules) -> Result<String, ExportError> {
    Engine::compile(rules)?;
    check_names(rules)?;
    check_endings(rules)?;
    let machines =
        machines(rules).map_err(|(start, reason)| ExportError::Rules(CompileError::TooManyStates { start, reason }))?;
    let mut forms = Forms::default();
    for machine in &machines {
        let refuse = |problem| ExportError::Movement { start: machine.start, problem };
        forms.add(rules, machine).map_err(refuse)?;
    }
    forms.prune();
    let mut sheet =
        Sheet { rules, machines: &machines, forms: &forms, names: names(rules, &machines), kif: Kif::default() };
    sheet.write();
    Ok(sheet.kif.finish())
}

/// Names that facts and rules of every sheet use for something else than a piece.
const TAKEN: [&str; 4] = ["blank", "wall", "own", "enemy"];

fn check_names(rules: &Rules) -> Result<(), ExportError> {
    let refuse = |what, name: &str, reason| Err(ExportError::Name { what, name: name.to_owned(), reason });
    for piece in rules.pieces() {
        let name = piece.to_string();
        if name.starts_with('?') {
            return refuse("piece", &name, "names that begin with ? are variables in rule sheets");
        }
        if TAKEN.contains(&name.as_str()) {
            return refuse("piece", &name, "rule sheets use it for what a square holds");
        }
    }
    Ok(())
}

/// The automata's names: each machine's, and the machine that has the same automaton and is written for it.
fn names(rules: &Rules, machines: &[MoverAutomaton]) -> Vec<(String, usize)> {
    let mut names: Vec<(String, usize)> = Vec::new();
    for (number, machine) in machines.iter().enumerate() {
        let same = |other: &&usize| {
            let other = &machines[**other];
            other.nodes == machine.nodes && turned(other) == turned(machine)
        };
        let first = (0..number).collect::<Vec<usize>>().iter().find(same).copied();
        let mut name = match machine.start.piece() {
            Some(piece) => piece.to_string(),
            None => format!("drop_{}", rules.players[machine.player.index()]),
        };
        while names.iter().any(|(other, _)| *other == name) {
            name.push('_');
        }
        names.push((name, first.unwrap_or(number)));
    }
    names
}

/// Whether the machine's zones are mirrored. Machines without zones are the same either way.
fn turned(machine: &MoverAutomaton) -> bool {
    let zones = |edge: &super::mover::MoverEdge| matches!(edge.symbol, Symbol::Zone { .. });
    machine.movement.side.turns_for(machine.player) && machine.nodes.iter().any(|node| node.edges.iter().any(zones))
}

struct Sheet<'a> {
    rules: &'a Rules,
    machines: &'a [MoverAutomaton<'a>],
    forms: &'a Forms,
    names: Vec<(String, usize)>,
    kif: Kif,
}

/// What facts call a square's content.
pub(super) fn content(cell: Cell) -> String {
    match cell {
        Cell::EMPTY => "blank".to_owned(),
        Cell::WALL => "wall".to_owned(),
        piece => piece.to_string(),
    }
}

fn what_name(what: What) -> String {
    match what {
        What::Blank => "blank".to_owned(),
        What::Own => "own".to_owned(),
        What::Enemy => "enemy".to_owned(),
        What::The(cell) => content(cell),
    }
}

/// A direction's name: a point of the compass for a neighbour, otherwise how far it goes, as in `e1n2`.
pub(super) fn direction((dx, dy): (i8, i8)) -> String {
    let file = if dx > 0 { "e" } else { "w" };
    let rank = if dy > 0 { "n" } else { "s" };
    match (dx, dy) {
        (0, 0) => "here".to_owned(),
        (0, _) if dy.abs() == 1 => rank.to_owned(),
        (_, 0) if dx.abs() == 1 => file.to_owned(),
        (0, _) => format!("{rank}{}", dy.unsigned_abs()),
        (_, 0) => format!("{file}{}", dx.unsigned_abs()),
        _ if dx.abs() == 1 && dy.abs() == 1 => format!("{rank}{file}"),
        _ => format!("{file}{}{rank}{}", dx.unsigned_abs(), dy.unsigned_abs()),
    }
}

impl<'a> Sheet<'a> {
    fn player(&self, player: Player) -> &str {
        &self.rules.players[player.index()]
    }

    /// Who owns the second player's pieces; somebody who is no role in games for one.
    fn owner(&self, player: Player) -> String {
        match self.rules.players.get(player.index()) {
            Some(name) => name.clone(),
            None if self.rules.players[0] == "nobody" => "nobody_".to_owned(),
            None => "nobody".to_owned(),
        }
    }

    fn write(&mut self) {
        let rules = self.rules;
        self.kif.comment(&format!("{} as a rule sheet, written from its rules by Onlooker.", rules.name));
        if !rules.about.is_empty() {
            self.kif.comment(&rules.about);
        }
        self.kif.comment("Upper and lower case are different: names of pieces tell the players apart by them.");
        self.kif.line("");
        self.kif.facts(rules.players.iter().map(|name| format!("(role {name})")));
        self.state();
        self.board();
        self.contents();
        self.automata();
        let mut words = WordRules { forms: self.forms, kif: &mut self.kif, on_board: true };
        words.write();
        self.legal();
        let mut words = WordRules { forms: self.forms, kif: &mut self.kif, on_board: false };
        words.write();
        self.next();
        self.endings();
    }

    fn cells(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = vec![Cell::EMPTY];
        let mut walls = self.rules.setup.cells().contains(&Cell::WALL);
        for machine in self.machines {
            let edges = machine.nodes.iter().flat_map(|node| &node.edges);
            walls |= edges.into_iter().any(|edge| edge.symbol == Symbol::Put(Cell::WALL));
        }
        cells.extend(self.rules.pieces().into_iter().map(|piece| piece.cell()));
        cells.extend(walls.then_some(Cell::WALL));
        cells
    }

    fn counts_plies(&self) -> Option<u32> {
        self.rules.endings.iter().filter_map(|ending| ending.when.plies()).max()
    }

    fn squares(&self) -> Vec<Square> {
        let setup = &self.rules.setup;
        setup.shape().all().filter(|&square| setup.at(square) != Cell::HOLE).collect()
    }

    fn at(&self, square: Square) -> String {
        let shape = self.rules.setup.shape();
        format!("{} {}", shape.file(square) + 1, shape.rank(square) + 1)
    }

    fn state(&mut self) {
        self.kif.part("The state: what is on each square, and whose turn it is.", "");
        let contents = self.cells().into_iter().map(|cell| format!("(content {})", content(cell)));
        self.kif.facts(contents);
        self.kif.rule("(base (cell ?x ?y ?p))", ["(square ?s ?x ?y)", "(content ?p)"]);
        self.kif.rule("(base (control ?w))", ["(role ?w)"]);
        if self.counts_plies().is_some() {
            self.kif.line("(base (plies 0))");
            self.kif.rule("(base (plies ?n))", ["(succ ?m ?n)"]);
        }
        let setup = &self.rules.setup;
        let init = self.squares().into_iter().map(|s| format!("(init (cell {} {}))", self.at(s), content(setup.at(s))));
        let init: Vec<String> = init.collect();
        self.kif.facts(init);
        let first = self.player(Player::First).to_owned();
        self.kif.line(&format!("(init (control {first}))"));
        if self.counts_plies().is_some() {
            self.kif.line("(init (plies 0))");
        }
    }

    fn directions(&self) -> BTreeSet<(i8, i8)> {
        let mut found = BTreeSet::new();
        for edge in self.machines.iter().flat_map(|machine| &machine.nodes).flat_map(|node| &node.edges) {
            if let Symbol::Step { dx, dy, .. } | Symbol::Look { dx, dy, .. } = edge.symbol {
                found.insert((dx, dy));
            }
        }
        found.extend(self.lines());
        found
    }

    fn board(&mut self) {
        self.kif.part("The board: names of squares with file and rank, and steps from square to square.", "");
        let shape = self.rules.setup.shape();
        for rank in (0..shape.height()).rev() {
            let squares = self.squares().into_iter().filter(|&square| shape.rank(square) == rank);
            let facts: Vec<String> = squares.map(|s| format!("(square {} {})", shape.name(s), self.at(s))).collect();
            self.kif.facts(facts);
        }
        let sides = shape.width().max(shape.height()) as u32;
        // One more, since an ending of one player may have to wait for that player's next move.
        let most = self.counts_plies().map_or(0, |plies| plies.saturating_add(1)).max(sides).max(self.most_left());
        self.kif.facts((0..most).map(|n| format!("(succ {n} {})", n + 1)));
        for (dx, dy) in self.directions() {
            let mut conditions = vec!["(square ?a ?x ?y)".to_owned()];
            let mut go = |letter: &str, by: i8| {
                let mut at = format!("?{letter}");
                for i in 1..=by.unsigned_abs() {
                    let next = format!("?{letter}{i}");
                    let pair = if by > 0 { format!("{at} {next}") } else { format!("{next} {at}") };
                    conditions.push(format!("(succ {pair})"));
                    at = next;
                }
                at
            };
            let (x, y) = (go("x", dx), go("y", dy));
            conditions.push(format!("(square ?b {x} {y})"));
            self.kif.rule(&format!("(step {} ?a ?b)", direction((dx, dy))), conditions);
        }
        for (zone, mirrored) in self.zones() {
            let name = zone_name(zone, mirrored);
            for area in &zone.areas {
                self.area(&name, area, mirrored);
            }
        }
    }

    /// The zones that are asked for, and whether as the second player sees them.
    fn zones(&self) -> Vec<(&'a Zone, bool)> {
        let mut asked: BTreeSet<(usize, bool)> = BTreeSet::new();
        for machine in self.machines {
            for edge in machine.nodes.iter().flat_map(|node| &node.edges) {
                if let Symbol::Zone { number, .. } = edge.symbol {
                    asked.insert((number, machine.movement.side.turns_for(machine.player)));
                }
            }
        }
        for ending in &self.rules.endings {
            for zone in ending.when.parts().iter().filter_map(Condition::zone) {
                let number = self.rules.zones.iter().position(|other| other.name == *zone).unwrap_or(0);
                let sides = self.rules.sides().filter(|&player| ending.side.is_for(player));
                asked.extend(sides.map(|player| (number, ending.side.turns_for(player))));
            }
        }
        let rules = self.rules;
        asked.into_iter().map(|(number, mirrored)| (&rules.zones[number], mirrored)).collect()
    }

    fn area(&mut self, name: &str, area: &Area, mirrored: bool) {
        let shape = self.rules.setup.shape();
        let rank = |rank: u8| if mirrored { shape.height() as u8 - rank } else { rank + 1 };
        let head = format!("(zone {name} ?s)");
        match area {
            Area::Ranks(from, to) => {
                (*from..=*to).for_each(|y| self.kif.rule(&head, [format!("(square ?s ?x {})", rank(y))]));
            }
            Area::Files(from, to) => {
                (*from..=*to).for_each(|x| self.kif.rule(&head, [format!("(square ?s {} ?y)", x + 1)]));
            }
            Area::Squares(_) | Area::Rectangle(..) | Area::Dark | Area::Light | Area::Corners => {
                let seen = |square| if mirrored { shape.mirrored(square) } else { square };
                let inside = shape.all().filter(|&square| area.contains(shape, seen(square)));
                let named = inside.filter(|&square| self.rules.setup.at(square) != Cell::HOLE);
                let facts: Vec<String> = named.map(|s| format!("(zone {name} {})", shape.name(s))).collect();
                self.kif.facts(facts);
            }
        }
    }

    fn contents(&mut self) {
        self.kif.part("What is on a square, and how a player sees it.", "");
        let pieces = self.rules.pieces();
        let owners: Vec<String> =
            pieces.iter().map(|piece| format!("(owner {} {piece})", self.owner(piece.owner()))).collect();
        self.kif.facts(owners);
        self.kif.rule("(on ?s ?p)", ["(true (cell ?x ?y ?p))", "(square ?s ?x ?y)"]);
        self.kif.rule("(fits ?w ?p ?p)", ["(role ?w)", "(content ?p)"]);
        self.kif.rule("(fits ?w own ?p)", ["(role ?w)", "(owner ?w ?p)"]);
        self.kif.rule("(fits ?w enemy ?p)", ["(role ?w)", "(owner ?v ?p)", "(distinct ?v ?w)"]);
        self.kif.rule("(holds ?w ?what ?s)", ["(on ?s ?p)", "(fits ?w ?what ?p)"]);
    }

    fn automata(&mut self) {
        let acts: BTreeSet<Act> = self.forms.begun.values().flat_map(|form| form.acts.keys().copied()).collect();
        let mut about = vec!["(mover player piece automaton): a turn of the player may start on the piece."];
        about.extend(acts.into_iter().map(edge_comment));
        let of_forms = |wanted: fn(&Form) -> bool| self.forms.begun.values().any(wanted);
        about.extend(of_forms(|form| form.ends).then_some("(ends automaton state): the move may end on this square."));
        about.extend(
            of_forms(|form| form.rests)
                .then_some("(rests automaton state): the move may end on the last square it has named."),
        );
        self.kif.part("How pieces move: automata.", &about.join("\n"));
        let movers: Vec<String> = self
            .machines
            .iter()
            .zip(&self.names)
            .map(|(machine, (_, written))| {
                let (player, start) = (self.player(machine.player), content(machine.start));
                format!("(mover {player} {start} {})", self.names[*written].0)
            })
            .collect();
        self.kif.facts(movers);
        for (number, machine) in self.machines.iter().enumerate() {
            if self.names[number].1 != number {
                continue;
            }
            let name = &self.names[number].0;
            self.kif.line("");
            for (from, node) in machine.nodes.iter().enumerate() {
                let mut facts = Vec::new();
                for edge in &node.edges {
                    facts.push(self.edge(machine, name, from, edge));
                }
                if node.accepting {
                    facts.push(format!("({} {name} {from})", if node.has_moved { "ends" } else { "rests" }));
                }
                self.kif.facts(facts);
            }
        }
    }

    fn edge(&self, machine: &MoverAutomaton, name: &str, from: usize, edge: &super::mover::MoverEdge) -> String {
        let to = edge.to;
        match edge.symbol {
            Symbol::Step { dx, dy, landing } => {
                let verb = match landing {
                    Landing::Take(_) => "takes",
                    Landing::On(_) if edge.is_named => "stops",
                    Landing::On(_) => "passes",
                };
                format!("({verb} {name} {from} {} {} {to})", direction((dx, dy)), what_name(What::of(landing)))
            }
            Symbol::Put(cell) => {
                // Only what starts on an empty square drops, and only once.
                let drops = machine.start.is_empty() && is_first_put(machine, from);
                format!("({} {name} {from} {} {to})", if drops { "drops" } else { "puts" }, content(cell))
            }
            Symbol::Vanish => format!("(puts {name} {from} {} {to})", content(Cell::EMPTY)),
            Symbol::Zone { number, within } => {
                let mirrored = machine.movement.side.turns_for(machine.player);
                let zone = zone_name(&self.rules.zones[number], mirrored);
                format!("({} {name} {from} {zone} {to})", if within { "needs" } else { "avoids" })
            }
            Symbol::Look { dx, dy, seen } => {
                format!("(looks {name} {from} {} {} {to})", direction((dx, dy)), what_name(What::seen(seen)))
            }
        }
    }

    fn legal(&mut self) {
        self.kif.part("Legal moves.", "");
        self.kif.rule("(legal ?w ?move)", ["(true (control ?w))", "(possible ?w ?move)"]);
        // Asked for in two steps, so that not every move has to do with whose turn it is.
        self.kif.rule("(mobile ?w)", ["(possible ?w ?move)"]);
        self.kif.rule("can_move", ["(true (control ?w))", "(mobile ?w)"]);
        if self.rules.players.len() > 1 {
            self.kif.rule("(legal ?w noop)", ["(role ?w)", "(not (true (control ?w)))"]);
            self.kif.rule("(input ?w noop)", ["(role ?w)"]);
        }
    }

    fn next(&mut self) {
        self.kif
            .part("What a move makes of the board.", "(becomes square piece): what is on the square after the move.");
        for (kinds, equal) in &self.forms.whole {
            becomes(&mut self.kif, kinds, equal);
        }
        self.kif.rule("(changed ?s)", ["(becomes ?s ?p)"]);
        self.kif.rule("(next (cell ?x ?y ?p))", ["(becomes ?s ?p)", "(square ?s ?x ?y)"]);
        self.kif.rule("(next (cell ?x ?y ?p))", ["(true (cell ?x ?y ?p))", "(square ?s ?x ?y)", "(not (changed ?s))"]);
        let first = self.player(Player::First).to_owned();
        if self.rules.players.len() > 1 {
            let second = self.player(Player::Second).to_owned();
            self.kif.rule(&format!("(next (control {second}))"), [format!("(true (control {first}))")]);
            self.kif.rule(&format!("(next (control {first}))"), [format!("(true (control {second}))")]);
        } else {
            self.kif.rule(&format!("(next (control {first}))"), [format!("(true (control {first}))")]);
        }
        if self.counts_plies().is_some() {
            self.kif.rule("(next (plies ?m))", ["(true (plies ?n))", "(succ ?n ?m)"]);
        }
    }
}

/// Whether no piece has been put down on the ways to a node of drops: a node is either always before the first or always
/// behind it.
fn is_first_put(machine: &MoverAutomaton, node: usize) -> bool {
    let mut reached = vec![false; machine.nodes.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            let guards = machine.nodes[at].edges.iter().filter(|edge| edge.symbol.is_guard());
            open.extend(guards.map(|edge| edge.to));
        }
    }
    reached[node]
}

/// A zone's name, as the second player sees it or as it stands. No zone of the rules can have a name with a dot.
fn zone_name(zone: &Zone, mirrored: bool) -> String {
    if mirrored { format!("{}.mirrored", zone.name) } else { zone.name.clone() }
}

/// An ending that a sheet cannot have.
fn check_endings(rules: &Rules) -> Result<(), ExportError> {
    let limit = |ending: &Ending| ending.side == crate::rules::Side::Both && ending.when.parts().len() == 1;
    let limited = rules.endings.iter().any(|ending| limit(ending) && ending.when.plies().is_some());
    for ending in &rules.endings {
        let reason = if ending.when.parts().contains(&Condition::NeitherCanMove) {
            "a sheet knows the moves of the player whose turn it is only"
        } else if ending.when.parts().len() > 1 && ending.when.plies().is_some() && !limited {
            "a sheet cannot count turns without end: expected an ending for both when so many plies are played"
        } else {
            continue;
        };
        return Err(ExportError::Ending { ending: ending.to_string(), reason });
    }
    Ok(())
}

impl Sheet<'_> {
    fn parts(&self) -> impl Iterator<Item = &Condition> {
        self.rules.endings.iter().flat_map(|ending| ending.when.parts())
    }

    fn counts_pieces(&self) -> bool {
        self.parts().any(|part| matches!(part, Condition::Left { .. } | Condition::Balance(_)))
    }

    fn most_left(&self) -> u32 {
        if self.counts_pieces() { self.squares().len() as u32 } else { 0 }
    }

    /// The directions in which lines are counted.
    fn lines(&self) -> BTreeSet<(i8, i8)> {
        let mut lines = BTreeSet::new();
        for part in self.parts() {
            if let Condition::Line { ways, .. } = part {
                lines.extend(ways.steps().chain(ways.mirrored().steps()));
            }
        }
        lines
    }

    fn endings(&mut self) {
        let rules = self.rules;
        self.kif.part(
            "How the game ends: the first of the endings that holds decides, for the player who has just moved.",
            "",
        );
        if self.parts().any(|part| matches!(part, Condition::Line { ways: Ways::ALL, .. })) {
            self.kif.facts(Shape::LINES.map(|line| format!("(line {})", direction(line))));
        }
        if self.counts_pieces() {
            let shape = rules.setup.shape();
            let squares = self.squares();
            let after =
                squares.windows(2).map(|pair| format!("(after {} {})", shape.name(pair[0]), shape.name(pair[1])));
            self.kif.facts(after.collect::<Vec<String>>());
        }
        for player in rules.sides() {
            let name = self.player(player).to_owned();
            let to_move = if rules.players.len() > 1 { player.other() } else { player };
            self.kif.rule(&format!("(just_moved {name})"), [format!("(true (control {}))", self.player(to_move))]);
        }
        if self.parts().any(|part| matches!(part, Condition::Balance(Balance::Fewer | Balance::More))) {
            self.kif.rule("(less ?a ?b)", ["(succ ?a ?b)"]);
            self.kif.rule("(less ?a ?b)", ["(succ ?a ?c)", "(less ?c ?b)"]);
        }
        for player in rules.sides() {
            let mut earlier: Vec<(String, Verdict)> = Vec::new();
            let own = rules.endings.iter().enumerate().filter(|(_, ending)| ending.side.is_for(player));
            for (number, ending) in own {
                let name = self.player(player).to_owned();
                self.kif.line("");
                self.kif.comment(&format!("{name}: {ending}"));
                let label = (number + 1).to_string();
                let holds = match &ending.when {
                    Condition::All(parts) => {
                        let label = |part: usize| format!("{label}_{}", part + 1);
                        let parts = parts.iter().enumerate();
                        let parts: Vec<String> =
                            parts.map(|(i, part)| self.condition(&label(i), part, ending, player)).collect();
                        let holds = format!("(ending_{} {name})", number + 1);
                        // What is asked not to hold stands behind what binds the sheet to a state.
                        self.kif.rule(&holds, [format!("(just_moved {name})")].into_iter().chain(parts));
                        holds
                    }
                    when => self.condition(&label, when, ending, player),
                };
                let mut conditions = vec![format!("(just_moved {name})"), holds.clone()];
                let others = earlier.iter().filter(|(_, verdict)| *verdict != ending.verdict);
                conditions.extend(others.filter(|(other, _)| *other != holds).map(|(other, _)| not(other)));
                self.kif.rule(&format!("(outcome {name} {})", ending.verdict), conditions);
                earlier.push((holds, ending.verdict));
            }
        }
        self.kif.line("");
        self.kif.rule("terminal", ["(outcome ?w ?verdict)"]);
        self.kif.rule("(goal ?w 100)", ["(outcome ?w win)"]);
        self.kif.rule("(goal ?w 0)", ["(outcome ?w lose)"]);
        self.kif.rule("(goal ?w 50)", ["(outcome ?w tie)"]);
        if rules.players.len() > 1 {
            let other = ["(role ?w)", "(distinct ?w ?v)"];
            for (goal, verdict) in [(0, "win"), (100, "lose"), (50, "tie")] {
                let outcome = format!("(outcome ?v {verdict})");
                self.kif.rule(&format!("(goal ?w {goal})"), [outcome.as_str()].into_iter().chain(other));
            }
        }
    }

    /// Writes rules for a condition and returns what holds if it does.
    fn condition(&mut self, label: &str, when: &Condition, ending: &Ending, player: Player) -> String {
        let name = self.player(player).to_owned();
        let turned = ending.side.turns_for(player);
        let holds = format!("(ending_{label} {name})");
        let listed = |pieces: &[crate::board::Piece]| -> Vec<String> {
            let turn = |piece: &crate::board::Piece| if turned { piece.turned() } else { *piece };
            let known = self.rules.pieces();
            pieces.iter().map(turn).filter(|piece| known.contains(piece)).map(|piece| piece.to_string()).collect()
        };
        let zoned = |zone: &str| {
            let zone = self.rules.zone(zone).map(|zone| zone_name(zone, turned)).unwrap_or_default();
            format!("(zone {zone} ?s)")
        };
        match when {
            Condition::CannotMove => return "(not can_move)".to_owned(),
            Condition::Plies(plies) => {
                // The count goes up by one a turn, so it is met on the way up; an ending of one player alone may meet
                // it one turn later, and one with other conditions at any time after.
                let later = ending.when.parts().len() > 1;
                if !later && (ending.side == crate::rules::Side::Both || self.rules.players.len() == 1) {
                    return format!("(true (plies {plies}))");
                }
                let most = self.counts_plies().map_or(0, |most| most.saturating_add(1));
                let last = if later { most.max(plies + 1) } else { plies + 1 };
                for n in *plies..=last {
                    self.kif.rule(&holds, [format!("(true (plies {n}))")]);
                }
            }
            Condition::On { pieces, zone } => {
                let inside = zoned(zone);
                if pieces.is_empty() {
                    let own = format!("(owner {name} ?p)");
                    self.kif.rule(&holds, [own.as_str(), "(on ?s ?p)", &inside]);
                }
                for piece in listed(pieces) {
                    self.kif.rule(&holds, [format!("(on ?s {piece})"), inside.clone()]);
                }
            }
            Condition::Line { count, exactly, pieces, ways } => {
                let pieces = (!pieces.is_empty()).then(|| listed(pieces));
                let counts = self.counted(label, pieces, &name, None);
                let at = |square: &str| counts.replace("?s", square);
                let mut conditions = vec![at("?s1")];
                for i in 1..usize::from(*count) {
                    conditions.push(format!("(step ?d ?s{i} ?s{})", i + 1));
                    conditions.push(at(&format!("?s{}", i + 1)));
                }
                if *exactly {
                    let (follows, leads) =
                        (format!("(follows_{label} {name} ?d ?t)"), format!("(leads_{label} {name} ?d ?t)"));
                    self.kif.rule(&follows, ["(step ?d ?s ?t)", &counts]);
                    self.kif.rule(&leads, ["(step ?d ?t ?s)", &counts]);
                    conditions.push(not(&follows.replace("?t", "?s1")));
                    conditions.push(not(&leads.replace("?t", &format!("?s{count}"))));
                }
                if *ways == Ways::ALL {
                    conditions.insert(0, "(line ?d)".to_owned());
                    self.kif.rule(&holds, conditions);
                } else {
                    let ways = if turned { ways.mirrored() } else { *ways };
                    for way in ways.steps() {
                        let along = direction(way).to_string();
                        self.kif.rule(&holds, conditions.iter().map(|condition| condition.replace("?d", &along)));
                    }
                }
            }
            Condition::Left { whose, count, bound, pieces, zone } => {
                let owner = if *whose == Whose::Mover { player } else { player.other() };
                let owner = self.player(owner).to_owned();
                let inside = zone.as_ref().map(|zone| zoned(zone));
                let pieces = (!pieces.is_empty()).then(|| listed(pieces));
                let counts = self.counted(label, pieces, &owner, inside);
                let last = self.tally(label, &name, &counts);
                let numbers = match bound {
                    Bound::Exactly => *count..=*count,
                    Bound::OrFewer => 0..=*count,
                    Bound::OrMore => *count..=self.squares().len() as u16,
                };
                for number in numbers {
                    self.kif.rule(&holds, [last.replace("?n", &number.to_string())]);
                }
            }
            Condition::Balance(balance) => {
                let mut sum = |player: Player, sum: &str| {
                    let owner = self.player(player).to_owned();
                    let label = format!("{label}_{sum}");
                    let counts = self.counted(&label, None, &owner, None);
                    self.tally(&label, &name, &counts)
                };
                let own = sum(player, "own").replace("?n", "?a");
                let others = sum(player.other(), "others");
                let (others, compared) = match balance {
                    Balance::Same => (others.replace("?n", "?a"), None),
                    Balance::Fewer => (others.replace("?n", "?b"), Some("(less ?b ?a)".to_owned())),
                    Balance::More => (others.replace("?n", "?b"), Some("(less ?a ?b)".to_owned())),
                };
                self.kif.rule(&holds, [own, others].into_iter().chain(compared));
            }
            Condition::NeitherCanMove | Condition::All(_) => unreachable!("refused, or taken apart before"),
        }
        holds
    }

    /// Writes how many squares count, and returns how it is asked whether `?n` do.
    fn tally(&mut self, label: &str, name: &str, counts: &str) -> String {
        let shape = self.rules.setup.shape();
        let squares = self.squares();
        let tally = |square: &str, n: &str| format!("(tally_{label} {name} {square} {n})");
        let (Some(&first), Some(&last)) = (squares.first(), squares.last()) else { return tally("none", "?n") };
        let first = shape.name(first).to_string();
        let here = counts.replace("?s", &first);
        self.kif.rule(&tally(&first, "0"), [not(&here)]);
        self.kif.rule(&tally(&first, "1"), [here]);
        let next = counts.replace("?s", "?t");
        self.kif.rule(&tally("?t", "?n"), [tally("?s", "?n"), "(after ?s ?t)".to_owned(), not(&next)]);
        let one_more = "(succ ?n ?m)".to_owned();
        self.kif.rule(&tally("?t", "?m"), [tally("?s", "?n"), "(after ?s ?t)".to_owned(), next, one_more]);
        tally(&shape.name(last).to_string(), "?n")
    }

    /// Writes which squares count for a line or a number of pieces, all of a player's or those listed, and returns how
    /// `?s` is asked.
    fn counted(&mut self, label: &str, pieces: Option<Vec<String>>, player: &str, inside: Option<String>) -> String {
        let counts = format!("(counts_{label} {player} ?s)");
        match (&pieces, &inside) {
            (Some(pieces), None) if pieces.len() == 1 => return format!("(on ?s {})", pieces[0]),
            (None, _) => {
                let own = [format!("(owner {player} ?p)"), "(on ?s ?p)".to_owned()];
                self.kif.rule(&counts, own.into_iter().chain(inside));
            }
            (Some(pieces), _) => pieces.iter().for_each(|piece| {
                self.kif.rule(&counts, [format!("(on ?s {piece})")].into_iter().chain(inside.clone()));
            }),
        }
        counts
    }
}

/// The contrary of a condition.
fn not(condition: &str) -> String {
    match condition.strip_prefix("(not ").and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => inner.to_owned(),
        None => format!("(not {condition})"),
    }
}

/// What a relation over automata's edges means.
fn edge_comment(act: Act) -> &'static str {
    match act {
        Act::Pass => "(passes automaton state direction what state): a step to a square that holds this.",
        Act::Stop => "(stops automaton state direction what state): the same, and the move names the square.",
        Act::Take => "(takes automaton state direction what state): a step to a piece that is taken.",
        Act::Put => "(puts automaton state piece state): the piece moved so far is put down, this one goes on.",
        Act::Drop => "(drops automaton state piece state): the piece appears on the empty square of the start.",
        Act::Within => "(needs automaton state zone state): the square must be in the zone.",
        Act::Outside => "(avoids automaton state zone state): the square must not be in the zone.",
        Act::Look => "(looks automaton state direction what state): a square next to this one must hold this.",
    }
}
