//! State-update systems: a game as features, and rules that say how a move changes them.
//!
//! ```text
//! system in-line
//! players x o
//! board 3 x 3                                   ; type square: a1 b1 ...
//! windows 3                                     ; type window; static in(window,square), through(square,number)
//! type count 1 2 3
//! static succ(count,count) succ(1,2) succ(2,3)
//! feature is-empty(square)
//! one-of is-empty taken                         ; exactly one of them holds for every first argument
//! tally count(<w>,<p>,<c>) of taken(<s>,<p>) in in(<w>,<s>)
//! start is-empty(<s>)
//! rule occupy
//!   if input-move(<s>,<p>) is-empty(<s>)
//!   delete input-move(<s>,<p>) is-empty(<s>)
//!   add taken(<s>,<p>)
//! ```
//!
//! A move adds `input-move(SQUARE,PLAYER)`. Then all rules that match fire, together, again and again until none matches. A move whose
//! `input-move` is still there at the end was illegal: that is the error state. Where only one rule matches at a time, as the paper
//! demands, this is the paper's meaning; firing together lets one move change many windows without tokens to keep them apart.
//! A game with pieces has moves as objects of their own, such as `a1-b3`, and sets of features that lie across each other:
//!
//! ```text
//! moves king rook               ; types kind, move; static from(move,square), to(move,square), passes-2(move,square,square) ..., goes(kind,move)
//! apart apart                   ; static apart(square,square,number,number): in files and ranks, the larger number first
//! rim rim                       ; static rim(square,number,number): from the nearest edges
//! one-of empty on by square     ; for every square: empty, or one piece on it
//! one-of on gone by piece       ; for every piece
//! event rook gone(<x>) kind(<x>,rook) owner(<x>,<q>) other(<q>,<player>)   ; see event.rs; the best first
//! ```
//!
//! `one-of` and `tally` are invariants that proofs may use; [`super::check_adequacy`] tests them with the rest.

use super::event::Event;
use super::geometry;
use super::group::Group;
use super::language::{Argument, Bindings, Fact, Literal, Name, Names};
use super::static_table::StaticTable;
use super::syntax::{TacticsError, TacticsProblem, Token, Tokens, Variables};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::Range;

/// What a predicate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Never changes.
    Static,
    /// Added and deleted by moves; `input-move` and `won` are features too.
    Feature,
}

/// A declared predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// What it is.
    pub kind: Kind,
    /// The types of its arguments.
    pub types: Vec<Name>,
}

/// Says that the last argument of a feature counts how often another one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The feature with the number, which is its last argument.
    pub feature: Literal,
    /// What is counted.
    pub counted: Literal,
    /// The static relation that says where to look.
    pub place: Literal,
}

/// A rule that says how a move changes the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateRule {
    /// Its name.
    pub name: String,
    /// The left-hand side.
    pub condition: Vec<Literal>,
    /// Pairs of the left-hand side that must not be equal.
    pub unequal: Vec<(Argument, Argument)>,
    /// What is added.
    pub add: Vec<Literal>,
    /// What is deleted.
    pub delete: Vec<Literal>,
    /// Where its name stands in the text.
    pub span: Range<usize>,
}

/// A game as features and rules that change them.
///
/// ```
/// use onlooker::tactics::{UpdateSystem, in_line_system};
///
/// let system = UpdateSystem::parse(&in_line_system("tic-tac-toe", ["x", "o"], 3, 3, 3, false))?;
/// let (x, centre) = (system.players[0], system.names.find("b2").unwrap());
/// let (state, _) = system.start_state().play(&system, centre, x).expect("a legal move");
/// assert!(state.play(&system, centre, system.players[1]).is_none());
/// # Ok::<(), onlooker::tactics::TacticsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateSystem {
    /// What it is called.
    pub name: String,
    /// The text that it was read from.
    pub text: String,
    /// All names in it.
    pub names: Names,
    /// Who plays; the first begins.
    pub players: [Name; 2],
    /// Types and their objects, in order.
    pub types: Vec<(Name, Vec<Name>)>,
    /// Predicates.
    pub predicates: FxHashMap<Name, Predicate>,
    /// Static relations.
    pub statics: StaticTable,
    /// Sets of features of which exactly one holds for every object of a type.
    pub groups: Vec<Group>,
    /// Features that count.
    pub tallies: Vec<Tally>,
    /// What may be brought about beside a win, the best first.
    pub events: Vec<Event>,
    /// In the system of an event: which one.
    pub event: Option<Name>,
    /// In the system of an event: what says that a player has not only brought it about, but has won.
    pub outright: Option<Name>,
    /// Whether moves are objects of their own, and not squares.
    pub has_moves: bool,
    /// What holds at the start.
    pub start: BTreeSet<Fact>,
    /// How moves change it.
    pub rules: Vec<UpdateRule>,
    /// Width and height, if it is played on a board.
    pub board: Option<(usize, usize)>,
    /// `input-move`
    pub input_move: Name,
    /// `won`
    pub won: Name,
}

