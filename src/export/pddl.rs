//! PDDL: the turns of one piece as a planning domain, with a position as its problem.
//!
//! After P. Gregory, Y. Björnsson and S. Schiffel, The GRL System (2015), sections 3.3 and 3.4: the actions are the turn's
//! micro-moves, and the state space of the problem holds all the moves of the piece. Every plan that reaches `(turn-over)`
//! is a turn, and every turn is such a plan. Plain STRIPS with types.

use super::gdl::{ExportError, direction};
use super::mover::{MoverAutomaton, What, machines};
use super::turn_plan::{Deed, TurnNode, turn_nodes};
use crate::board::{Cell, Player, Position, Square};
use crate::rules::{CompileError, Engine, Rules};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A planning domain and a problem of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planning {
    /// The domain of a piece.
    pub domain: String,
    /// The problem of a position.
    pub problem: String,
}

/// The turns of a player that start on a piece (or on empty squares), in a position.
///
/// ```
/// use onlooker::board::{Cell, Player};
/// use onlooker::game::catalogue_game;
///
/// let game = catalogue_game("breakthrough").expect("a game of the catalogue");
/// let rules = game.rules();
/// let planning = onlooker::export::pddl(rules, Player::First, Cell::named("P")?, &rules.setup)?;
/// assert!(planning.domain.contains("(:action") && planning.problem.contains("(turn-over)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ExportError`] if the rules do not compile, the position is not one of the game, or a movement or a name cannot be
/// written in this language.
pub fn pddl(rules: &Rules, player: Player, start: Cell, position: &Position) -> Result<Planning, ExportError> {
    let engine = Engine::compile(rules)?;
    engine.state(position, player, 0)?;
    let all =
        machines(rules).map_err(|(start, reason)| ExportError::Rules(CompileError::TooManyStates { start, reason }))?;
    let Some(machine) = all.iter().find(|machine| machine.player == player && machine.start == start) else {
        let expected = all.iter().map(|machine| machine.start.to_string()).collect();
        return Err(ExportError::Piece { piece: start.to_string(), expected });
    };
    let nodes = turn_nodes(machine).map_err(|problem| ExportError::Movement { start, problem })?;
    let writer = Writer::new(rules, machine, &nodes, position);
    Ok(Planning { domain: writer.domain(), problem: writer.problem() })
}

/// What is controlled before a piece appears, and what was put down on the same square just before.
type Condition = (Option<Cell>, Option<Cell>);

struct Writer<'a> {
    rules: &'a Rules,
    machine: &'a MoverAutomaton<'a>,
    nodes: &'a [TurnNode],
    position: &'a Position,
    name: String,
    /// What may stand on squares, with its name as an object, and its short name in actions.
    pieces: BTreeMap<Cell, (String, String)>,
}

/// A text as a name of PDDL, which knows no upper case, not twice the same.
fn name_in(taken: &mut BTreeSet<String>, text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c.to_ascii_lowercase() } else { '_' };
    let mut name: String = text.chars().map(plain).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'x');
    }
    let base = name.clone();
    for number in 2.. {
        if taken.insert(name.clone()) {
            break;
        }
        name = format!("{base}_{number}");
    }
    name
}

