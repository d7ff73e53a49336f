//! The learning module: from a game that was lost to rules that recognise how.
//!
//! This is the paper's main loop (Figure 4-5): back up over the winner's move and build a rule; back up over the loser's move, and if it was forced,
//! combine what it overlooked with the reason that forced it. Every rule is proved before it may be used. Where the
//! description that comes out is too general for that, a proof of the state itself is generalised instead; the loop goes on as long as
//! either way explains the loss.

use super::back_up::{Explained, InputMove, Mover, back_up, combine};
use super::explain_win::{Effort, explain_or_escape};
use super::generalise::generalise;
use super::ground_checker::Checker;
use super::language::{Argument, Description, Fact, Name, Variable, map_argument};
use super::library::{Added, Library, Threat};
use super::proof::Proof;
use super::recogniser::{CompileError, Recogniser};
use super::recognition::{RecognitionRule, Status};
use super::state::{State, UpdateTrace};
use super::system::UpdateSystem;
use std::collections::{BTreeSet, HashMap};

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnOptions {
    /// How hard to look for explanations that rules alone do not give.
    pub effort: Effort,
    /// In how many ways a rule may lie on the board, so that its proof can be checked.
    pub instances: u64,
}

impl Default for LearnOptions {
    fn default() -> LearnOptions {
        LearnOptions { effort: Effort::default(), instances: 20_000 }
    }
}

/// A game that cannot be learnt from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LessonError {
    /// A move is illegal.
    #[error("move {number}: found {square}, expected a legal move of {player}")]
    Illegal {
        /// Which one, counted from 1.
        number: usize,
        /// Where.
        square: String,
        /// Whose.
        player: String,
    },
    /// Moves follow a win.
    #[error("move {number}: found a move, but {winner} has won before it")]
    Over {
        /// Which one, counted from 1.
        number: usize,
        /// Who has won.
        winner: String,
    },
    /// The rules cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// Nobody has won.
    #[error("nobody has lost this game after {moves} moves: expected a game that somebody has won")]
    NotLost {
        /// How many there are.
        moves: usize,
    },
}

/// Why a move was forced: a rule of the other side that matched before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The threat.
    pub threat: Threat,
}

/// One step backwards through a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the move, counted from 1.
    pub turn: usize,
    /// Who moved.
    pub mover: Mover,
    /// What the state before the move must be like.
    pub goal: Option<Explained>,
    /// The move, if the goal depends on it.
    pub input: Option<InputMove>,
    /// For a move of the loser: why it was forced.
    pub reason: Option<Reason>,
    /// For a move of the winner without a proof: a reply after which nothing as good was found. What came before it was not forced.
    pub escape: Option<Name>,
    /// For a move of the winner: the rule that was built, and what adding it came to.
    pub rule: Option<(RecognitionRule, Added)>,
}

/// What a game taught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Who won, or brought the event about.
    pub winner: Name,
    /// What was brought about, if not a win.
    pub event: Option<Name>,
    /// The game: players with their squares.
    pub moves: Vec<(Name, Name)>,
    /// From the end to the beginning.
    pub steps: Vec<Step>,
}

impl Lesson {
    /// How many rules are new.
    pub fn learnt(&self) -> usize {
        let new = |step: &&Step| matches!(step.rule, Some((_, Added::New { .. })));
        self.steps.iter().filter(new).count()
    }
}

/// A game as states and what led from each to the next.
struct Replay {
    states: Vec<State>,
    traces: Vec<UpdateTrace>,
}

fn replay(system: &UpdateSystem, start: &State, moves: &[(Name, Name)]) -> Result<Replay, LessonError> {
    let mut replay = Replay { states: vec![start.clone()], traces: Vec::new() };
    let text = |name| system.names.text(name).to_owned();
    for (at, &(player, square)) in moves.iter().enumerate() {
        let state = &replay.states[at];
        if let Some(winner) = state.winner(system) {
            return Err(LessonError::Over { number: at + 1, winner: text(winner) });
        }
        let played = state.play(system, square, player);
        let (next, trace) = played.ok_or_else(|| LessonError::Illegal {
            number: at + 1,
            square: text(square),
            player: text(player),
        })?;
        replay.states.push(next);
        replay.traces.push(trace);
    }
    Ok(replay)
}