const WORDS: [&str; 21] = [
    "system",
    "players",
    "board",
    "windows",
    "runs",
    "step",
    "edge",
    "moves",
    "apart",
    "rim",
    "type",
    "static",
    "feature",
    "one-of",
    "tally",
    "event",
    "start",
    "rule",
    "not-equals",
    "end",
    "recognise",
];

impl UpdateSystem {
    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// The text is no state-update system: where, what was found and what was expected.
    pub fn parse(text: &str) -> Result<UpdateSystem, TacticsError> {
        let refuse = |problem| TacticsError { text: text.to_owned(), problems: vec![problem] };
        let mut tokens = Tokens::new(text).map_err(refuse)?;
        let mut system = UpdateSystem::parse_until(&mut tokens, "").map_err(refuse)?;
        system.text = text.to_owned();
        Ok(system)
    }

    /// Reads a system up to a word that is none of its own.
    pub(super) fn parse_until(tokens: &mut Tokens, last: &str) -> Result<UpdateSystem, TacticsProblem> {
        let mut reader = Reader::new();
        reader.read(tokens, last)?;
        let end = tokens.span();
        reader.finish(end)
    }

    /// The objects of a type.
    pub fn objects(&self, kind: Name) -> &[Name] {
        self.types.iter().find(|(name, _)| *name == kind).map_or(&[], |(_, objects)| objects)
    }

    /// The objects that an argument of a predicate may be.
    pub fn objects_at(&self, predicate: Name, place: usize) -> &[Name] {
        self.predicates
            .get(&predicate)
            .and_then(|predicate| predicate.types.get(place))
            .map_or(&[], |&kind| self.objects(kind))
    }

    /// Whether sets of features lie across each other, as those about squares and those about pieces do.
    pub fn lies_across(&self) -> bool {
        !self.groups.iter().all(Group::is_by_first)
    }

    /// Whether a predicate never changes.
    pub fn is_static(&self, predicate: Name) -> bool {
        self.predicates.get(&predicate).is_some_and(|predicate| predicate.kind == Kind::Static)
    }

    /// The other player.
    pub fn other(&self, player: Name) -> Name {
        if player == self.players[0] { self.players[1] } else { self.players[0] }
    }

    /// What is wrong with a literal: its predicate, the number of its arguments, or an object of another type.
    pub(super) fn misfit(&self, literal: &Literal) -> Option<String> {
        misfit(&self.names, &self.predicates, &self.types, literal)
    }

    /// The move of a player as a fact.
    pub fn move_fact(&self, square: Name, player: Name) -> Fact {
        Fact { predicate: self.input_move, arguments: [square, player].into_iter().collect() }
    }

    /// `won(PLAYER)`
    pub fn won_fact(&self, player: Name) -> Fact {
        Fact { predicate: self.won, arguments: [player].into_iter().collect() }
    }
}

fn misfit(
    names: &Names,
    predicates: &FxHashMap<Name, Predicate>,
    types: &[(Name, Vec<Name>)],
    literal: &Literal,
) -> Option<String> {
    let name = names.text(literal.predicate);
    let Some(predicate) = predicates.get(&literal.predicate) else {
        return Some(format!("found {name:?}, expected a feature or static relation that is declared above"));
    };
    let (found, expected) = (literal.arguments.len(), predicate.types.len());
    if found != expected {
        return Some(format!("found {found} arguments, expected {expected} for {name}"));
    }
    for (&argument, &kind) in literal.arguments.iter().zip(&predicate.types) {
        if let Argument::Object(object) = argument {
            let objects = types.iter().find(|(name, _)| *name == kind).map_or(&[][..], |(_, objects)| objects);
            if !objects.contains(&object) {
                let (object, kind) = (names.text(object), names.text(kind));
                return Some(format!("found {object:?}, expected a {kind} as argument of {name}"));
            }
        }
    }
    None
}