impl<'a> Writer<'a> {
    fn new(
        rules: &'a Rules,
        machine: &'a MoverAutomaton<'a>,
        nodes: &'a [TurnNode],
        position: &'a Position,
    ) -> Writer<'a> {
        let mut cells: BTreeSet<Cell> = rules.pieces().into_iter().map(|piece| piece.cell()).collect();
        cells.extend(position.cells().iter().filter(|&&cell| cell == Cell::WALL));
        cells.extend(nodes.iter().filter_map(|node| node.at.controlled));
        let (mut objects, mut short) = (BTreeSet::new(), BTreeSet::new());
        let mut pieces = BTreeMap::new();
        // The piece itself is named first, so that it keeps its name.
        let first = Some(machine.start).filter(|start| !start.is_empty());
        for cell in first.into_iter().chain(cells.into_iter().filter(|&cell| Some(cell) != first)) {
            let letter = if cell == Cell::WALL { "wall".to_owned() } else { cell.to_string() };
            let owner = cell.owner().and_then(|owner| rules.players.get(owner.index()));
            let object = owner.map_or_else(|| format!("other-{letter}"), |owner| format!("{owner}-{letter}"));
            pieces.insert(cell, (name_in(&mut objects, &object), name_in(&mut short, &letter)));
        }
        let start = pieces.get(&machine.start).map_or("drop", |names| names.1.as_str());
        let name = name_in(&mut BTreeSet::new(), &format!("{}-{start}", rules.name));
        Writer { rules, machine, nodes, position, name, pieces }
    }

    fn object(&self, cell: Cell) -> &str {
        self.pieces.get(&cell).map_or("other", |names| &names.0)
    }

    fn short(&self, cell: Option<Cell>) -> &str {
        cell.and_then(|cell| self.pieces.get(&cell)).map_or("nothing", |names| &names.1)
    }

    fn domain(&self) -> String {
        let mut out = String::new();
        let piece =
            if self.machine.start.is_empty() { "an empty square".to_owned() } else { self.machine.start.to_string() };
        let player = &self.rules.players[self.machine.player.index()];
        let _ = writeln!(out, "; The turns of {player} in {} that start on {piece}.", self.rules.name);
        let _ = writeln!(out, "; Every plan that reaches (turn-over) is one turn, and every turn is such a plan.");
        let _ = writeln!(out, "(define (domain {})", self.name);
        out.push_str("  (:requirements :strips :typing)\n");
        let circles = self.machine.may_circle;
        let _ =
            writeln!(out, "  (:types square piece state direction content zone{})", if circles { " span" } else { "" });
        let constants: Vec<&str> = self.pieces.values().map(|names| names.0.as_str()).collect();
        let _ = writeln!(out, "  (:constants {} - piece)", constants.join(" "));
        out.push_str("  (:predicates\n");
        let predicates = [
            "(waiting)",
            "(turn-over)",
            "(empty ?s - square)",
            "(holds ?s - square ?p - piece)",
            "(in ?n - state)",
            "(begins ?n - state)",
            "(step ?d - direction ?a ?b - square)",
            "(fits ?w - content ?p - piece)",
            "(lies ?z - zone ?s - square)",
            "(moves ?n - state ?d - direction ?m - state)",
            "(onto ?n - state ?d - direction ?w - content ?m - state)",
            "(takes ?n - state ?d - direction ?w - content ?m - state)",
            "(moves-over ?n - state ?d - direction ?w - content ?e - direction ?m - state)",
            "(takes-over ?n - state ?d - direction ?w - content ?e - direction ?m - state)",
            "(needs ?n - state ?z - zone ?m - state)",
            "(looks-empty ?n - state ?d - direction ?m - state)",
            "(looks ?n - state ?d - direction ?w - content ?m - state)",
        ];
        let mut actions = String::new();
        self.actions(&mut actions);
        let is_used = |predicate: &&str| {
            let name = predicate.split([' ', ')']).next().unwrap_or_default();
            // Problems tell the board even if no action looks at it.
            let of_board = ["(turn-over", "(empty", "(holds"].contains(&name);
            of_board || actions.contains(&format!("{name} ")) || actions.contains(&format!("{name})"))
        };
        let spans: &[&str] = &["(now ?e - span)", "(after ?e ?f - span)", "(new ?s - square ?e - span)"];
        let spans = if circles { spans } else { &[] };
        for predicate in predicates.into_iter().filter(is_used).chain(spans.iter().copied()) {
            let _ = writeln!(out, "    {predicate}");
        }
        for controlled in self.controlled() {
            let _ = writeln!(out, "    (control-{} ?s - square)", self.short(controlled));
        }
        let mut more: BTreeSet<String> = BTreeSet::new();
        for (cell, befores) in self.appearing() {
            more.extend(befores.iter().map(|&(_, beneath)| format!("({} ?n ?m - state)", self.appears(cell, beneath))));
        }
        more.extend(self.ending().iter().map(|&(_, beneath)| format!("({} ?n - state)", self.ends(beneath))));
        for predicate in more {
            let _ = writeln!(out, "    {predicate}");
        }
        out.push_str("  )\n");
        out.push_str(&actions);
        out.push_str(")\n");
        out
    }

    /// What is controlled in some state.
    fn controlled(&self) -> BTreeSet<Option<Cell>> {
        self.nodes.iter().map(|node| node.at.controlled).collect()
    }

    /// The pieces that appear, with what is controlled and what lies beneath before.
    fn appearing(&self) -> BTreeMap<Cell, BTreeSet<Condition>> {
        let mut found: BTreeMap<Cell, BTreeSet<_>> = BTreeMap::new();
        for node in self.nodes {
            for (deed, _) in &node.deeds {
                if let Deed::Appear(cell) = deed {
                    found.entry(*cell).or_default().insert((node.at.controlled, node.at.beneath));
                }
            }
        }
        found
    }

    /// What can be controlled, and lie beneath, at the end of a turn.
    fn ending(&self) -> BTreeSet<(Cell, Option<Cell>)> {
        let ends = self.nodes.iter().filter(|node| node.may_end);
        ends.filter_map(|node| node.at.controlled.map(|cell| (cell, node.at.beneath))).collect()
    }

    /// The relation of states in which a piece appears, by what was put down on the same square just before.
    fn appears(&self, cell: Cell, beneath: Option<Cell>) -> String {
        let on = beneath.map_or(String::new(), |beneath| format!("-on-{}", self.short(Some(beneath))));
        format!("appears-{}{on}", self.short(Some(cell)))
    }

    /// The states in which a turn may end, by the piece that was put down just before and is replaced.
    fn ends(&self, beneath: Option<Cell>) -> String {
        beneath.map_or("ends".to_owned(), |beneath| format!("ends-on-{}", self.short(Some(beneath))))
    }

    fn does(&self, controlled: Option<Cell>, wanted: impl Fn(&Deed) -> bool) -> bool {
        let with = self.nodes.iter().filter(|node| node.at.controlled == controlled);
        with.into_iter().any(|node| node.deeds.iter().any(|(deed, _)| wanted(deed)))
    }

    fn actions(&self, out: &mut String) {
        let start = self.machine.start;
        let mut pick =
            PddlAction::new(format!("pick_up_{}", if start.is_empty() { "square" } else { self.short(Some(start)) }));
        pick.parameters("?at - square ?n - state");
        pick.needs(["(waiting)", "(begins ?n)"]).changes(["(not (waiting))", "(in ?n)"]);
        let control = |controlled: Option<Cell>, at: &str| format!("(control-{} {at})", self.short(controlled));
        if start.is_empty() {
            pick.needs(["(empty ?at)"]).changes([control(None, "?at")]);
        } else {
            let holds = format!("(holds ?at {})", self.object(start));
            pick.needs([&holds]).changes([
                format!("(not {holds})"),
                "(empty ?at)".to_owned(),
                control(Some(start), "?at"),
            ]);
        }
        if self.machine.may_circle {
            pick.parameters("?e - span").needs(["(now ?e)", "(new ?at ?e)"]).changes(["(not (new ?at ?e))"]);
        }
        pick.write(out);
        for &controlled in &self.controlled() {
            let name = |verb: &str| format!("{verb}_{}", self.short(controlled));
            let go = |verb: &str, to: &str| {
                let mut action = PddlAction::new(name(verb));
                action.needs([control(controlled, "?from"), "(in ?n)".to_owned()]);
                action.changes([format!("(not {})", control(controlled, "?from")), control(controlled, to)]);
                action.changes(["(not (in ?n))", "(in ?m)"]);
                action
            };
            if self.does(controlled, |deed| matches!(deed, Deed::Move { .. })) {
                let mut action = go("move", "?to");
                action.parameters("?from ?to - square ?d - direction ?n ?m - state");
                action.needs(["(moves ?n ?d ?m)", "(step ?d ?from ?to)", "(empty ?to)"]);
                self.come_to(&mut action, &["?to"]);
                action.write(out);
            }
            let piece = "?from ?to - square ?d - direction ?w - content ?p - piece ?n ?m - state";
            let there = ["(step ?d ?from ?to)", "(holds ?to ?p)", "(fits ?w ?p)"];
            if self.does(controlled, |deed| matches!(deed, Deed::Onto { .. })) {
                let mut action = go("move_onto", "?to");
                action.parameters(piece).needs(["(onto ?n ?d ?w ?m)"]).needs(there);
                self.come_to(&mut action, &["?to"]);
                action.write(out);
            }
            if self.does(controlled, |deed| matches!(deed, Deed::Take { .. })) {
                let mut action = go("take", "?to");
                action.parameters(piece).needs(["(takes ?n ?d ?w ?m)"]).needs(there);
                action.changes(["(not (holds ?to ?p))", "(empty ?to)"]);
                self.take_on(&mut action, "?to", &[]);
                action.write(out);
            }
            for (verb, edge, takes) in [("move_over", "moves-over", false), ("take_over", "takes-over", true)] {
                if !self.does(controlled, |deed| matches!(deed, Deed::Over { takes: other, .. } if *other == takes)) {
                    continue;
                }
                let mut action = go(verb, "?to");
                action.parameters("?from ?via ?to - square ?d ?e - direction ?w - content ?p - piece ?n ?m - state");
                let edge = format!("({edge} ?n ?d ?w ?e ?m)");
                action.needs([edge.as_str(), "(step ?d ?from ?via)", "(step ?e ?via ?to)"]);
                action.needs(["(holds ?via ?p)", "(fits ?w ?p)", "(empty ?to)"]);
                if takes {
                    action.changes(["(not (holds ?via ?p))", "(empty ?via)"]);
                    self.take_on(&mut action, "?via", &["?to"]);
                } else {
                    self.come_to(&mut action, &["?via", "?to"]);
                }
                action.write(out);
            }
            self.guards(controlled, out);
        }
        for (cell, befores) in self.appearing() {
            for (controlled, beneath) in befores {
                let plain = format!("appear_{}", self.short(Some(cell)));
                let many = self.appearing().get(&cell).map_or(0, BTreeSet::len) > 1;
                let before = format!("{plain}_on_{}_{}", self.short(controlled), self.short(beneath));
                let mut action = PddlAction::new(if many { before } else { plain });
                action.parameters("?at - square ?n ?m - state");
                action.needs([control(controlled, "?at"), "(in ?n)".to_owned()]);
                action.needs([format!("({} ?n ?m)", self.appears(cell, beneath))]);
                action.changes([format!("(not {})", control(controlled, "?at")), control(Some(cell), "?at")]);
                action.changes(["(not (in ?n))", "(in ?m)"]);
                if let Some(beneath) = beneath {
                    let holds = format!("(holds ?at {})", self.object(beneath));
                    action.changes([format!("(not {holds})")]);
                }
                if let Some(put_down) = controlled {
                    action.changes(["(not (empty ?at))".to_owned(), format!("(holds ?at {})", self.object(put_down))]);
                }
                self.take_on(&mut action, "?at", &[]);
                action.write(out);
            }
        }
        for (controlled, beneath) in self.ending() {
            let name = match beneath {
                None => format!("finish_{}", self.short(Some(controlled))),
                Some(cell) => format!("finish_{}_on_{}", self.short(Some(controlled)), self.short(Some(cell))),
            };
            let mut action = PddlAction::new(name);
            action.parameters("?at - square ?n - state");
            action.needs([control(Some(controlled), "?at"), "(in ?n)".to_owned()]);
            action.needs([format!("({} ?n)", self.ends(beneath))]);
            action.changes([format!("(not {})", control(Some(controlled), "?at"))]);
            action.changes(["(not (in ?n))", "(turn-over)"]);
            match beneath {
                Some(cell) => {
                    action.changes([format!("(not (holds ?at {}))", self.object(cell))]);
                }
                None => {
                    action.changes(["(not (empty ?at))"]);
                }
            }
            action.changes([format!("(holds ?at {})", self.object(controlled))]);
            action.write(out);
        }
    }

    fn guards(&self, controlled: Option<Cell>, out: &mut String) {
        let guard = |verb: &str| {
            let mut action = PddlAction::new(format!("{verb}_{}", self.short(controlled)));
            action.needs([format!("(control-{} ?at)", self.short(controlled)), "(in ?n)".to_owned()]);
            action.changes(["(not (in ?n))", "(in ?m)"]);
            action
        };
        if self.does(controlled, |deed| matches!(deed, Deed::Zone { .. })) {
            let mut action = guard("stand");
            action.parameters("?at - square ?z - zone ?n ?m - state").needs(["(needs ?n ?z ?m)", "(lies ?z ?at)"]);
            action.write(out);
        }
        if self.does(controlled, |deed| matches!(deed, Deed::Look { what: What::Blank, .. })) {
            let mut action = guard("look_at_empty");
            action.parameters("?at ?s - square ?d - direction ?n ?m - state");
            action.needs(["(looks-empty ?n ?d ?m)", "(step ?d ?at ?s)", "(empty ?s)"]).write(out);
        }
        if self.does(controlled, |deed| matches!(deed, Deed::Look { what, .. } if *what != What::Blank)) {
            let mut action = guard("look");
            action.parameters("?at ?s - square ?d - direction ?w - content ?p - piece ?n ?m - state");
            action.needs(["(looks ?n ?d ?w ?m)", "(step ?d ?at ?s)", "(holds ?s ?p)", "(fits ?w ?p)"]).write(out);
        }
    }

    /// Squares that are come to must be new, where a turn could come back.
    fn come_to(&self, action: &mut PddlAction, squares: &[&str]) {
        if self.machine.may_circle {
            action.parameters("?s1 - span").needs(["(now ?s1)"]);
            for square in squares {
                action.needs([format!("(new {square} ?s1)")]).changes([format!("(not (new {square} ?s1))")]);
            }
        }
    }

    /// A piece is taken or put down on a square, after which all squares but this one are new again.
    fn take_on(&self, action: &mut PddlAction, square: &str, then: &[&str]) {
        if self.machine.may_circle {
            action.parameters("?s1 ?s2 - span").needs(["(now ?s1)", "(after ?s1 ?s2)"]);
            action.changes(["(not (now ?s1))", "(now ?s2)"]);
            if square != "?at" {
                action.needs([format!("(new {square} ?s1)")]);
            }
            for square in [square].iter().chain(then) {
                action.needs([format!("(new {square} ?s2)")]).changes([format!("(not (new {square} ?s2))")]);
            }
        }
    }

    fn problem(&self) -> String {
        let shape = self.position.shape();
        let squares: Vec<Square> = shape.all().filter(|&square| self.position.at(square) != Cell::HOLE).collect();
        let (facts, zones, directions, contents) = self.table(&squares);
        let mut out = String::new();
        for row in self.position.to_string().lines() {
            let _ = writeln!(out, "; {row}");
        }
        let _ = writeln!(out, "(define (problem {}-position)\n  (:domain {})\n  (:objects", self.name, self.name);
        let listed = |out: &mut String, names: Vec<String>, kind: &str| {
            for line in names.chunks(16) {
                let _ = writeln!(out, "    {} - {kind}", line.join(" "));
            }
        };
        listed(&mut out, squares.iter().map(|&square| shape.name(square).to_string()).collect(), "square");
        listed(&mut out, (0..self.nodes.len()).map(|node| format!("n{node}")).collect(), "state");
        listed(&mut out, directions.iter().map(|&step| step_name(step)).collect(), "direction");
        listed(&mut out, contents.into_iter().collect(), "content");
        listed(&mut out, zones.iter().map(|zone| self.zone(*zone)).collect(), "zone");
        let occupied = squares.iter().filter(|&&square| !self.position.at(square).is_empty()).count();
        // A span begins when a piece is taken or put down.
        let puts =
            self.nodes.iter().flat_map(|node| &node.deeds).filter(|deed| matches!(deed.0, Deed::Appear(_))).count();
        let spans = if self.machine.may_circle { occupied + 2 * puts + 2 } else { 0 };
        listed(&mut out, (0..spans).map(|span| format!("span{span}")).collect(), "span");
        out.push_str("  )\n  (:init\n    (waiting) (begins n0)\n");
        let mut lines: Vec<String> = Vec::new();
        for &square in &squares {
            let name = shape.name(square);
            lines.push(match self.position.at(square) {
                Cell::EMPTY => format!("(empty {name})"),
                cell => format!("(holds {name} {})", self.object(cell)),
            });
        }
        lines.extend(facts);
        for span in 1..spans {
            lines.push(format!("(after span{} span{span})", span - 1));
        }
        lines.extend((spans > 0).then(|| "(now span0)".to_owned()));
        for span in 0..spans {
            lines.extend(squares.iter().map(|&square| format!("(new {} span{span})", shape.name(square))));
        }
        for line in lines.chunks(4) {
            let _ = writeln!(out, "    {}", line.join(" "));
        }
        out.push_str("  )\n  (:goal (turn-over)))\n");
        out
    }

    fn zone(&self, (number, within): (usize, bool)) -> String {
        let mut name = name_in(&mut BTreeSet::new(), &self.rules.zones[number].name);
        let _ = write!(name, "-{number}");
        if within { name } else { format!("not-{name}") }
    }

    /// What is the same in all problems of the domain on this board: the automaton, directions, zones, whose pieces are whose.
    #[allow(clippy::type_complexity)]
    fn table(
        &self,
        squares: &[Square],
    ) -> (Vec<String>, BTreeSet<(usize, bool)>, BTreeSet<(i8, i8)>, BTreeSet<String>) {
        let (mut facts, mut zones) = (Vec::new(), BTreeSet::new());
        let (mut directions, mut contents) = (BTreeSet::new(), BTreeMap::new());
        let mut content = |what: What| {
            let name = match what {
                What::Blank => "nothing".to_owned(),
                What::Own => "own".to_owned(),
                What::Enemy => "enemy".to_owned(),
                What::The(cell) => format!("kind-{}", self.object(cell)),
            };
            contents.insert(name.clone(), what);
            name
        };
        for (n, node) in self.nodes.iter().enumerate() {
            for &(deed, m) in &node.deeds {
                let mut to = |step: (i8, i8)| {
                    directions.insert(step);
                    step_name(step)
                };
                facts.push(match deed {
                    Deed::Move { step } => format!("(moves n{n} {} n{m})", to(step)),
                    Deed::Onto { step, what } => format!("(onto n{n} {} {} n{m})", to(step), content(what)),
                    Deed::Take { step, what } => format!("(takes n{n} {} {} n{m})", to(step), content(what)),
                    Deed::Over { step, what, then, takes } => {
                        let verb = if takes { "takes-over" } else { "moves-over" };
                        format!("({verb} n{n} {} {} {} n{m})", to(step), content(what), to(then))
                    }
                    Deed::Appear(cell) => format!("({} n{n} n{m})", self.appears(cell, node.at.beneath)),
                    Deed::Zone { number, within } => {
                        zones.insert((number, within));
                        format!("(needs n{n} {} n{m})", self.zone((number, within)))
                    }
                    Deed::Look { step, what: What::Blank } => format!("(looks-empty n{n} {} n{m})", to(step)),
                    Deed::Look { step, what } => format!("(looks n{n} {} {} n{m})", to(step), content(what)),
                });
            }
            facts.extend(node.may_end.then(|| format!("({} n{n})", self.ends(node.at.beneath))));
        }
        let shape = self.position.shape();
        for &(dx, dy) in &directions {
            for &square in squares {
                if let Some(to) = shape.step(square, dx, dy).filter(|to| squares.contains(to)) {
                    facts.push(format!("(step {} {} {})", step_name((dx, dy)), shape.name(square), shape.name(to)));
                }
            }
        }
        for (name, what) in &contents {
            for (&cell, names) in &self.pieces {
                if what.agrees(What::The(cell), self.machine.player) {
                    facts.push(format!("(fits {name} {})", names.0));
                }
            }
        }
        for &(number, within) in &zones {
            let turned = self.machine.movement.side.turns_for(self.machine.player);
            for &square in squares {
                let seen = if turned { shape.mirrored(square) } else { square };
                if self.rules.zones[number].contains(shape, seen) == within {
                    facts.push(format!("(lies {} {})", self.zone((number, within)), shape.name(square)));
                }
            }
        }
        (facts, zones, directions, contents.into_keys().collect())
    }
}