/// Learns from a game that somebody won: moves are players with their squares, from a state of which all is known.
///
/// # Errors
///
/// A move is illegal, or nobody has won.
pub fn learn_from_game(
    system: &UpdateSystem,
    library: &mut Library,
    start: &State,
    moves: &[(Name, Name)],
    source: &str,
    options: &LearnOptions,
) -> Result<Lesson, LessonError> {
    let game = replay(system, start, moves)?;
    let mut recogniser = Recogniser::new(system, library)?;
    let checker = Checker::of_ground(&recogniser.ground);
    let winner = game.states.last().and_then(|state| state.winner(system));
    let winner = winner.ok_or(LessonError::NotLost { moves: moves.len() })?;
    let mut steps = Vec::new();
    let mut goal = Some(Explained::won(system, winner));
    // The proof along the paper's lines: the game's own continuation, or else what the reason threatened.
    let mut line: Option<Proof> = None;
    let mut answer: Option<(Name, Option<Proof>)> = None;
    let mut at = moves.len();
    while let Some(turn) = at.checked_sub(1) {
        let (player, square) = moves[turn];
        if player != winner {
            break;
        }
        let (before, after) = (&game.states[turn], &game.states[turn + 1]);
        let backed = goal.as_ref().map(|goal| back_up(system, &game.traces[turn], after, goal, Mover::Winner));
        line = match (&answer, line.take()) {
            (None, _) => Some(Proof::Win(Argument::Object(square))),
            (Some((reply, Some(threatened))), Some(next)) => Some(Proof::Play {
                square: Argument::Object(square),
                replies: vec![(Argument::Object(*reply), next)],
                otherwise: Some(Box::new(threatened.clone())),
            }),
            _ => None,
        };
        let mut bits = recogniser.ground.state(before);
        let found = recogniser
            .ground
            .move_id(square, winner)
            .ok_or(None)
            .and_then(|id| explain_or_escape(&recogniser, library, &mut bits, id, options.effort));
        let escape = found.as_ref().err().copied().flatten().map(|id| recogniser.ground.square(id));
        let found = found.ok();
        let mut rule = None;
        if system.has_moves
            && recogniser.can_win(&mut recogniser.ground.state(after), 1 - recogniser.ground.player(winner))
        {
            // The loser had better: nothing is proved by a move that it let pass, and a rule about such states would say nothing.
            break;
        }
        let explained = backed.as_ref().and_then(|(goal, input)| Some((goal, (*input)?)));
        let proofs: Vec<&Proof> =
            line.iter().chain(found.iter().filter(|found| line.as_ref() != Some(*found))).collect();
        if let Some((goal, input)) = explained {
            rule = proofs
                .iter()
                .filter_map(|proof| checker.accept(lifted_rule(system, goal, input, proof)?, options.instances))
                .next();
            if rule.is_none() && before.facts.len() > MOST_FACTS {
                // On a large board a description that holds whatever lies around it says too much to be of use: the
                // paper's own is kept, and its proof checked wherever it is used.
                let player = recogniser.ground.player(winner);
                let holds = |proof: &&&Proof| recogniser.holds(&mut bits.clone(), player, proof);
                rule = proofs
                    .iter()
                    .filter(holds)
                    .find_map(|proof| lifted_rule(system, goal, input, &without_unlifted(goal, proof)));
            }
        }
        if rule.is_none() {
            let wanted: BTreeSet<Fact> = explained
                .iter()
                .flat_map(|(goal, _)| {
                    goal.description.literals.iter().filter_map(|literal| goal.bindings.fact(literal))
                })
                .collect();
            let mut proofs = found.iter().chain(&line);
            rule = proofs
                .find_map(|proof| generalise(system, &checker, before, winner, proof, &wanted, options.instances));
        }
        let proved = rule.is_some();
        // A description that does not say whose move it is about recognises nothing.
        let is_bound = |argument: Argument, goal: &Explained| {
            let mut literals = goal.description.literals.iter();
            matches!(argument, Argument::Object(_)) || literals.any(|literal| literal.arguments.contains(&argument))
        };
        let recognised = explained.filter(|(goal, input)| is_bound(input.0, goal) && is_bound(input.1, goal));
        // Where a reply is known that gives less, nothing was forced: a rule without a proof would say what is not so.
        let forced = !system.has_moves || escape.is_none();
        if let (None, Some((goal, input)), true) = (&rule, recognised, forced) {
            let depth = (moves.len() - turn).div_ceil(2) as u32;
            rule = Some(RecognitionRule {
                name: String::new(),
                condition: goal.description.clone(),
                square: input.0,
                player: input.1,
                event: system.event,
                depth,
                proof: None,
                status: Status::Unproved,
                variables: Vec::new(),
                learnt: String::new(),
            });
        }
        // Where an event is asked for and the game was won besides, that is what rules for winning say.
        let outright = |predicate| Fact { predicate, arguments: [winner].into_iter().collect() };
        let is_win = system.outright.is_some_and(|predicate| after.facts.contains(&outright(predicate)));
        let rule = rule.filter(|_| !is_win).map(|rule| {
            let mut rule = named_variables(system, rule);
            let what = system.event.map_or("win", |event| system.names.text(event));
            rule.name = library.new_name(what, rule.depth);
            rule.learnt = format!("{}:{}", as_word(source), turn + 1);
            let added = library.add(system, rule.clone());
            (rule, added)
        });
        if matches!(rule, Some((_, Added::New { .. }))) {
            recogniser = recogniser.with(library)?;
        }
        let (goal_before, input) = backed.map_or((None, None), |(goal, input)| (Some(goal), input));
        steps.push(Step {
            turn: turn + 1,
            mover: Mover::Winner,
            goal: goal_before.clone(),
            input,
            reason: None,
            escape,
            rule,
        });
        if !proved && (goal_before.is_none() || !forced) || turn < 2 || moves[turn - 1].0 == winner {
            break;
        }
        // Over the loser's move.
        let turn = turn - 1;
        let reply = moves[turn].1;
        let (before, after) = (&game.states[turn], &game.states[turn + 1]);
        let mut reasons = reasons_of(&recogniser, library, before, winner, reply);
        let backed = goal_before.as_ref().map(|goal| back_up(system, &game.traces[turn], after, goal, Mover::Loser).0);
        // The first threat that no reply parries together with what was overlooked.
        let combined = backed.and_then(|overlooked| {
            let first = line.as_ref().map(Proof::moves).unwrap_or_default();
            let first: Vec<Argument> = first.iter().filter_map(|&square| lifted(&overlooked, square)).collect();
            reasons.iter().enumerate().find_map(|(at, reason)| {
                let rule = &library.rules[reason.threat.rule];
                let threat = Explained::of_match(&rule.condition, &reason.threat.bindings);
                Some((at, combine(system, &overlooked, &threat, (&first, &rule.block_set(system)))?))
            })
        });
        let chosen = combined.as_ref().map_or(0, |(at, _)| *at);
        let reason = (chosen < reasons.len()).then(|| reasons.swap_remove(chosen));
        goal = combined.map(|(_, goal)| goal);
        answer = Some((reply, reason.as_ref().and_then(|reason| library.proof(&reason.threat))));
        steps.push(Step {
            turn: turn + 1,
            mover: Mover::Loser,
            goal: goal.clone(),
            input: None,
            reason,
            escape: None,
            rule: None,
        });
        at = turn;
    }
    Ok(Lesson { winner, event: system.event, moves: moves.to_vec(), steps })
}