pub(super) struct Reader {
    pub(super) system: UpdateSystem,
    has_players: bool,
    /// How often each word that makes a table was met.
    pub(super) tables: FxHashMap<String, u32>,
}

pub(super) type Read<T> = Result<T, TacticsProblem>;

impl Reader {
    fn new() -> Reader {
        let mut names = Names::default();
        let (input_move, won, none) = (names.intern("input-move"), names.intern("won"), names.intern(""));
        let system = UpdateSystem {
            name: String::new(),
            text: String::new(),
            names,
            players: [none; 2],
            types: Vec::new(),
            predicates: FxHashMap::default(),
            statics: StaticTable::default(),
            groups: Vec::new(),
            tallies: Vec::new(),
            events: Vec::new(),
            event: None,
            outright: None,
            has_moves: false,
            start: BTreeSet::new(),
            rules: Vec::new(),
            board: None,
            input_move,
            won,
        };
        Reader { system, has_players: false, tables: FxHashMap::default() }
    }

    fn read(&mut self, tokens: &mut Tokens, last: &str) -> Read<()> {
        if !tokens.take("system") {
            return Err(tokens.unexpected("'system' and its name"));
        }
        self.system.name = tokens.word("the system's name")?.to_owned();
        while tokens.peek() != Token::End && tokens.peek() != Token::Word(last) {
            let span = tokens.span();
            let word = tokens.word("a section such as 'rule' or 'feature'")?;
            if !self.has_players && word != "players" && word != "type" {
                return Err(TacticsProblem::new(
                    span,
                    format!("found {word:?}, expected 'players' before everything else"),
                ));
            }
            match word {
                "players" => self.players(tokens, span)?,
                "board" => self.board(tokens)?,
                "windows" | "runs" | "step" | "edge" => self.geometry(word, tokens, span)?,
                "moves" | "apart" | "rim" => self.chess_geometry(word, tokens, span)?,
                "type" => {
                    let kind = self.new_type(tokens)?;
                    let objects = self.words(tokens)?;
                    self.add_type(kind, &objects);
                }
                "static" => self.declare(Kind::Static, tokens)?,
                "feature" => self.declare(Kind::Feature, tokens)?,
                "one-of" => self.one_of(tokens)?,
                "tally" => self.tally(tokens)?,
                "event" => self.event(tokens)?,
                "start" => {
                    while tokens.at_literal() {
                        let (literal, span) = self.literal(tokens, &mut Variables::default(), Some(Kind::Feature))?;
                        self.system.start.extend(self.instances(&literal, span)?);
                    }
                }
                "rule" => self.rule(tokens)?,
                _ => {
                    let expected = "'board', 'windows', 'runs', 'step', 'edge', 'moves', 'apart', 'rim', 'type', 'static', 'feature', \
                                    'one-of', 'tally', 'event', 'start' or 'rule'";
                    return Err(TacticsProblem::new(span, format!("found {word:?}, expected {expected}")));
                }
            }
        }
        Ok(())
    }

    fn finish(self, end: Range<usize>) -> Read<UpdateSystem> {
        if !self.has_players {
            return Err(TacticsProblem::new(end, "found the end, expected 'players'"));
        }
        if !self.system.predicates.contains_key(&self.system.input_move) {
            return Err(TacticsProblem::new(
                end,
                "found the end, expected a 'board', or 'feature input-move(TYPE,player)'",
            ));
        }
        if self.system.rules.is_empty() {
            return Err(TacticsProblem::new(end, "found the end, expected at least one 'rule'"));
        }
        Ok(self.system)
    }