fn step_name(step: (i8, i8)) -> String {
    format!("dir-{}", direction(step))
}

/// An action on the way.
struct PddlAction {
    name: String,
    parameters: Vec<String>,
    needs: Vec<String>,
    changes: Vec<String>,
}

impl PddlAction {
    fn new(name: String) -> PddlAction {
        PddlAction { name, parameters: Vec::new(), needs: Vec::new(), changes: Vec::new() }
    }

    fn parameters(&mut self, text: &str) -> &mut PddlAction {
        self.parameters.push(text.to_owned());
        self
    }

    fn needs<S: Into<String>>(&mut self, atoms: impl IntoIterator<Item = S>) -> &mut PddlAction {
        self.needs.extend(atoms.into_iter().map(Into::into));
        self
    }

    fn changes<S: Into<String>>(&mut self, atoms: impl IntoIterator<Item = S>) -> &mut PddlAction {
        self.changes.extend(atoms.into_iter().map(Into::into));
        self
    }

    fn write(&self, out: &mut String) {
        let _ = writeln!(out, "\n  (:action {}\n    :parameters ({})", self.name, self.parameters.join(" "));
        let _ = writeln!(out, "    :precondition (and {})", self.needs.join(" "));
        let _ = writeln!(out, "    :effect (and {}))", self.changes.join(" "));
    }
}