/// The source as one word, as the text form of rules has it.
fn as_word(source: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '-' };
    source.chars().map(plain).collect()
}

/// So many threats may be the reason of a move.
const MOST_REASONS: usize = 64;

/// How many steps of matching are taken to find them.
const MOST_MATCHING: u64 = 1_000_000;

/// Why a move may have been forced: the threats that it parried, the quickest first, then those that it did not.
fn reasons_of(recogniser: &Recogniser, library: &Library, state: &State, winner: Name, reply: Name) -> Vec<Reason> {
    let ground = &recogniser.ground;
    let before = ground.state(state);
    let mut after = before.clone();
    let Some(id) = ground.move_id(reply, ground.system.other(winner)) else { return Vec::new() };
    if ground.play(&mut after, id).is_none() {
        return Vec::new();
    }
    let mut found: Vec<(bool, u32, usize, Threat)> = Vec::new();
    recogniser.matches_within(&before, ground.player(winner), MOST_MATCHING, &mut |threat| {
        let features =
            library.rules[threat.rule].condition.literals.iter().filter(|l| !ground.system.is_static(l.predicate));
        let mut facts = features.filter_map(|literal| ground.fact(&threat.bindings.fact(literal)?));
        let stays = facts.all(|fact| after.holds(fact));
        found.push((stays, threat.depth, threat.rule, threat));
    });
    found.sort_by_key(|&(stays, depth, rule, _)| (stays, depth, rule));
    found.truncate(MOST_REASONS);
    found.into_iter().map(|(_, _, _, threat)| Reason { threat }).collect()
}

/// The argument of an explained description that stands for an object.
fn lifted(goal: &Explained, argument: Argument) -> Option<Argument> {
    let Argument::Object(object) = argument else { return Some(argument) };
    // What only must differ from something is not bound where the description is recognised.
    let is_named = |argument| goal.description.literals.iter().any(|literal| literal.arguments.contains(&argument));
    let mut variables = goal.description.variables().into_iter();
    let variable = variables
        .find(|&variable| goal.bindings.get(variable) == Some(object) && is_named(Argument::Variable(variable)));
    let named = is_named(argument);
    variable.map(Argument::Variable).or_else(|| named.then_some(argument))
}