    fn players(&mut self, tokens: &mut Tokens, span: Range<usize>) -> Read<()> {
        if self.has_players {
            return Err(TacticsProblem::new(span, "found 'players' again, expected it once"));
        }
        let first = tokens.word("the first player's name")?.to_owned();
        let second = tokens.span();
        let other = tokens.word("the second player's name")?.to_owned();
        if first == other {
            return Err(TacticsProblem::new(second, format!("found {other:?} again, expected another name")));
        }
        self.has_players = true;
        let names = &mut self.system.names;
        self.system.players = [names.intern(&first), names.intern(&other)];
        let players = [first, other];
        self.add_type("player", &players);
        self.declare_as("other", Kind::Static, &["player", "player"]);
        self.declare_as("won", Kind::Feature, &["player"]);
        for (a, b) in [(0, 1), (1, 0)] {
            self.state("other", &[&players[a], &players[b]]);
        }
        Ok(())
    }

    fn board(&mut self, tokens: &mut Tokens) -> Read<()> {
        let span = tokens.span();
        let width = tokens.number(1, 26)?;
        if !tokens.take("x") {
            return Err(tokens.unexpected("'x' and the board's height"));
        }
        let height = tokens.number(1, 26)?;
        if self.system.board.is_some() {
            return Err(TacticsProblem::new(span, "found a board again, expected one"));
        }
        self.system.board = Some((width, height));
        self.add_type("square", &geometry::squares(width, height));
        self.declare_as("input-move", Kind::Feature, &["square", "player"]);
        Ok(())
    }

