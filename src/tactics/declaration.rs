//! Declarations of a system that take more than a line to read: sets of features, events, and moves as objects of their own.

use super::event::Event;
use super::geometry;
use super::group::Group;
use super::language::Name;
use super::syntax::{TacticsProblem, Token, Tokens, Variables};
use super::system::{Kind, Read, Reader, UpdateSystem};
use std::ops::Range;

/// Moves and distances are tables: larger boards are refused.
const MOST_SIDE: usize = 8;

/// A proof is checked by a system for each event.
const MOST_EVENTS: usize = 12;

impl Reader {
    pub(super) fn one_of(&mut self, tokens: &mut Tokens) -> Read<()> {
        let begin = tokens.span().start;
        let mut words = self.words(tokens)?;
        let is_feature = |system: &UpdateSystem, name: Option<Name>| {
            name.and_then(|name| system.predicates.get(&name)).is_some_and(|known| known.kind == Kind::Feature)
        };
        // `by TYPE` says for the objects of which type there is one; for those of the first argument if it is left out.
        let mut by = None;
        if let [.., word, kind] = &words[..]
            && word == "by"
            && !is_feature(&self.system, self.system.names.find("by"))
        {
            let found =
                self.system.names.find(kind).filter(|kind| self.system.types.iter().any(|(name, _)| name == kind));
            by = Some(found.ok_or_else(|| {
                let span = begin..begin + words[0].len();
                TacticsProblem::new(span, format!("found {kind:?} after 'by', expected a type that is declared above"))
            })?);
            words.truncate(words.len() - 2);
        }
        let mut group = Group { kind: by.unwrap_or(self.system.won), features: Vec::new() };
        for word in words {
            let span = begin..begin + word.len();
            let name = self.system.names.find(&word).filter(|&name| is_feature(&self.system, Some(name)));
            let name = name.ok_or_else(|| {
                TacticsProblem::new(span.clone(), format!("found {word:?}, expected declared features"))
            })?;
            let types = &self.system.predicates[&name].types;
            let place = match by {
                None => 0,
                Some(kind) => types.iter().position(|known| *known == kind).ok_or_else(|| {
                    let kind = self.system.names.text(kind);
                    TacticsProblem::new(span.clone(), format!("found {word:?}, expected a feature with a {kind}"))
                })?,
            };
            if by.is_none() && group.features.is_empty() {
                group.kind = types.first().copied().unwrap_or(group.kind);
            }
            let known = self.system.groups.iter().chain([&group]).any(|known| known.place(name) == Some(place));
            if known {
                return Err(TacticsProblem::new(
                    span,
                    format!("found {word:?} again, expected a feature in one set only"),
                ));
            }
            group.features.push((name, place));
        }
        self.system.groups.push(group);
        Ok(())
    }

    pub(super) fn event(&mut self, tokens: &mut Tokens) -> Read<()> {
        let span = tokens.span();
        let name = tokens.word("the event's name")?.to_owned();
        let known = self.system.events.iter().any(|event| self.system.names.text(event.name) == name);
        if known || name == "won" {
            return Err(TacticsProblem::new(span, format!("found event {name:?} again, expected another name")));
        }
        if self.system.events.len() == MOST_EVENTS {
            return Err(TacticsProblem::new(span, format!("found more than {MOST_EVENTS} events, expected fewer")));
        }
        let mut variables = Variables::default();
        if !tokens.at_literal() {
            return Err(tokens.unexpected("the feature whose addition is the event, such as gone(<piece>)"));
        }
        let (feature, _) = self.literal(tokens, &mut variables, Some(Kind::Feature))?;
        let mut relations = Vec::new();
        while tokens.at_literal() {
            relations.push(self.literal(tokens, &mut variables, Some(Kind::Static))?.0);
        }
        if !variables.0.iter().any(|name| name == "player") {
            return Err(TacticsProblem::new(
                span,
                "found no <player>, expected one that says who has brought the event about",
            ));
        }
        let (name, player) = (self.system.names.intern(&name), variables.find("player"));
        self.system.events.push(Event { name, feature, relations, player });
        Ok(())
    }

    /// Moves as objects of their own, and where squares lie to each other.
    pub(super) fn chess_geometry(&mut self, word: &str, tokens: &mut Tokens, span: Range<usize>) -> Read<()> {
        let Some((width, height)) = self.system.board else {
            return Err(TacticsProblem::new(span, format!("found {word:?}, expected 'board' before it")));
        };
        if width.max(height) > MOST_SIDE {
            let message = format!(
                "found {word:?} on a board of {width} x {height}, expected one of at most {MOST_SIDE} x {MOST_SIDE}"
            );
            return Err(TacticsProblem::new(span, message));
        }
        let tables = self.tables.entry(word.to_owned()).or_default();
        *tables += 1;
        if *tables > 1 {
            return Err(TacticsProblem::new(span, format!("found {word:?} again, expected it once")));
        }
        if word != "moves" {
            let name = tokens.word("the name of a static relation")?.to_owned();
            let kinds: &[&str] = if word == "apart" { &["square", "square"] } else { &["square"] };
            let most = width.max(height);
            self.add_type("number", &(0..most).map(|number| number.to_string()).collect::<Vec<_>>());
            self.declare_as(&name, Kind::Static, &[kinds, &["number", "number"]].concat());
            let squares = geometry::squares(width, height);
            for from in &squares {
                if word == "rim" {
                    let (x, y) = geometry::from_rim(width, height, from);
                    self.state(&name, &[from, &x.to_string(), &y.to_string()]);
                    continue;
                }
                for to in squares.iter().filter(|to| *to != from) {
                    let (x, y) = geometry::apart(from, to);
                    self.state(&name, &[from, to, &x.to_string(), &y.to_string()]);
                }
            }
            return Ok(());
        }
        if !self.system.rules.is_empty() {
            return Err(TacticsProblem::new(span, "found 'moves' after a rule, expected it before all rules"));
        }
        let mut kinds: Vec<String> = Vec::new();
        while let Token::Word(kind) = tokens.peek() {
            if !geometry::KINDS.contains(&kind) {
                break;
            }
            kinds.push(kind.to_owned());
            tokens.next();
        }
        if kinds.is_empty() {
            return Err(tokens.unexpected(&format!("kinds of pieces: {}", geometry::KINDS.join(", "))));
        }
        let moves = geometry::moves(width, height, &kinds);
        self.system.has_moves = true;
        self.add_type("kind", &kinds);
        self.add_type("move", &moves.iter().map(|one| one.name.clone()).collect::<Vec<_>>());
        self.declare_as("input-move", Kind::Feature, &["move", "player"]);
        self.declare_as("from", Kind::Static, &["move", "square"]);
        self.declare_as("to", Kind::Static, &["move", "square"]);
        self.declare_as("goes", Kind::Static, &["kind", "move"]);
        for length in 0..width.max(height).max(3) - 1 {
            let kinds: Vec<&str> = ["move"].into_iter().chain(std::iter::repeat_n("square", length)).collect();
            self.declare_as(&format!("passes-{length}"), Kind::Static, &kinds);
        }
        for one in &moves {
            self.state("from", &[&one.name, &one.from]);
            self.state("to", &[&one.name, &one.to]);
            let passed: Vec<&str> = [&one.name].into_iter().chain(&one.passes).map(String::as_str).collect();
            self.state(&format!("passes-{}", one.passes.len()), &passed);
            one.kinds.iter().for_each(|kind| self.state("goes", &[kind, &one.name]));
        }
        Ok(())
    }
}