/// States with more features are those of large boards.
const MOST_FACTS: usize = 400;

/// Build-Recognition-Rule: the description as it came out, if the proof is about nothing else.
fn lifted_rule(system: &UpdateSystem, goal: &Explained, input: InputMove, proof: &Proof) -> Option<RecognitionRule> {
    let mut lift = HashMap::new();
    for argument in proof.arguments() {
        lift.insert(argument, lifted(goal, argument)?);
    }
    let proof = replaced(proof, &lift);
    Some(RecognitionRule {
        name: String::new(),
        condition: goal.description.clone(),
        square: input.0,
        player: input.1,
        event: system.event,
        depth: proof.depth(),
        proof: Some(proof),
        status: Status::PerPosition,
        variables: Vec::new(),
        learnt: String::new(),
    })
}

/// The proof without replies on squares that the description does not name: where the rule is used, other rules answer them.
fn without_unlifted(goal: &Explained, proof: &Proof) -> Proof {
    let Proof::Play { square, replies, otherwise } = proof else { return proof.clone() };
    let named = |argument: &Argument| lifted(goal, *argument).is_some();
    let kept = replies.iter().filter(|(reply, next)| named(reply) && next.arguments().iter().all(named));
    Proof::Play {
        square: *square,
        replies: kept.map(|(reply, next)| (*reply, without_unlifted(goal, next))).collect(),
        otherwise: otherwise.as_ref().map(|next| Box::new(without_unlifted(goal, next))),
    }
}

fn replaced(proof: &Proof, lift: &HashMap<Argument, Argument>) -> Proof {
    let change = |argument: &Argument| lift.get(argument).copied().unwrap_or(*argument);
    match proof {
        Proof::Win(square) => Proof::Win(change(square)),
        Proof::AtOnce(squares) => Proof::AtOnce(squares.iter().map(change).collect()),
        Proof::Play { square, replies, otherwise } => Proof::Play {
            square: change(square),
            replies: replies.iter().map(|(reply, proof)| (change(reply), replaced(proof, lift))).collect(),
            otherwise: otherwise.as_ref().map(|proof| Box::new(replaced(proof, lift))),
        },
    }
}

/// The rule with its variables numbered from 0 and named after their types.
fn named_variables(system: &UpdateSystem, rule: RecognitionRule) -> RecognitionRule {
    let mut order: Vec<Variable> = Vec::new();
    let mut note = |argument: Argument| match argument {
        Argument::Variable(variable) if !order.contains(&variable) => order.push(variable),
        _ => {}
    };
    note(rule.player);
    note(rule.square);
    rule.condition.variables().into_iter().for_each(|variable| note(Argument::Variable(variable)));
    rule.proof.iter().flat_map(Proof::arguments).for_each(&mut note);
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::new();
    for &variable in &order {
        let kind =
            kind_of(system, &rule.condition, variable).map_or("square", |kind| system.names.text(kind)).to_owned();
        let count = counts.entry(kind.clone()).or_default();
        *count += 1;
        names.push(match (kind.as_str(), *count) {
            ("player", 1) => "player".to_owned(),
            ("player", _) => "opponent".to_owned(),
            (_, count) => format!("{kind}{count}"),
        });
    }
    let mut change = |variable: Variable| {
        Argument::Variable(Variable(order.iter().position(|known| *known == variable).unwrap_or(0) as u32))
    };
    RecognitionRule {
        condition: Description {
            literals: rule.condition.literals.iter().map(|literal| literal.map(&mut change)).collect(),
            unequal: rule
                .condition
                .unequal
                .iter()
                .map(|&(a, b)| (map_argument(a, &mut change), map_argument(b, &mut change)))
                .collect(),
        },
        square: map_argument(rule.square, &mut change),
        player: map_argument(rule.player, &mut change),
        proof: rule.proof.as_ref().map(|proof| proof.map(&mut change)),
        variables: names,
        ..rule
    }
}

/// The type of a variable.
pub(super) fn kind_of(system: &UpdateSystem, condition: &Description, variable: Variable) -> Option<Name> {
    condition.literals.iter().find_map(|literal| {
        let place = literal.arguments.iter().position(|&argument| argument == Argument::Variable(variable))?;
        system.predicates.get(&literal.predicate)?.types.get(place).copied()
    })
}