    fn geometry(&mut self, word: &str, tokens: &mut Tokens, span: Range<usize>) -> Read<()> {
        let Some((width, height)) = self.system.board else {
            return Err(TacticsProblem::new(span, format!("found {word:?}, expected 'board' before it")));
        };
        match word {
            "windows" => {
                let lines = geometry::windows(width, height, tokens.number(2, 26)?);
                let names: Vec<String> = lines.iter().map(|line| geometry::line_name(line)).collect();
                self.add_type("window", &names);
                let most = lines.len();
                self.add_type("number", &(0..=most.min(200)).map(|number| number.to_string()).collect::<Vec<_>>());
                self.declare_as("in", Kind::Static, &["window", "square"]);
                self.declare_as("through", Kind::Static, &["square", "number"]);
                for (line, name) in lines.iter().zip(&names) {
                    line.iter().for_each(|square| self.state("in", &[name, square]));
                }
                for square in geometry::squares(width, height) {
                    let through = lines.iter().filter(|line| line.contains(&square)).count();
                    self.state("through", &[&square, &through.to_string()]);
                }
            }
            "runs" => {
                let most = tokens.number(1, 26)?;
                let runs = geometry::runs(width, height, most);
                self.add_type("position", &runs.iter().map(|line| geometry::line_name(line)).collect::<Vec<_>>());
                self.declare_as("extends", Kind::Static, &["position", "square"]);
                self.declare_as("composes", Kind::Static, &["position", "square", "position"]);
                for run in &runs {
                    for longer in geometry::longer(width, height, run) {
                        let added = longer.iter().find(|square| !run.contains(square)).cloned().unwrap_or_default();
                        self.state("extends", &[&geometry::line_name(run), &added]);
                        if longer.len() <= most {
                            self.state("composes", &[&geometry::line_name(&longer), &added, &geometry::line_name(run)]);
                        }
                    }
                }
            }
            _ => {
                let name = tokens.word("the name of a static relation")?.to_owned();
                let mut delta = || -> Read<i32> {
                    let refused = tokens.unexpected("a number from -25 to 25");
                    let number = tokens.word("a number from -25 to 25")?.parse().ok();
                    number.filter(|number: &i32| number.abs() < 26).ok_or(refused)
                };
                let by = (delta()?, delta()?);
                let kinds: &[&str] = if word == "step" { &["square", "square"] } else { &["square"] };
                self.declare_as(&name, Kind::Static, kinds);
                for square in geometry::squares(width, height) {
                    match (geometry::stepped(width, height, &square, by), word) {
                        (Some(to), "step") => self.state(&name, &[&to, &square]),
                        (None, "edge") => self.state(&name, &[&square]),
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn words(&mut self, tokens: &mut Tokens) -> Read<Vec<String>> {
        let mut words = Vec::new();
        while let Token::Word(word) = tokens.peek() {
            if WORDS.contains(&word) || tokens.at_literal() {
                break;
            }
            words.push(word.to_owned());
            tokens.next();
        }
        if words.is_empty() {
            return Err(tokens.unexpected("at least one name"));
        }
        Ok(words)
    }

    fn new_type<'a>(&mut self, tokens: &mut Tokens<'a>) -> Read<&'a str> {
        let span = tokens.span();
        let kind = tokens.word("a type's name")?;
        let known =
            self.system.names.find(kind).is_some_and(|kind| self.system.types.iter().any(|(name, _)| *name == kind));
        if known {
            Err(TacticsProblem::new(span, format!("found type {kind:?} again, expected a new one")))
        } else {
            Ok(kind)
        }
    }

    pub(super) fn add_type(&mut self, kind: &str, objects: &[String]) {
        let names = &mut self.system.names;
        let kind = names.intern(kind);
        let mut list: Vec<Name> = Vec::new();
        for object in objects {
            let object = names.intern(object);
            if !list.contains(&object) {
                list.push(object);
            }
        }
        self.system.types.retain(|(name, _)| *name != kind);
        self.system.types.push((kind, list));
    }

    pub(super) fn declare_as(&mut self, name: &str, kind: Kind, types: &[&str]) {
        let names = &mut self.system.names;
        let types = types.iter().map(|kind| names.intern(kind)).collect();
        let name = names.intern(name);
        self.system.predicates.insert(name, Predicate { kind, types });
    }

    pub(super) fn state(&mut self, predicate: &str, arguments: &[&str]) {
        let names = &mut self.system.names;
        let fact = Fact {
            predicate: names.intern(predicate),
            arguments: arguments.iter().map(|text| names.intern(text)).collect(),
        };
        self.system.statics.insert(fact);
    }

    fn declare(&mut self, kind: Kind, tokens: &mut Tokens) -> Read<()> {
        let mut names = self.system.names.clone();
        let (literal, span) = tokens.literal(&mut names, &mut Variables::default())?;
        self.system.names = names;
        let mut types = Vec::new();
        for &argument in &literal.arguments {
            match argument {
                Argument::Object(name) if self.system.types.iter().any(|(known, _)| *known == name) => types.push(name),
                Argument::Object(name) => {
                    let found = self.system.names.text(name);
                    return Err(TacticsProblem::new(
                        span,
                        format!("found {found:?}, expected a type that is declared above"),
                    ));
                }
                Argument::Variable(_) => {
                    return Err(TacticsProblem::new(span, "found a variable, expected types as arguments"));
                }
            }
        }
        let text = self.system.names.text(literal.predicate).to_owned();
        if self.system.predicates.contains_key(&literal.predicate) || text == "not-equals" {
            return Err(TacticsProblem::new(span, format!("found {text:?} again, expected a new predicate")));
        }
        if literal.predicate == self.system.input_move
            && (types.len() != 2 || Some(types[1]) != self.system.names.find("player"))
        {
            return Err(TacticsProblem::new(span, "found other arguments, expected input-move(TYPE,player)"));
        }
        self.system.predicates.insert(literal.predicate, Predicate { kind, types });
        while kind == Kind::Static && tokens.at_literal() {
            let (fact, span) = self.literal(tokens, &mut Variables::default(), Some(Kind::Static))?;
            for fact in self.instances(&fact, span)? {
                self.system.statics.insert(fact);
            }
        }
        Ok(())
    }

    pub(super) fn literal(
        &mut self,
        tokens: &mut Tokens,
        variables: &mut Variables,
        kind: Option<Kind>,
    ) -> Read<(Literal, Range<usize>)> {
        let (literal, span) = tokens.literal(&mut self.system.names, variables)?;
        if let Some(message) = self.system.misfit(&literal) {
            return Err(TacticsProblem::new(span, message));
        }
        let found = self.system.predicates[&literal.predicate].kind;
        match kind.filter(|kind| *kind != found) {
            Some(Kind::Feature) => {
                Err(TacticsProblem::new(span, "found a static relation, which never changes; expected a feature"))
            }
            Some(Kind::Static) => {
                Err(TacticsProblem::new(span, "found a feature, expected a fact of a static relation"))
            }
            None => Ok((literal, span)),
        }
    }

    /// All facts that a literal with variables stands for.
    fn instances(&self, literal: &Literal, span: Range<usize>) -> Read<Vec<Fact>> {
        const MOST: usize = 1_000_000;
        let mut made = vec![Bindings::default()];
        for (place, &argument) in literal.arguments.iter().enumerate() {
            let Argument::Variable(variable) = argument else { continue };
            let objects = self.system.objects_at(literal.predicate, place);
            if made.len() * objects.len().max(1) > MOST {
                return Err(TacticsProblem::new(span, format!("found more than {MOST} facts, expected fewer")));
            }
            if made.iter().any(|bindings| bindings.get(variable).is_some()) {
                continue;
            }
            made = made
                .iter()
                .flat_map(|bindings| {
                    objects.iter().map(move |&object| {
                        let mut bindings = bindings.clone();
                        bindings.set(variable, object);
                        bindings
                    })
                })
                .collect();
        }
        Ok(made.iter().filter_map(|bindings| bindings.fact(literal)).collect())
    }

    fn tally(&mut self, tokens: &mut Tokens) -> Read<()> {
        let mut variables = Variables::default();
        let (feature, span) = self.literal(tokens, &mut variables, Some(Kind::Feature))?;
        let keyword = |tokens: &mut Tokens, word: &str| match tokens.take(word) {
            true => Ok(()),
            false => Err(tokens.unexpected(&format!("{word:?}"))),
        };
        keyword(tokens, "of")?;
        let (counted, _) = self.literal(tokens, &mut variables, Some(Kind::Feature))?;
        keyword(tokens, "in")?;
        let (place, _) = self.literal(tokens, &mut variables, Some(Kind::Static))?;
        let last_is_number = feature.arguments.last().is_some_and(|last| matches!(last, Argument::Variable(_)));
        if !last_is_number {
            return Err(TacticsProblem::new(span, "found no variable as last argument, expected one for the number"));
        }
        self.system.tallies.push(Tally { feature, counted, place });
        Ok(())
    }

    fn rule(&mut self, tokens: &mut Tokens) -> Read<()> {
        let span = tokens.span();
        let name = tokens.word("the rule's name")?.to_owned();
        if self.system.rules.iter().any(|rule| rule.name == name) {
            return Err(TacticsProblem::new(span, format!("found rule {name:?} again, expected another name")));
        }
        let mut rule =
            UpdateRule { name, condition: Vec::new(), unequal: Vec::new(), add: Vec::new(), delete: Vec::new(), span };
        let mut variables = Variables::default();
        if !tokens.take("if") {
            return Err(tokens.unexpected("'if'"));
        }
        let not_equals = self.system.names.intern("not-equals");
        while tokens.at_literal() {
            if tokens.peek() == Token::Word("not-equals") {
                let (literal, span) = tokens.literal(&mut self.system.names, &mut variables)?;
                match literal.arguments[..] {
                    [a, b] if literal.predicate == not_equals => rule.unequal.push((a, b)),
                    _ => return Err(TacticsProblem::new(span, "found other arguments, expected not-equals(A,B)")),
                }
                continue;
            }
            rule.condition.push(self.literal(tokens, &mut variables, None)?.0);
        }
        let known = |rule: &UpdateRule, literal: &Literal| {
            literal
                .variables()
                .all(|variable| rule.condition.iter().any(|other| other.variables().any(|known| known == variable)))
        };
        loop {
            let add = match tokens.peek() {
                Token::Word("add") => true,
                Token::Word("delete") => false,
                _ => break,
            };
            tokens.next();
            while tokens.at_literal() {
                let (literal, span) = self.literal(tokens, &mut variables, Some(Kind::Feature))?;
                if !known(&rule, &literal) {
                    return Err(TacticsProblem::new(
                        span,
                        "found a variable that the rule's 'if' does not bind, expected one that it does",
                    ));
                }
                if !add && !rule.condition.contains(&literal) {
                    return Err(TacticsProblem::new(
                        span,
                        "found a feature to delete, expected one that stands in the rule's 'if'",
                    ));
                }
                if add { rule.add.push(literal) } else { rule.delete.push(literal) }
            }
        }
        if rule.condition.is_empty() || rule.add.is_empty() && rule.delete.is_empty() {
            return Err(TacticsProblem::new(
                rule.span,
                "found a rule without effect, expected 'if', and 'add' or 'delete'",
            ));
        }
        self.system.rules.push(rule);
        Ok(())
    }
}
