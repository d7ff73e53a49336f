//! A heuristic made ready to be used by players: facts as numbers, rules as lists of them, sums as integers.
//!
//! Every rule counts how many of its facts hold. From one position to the next only the facts that changed are looked at, which are
//! few between neighbours in a search. Values are whole multiples of a tiny unit, so that sums do not depend on the
//! way by which a position was reached.

use super::fact_table::FactTable;
use super::heuristic::{Heuristic, RoleRules, Rule, Sum};
use crate::game::{Chance, FactId, FactSet, Game, Playouts, Role, Roles, Vocabulary};
use crate::play::{Evaluation, MOST_OPINION, Policy};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// A heuristic as an evaluation of states of one game.
#[derive(Debug)]
pub struct CompiledHeuristic {
    vocabulary: Vocabulary,
    sum: Sum,
    /// By role; `None` for those that the heuristic says nothing about.
    functions: Vec<Option<RoleFunction>>,
    unmatched: usize,
}

/// The rules of a role without variables.
#[derive(Debug, Default)]
struct RoleFunction {
    /// What always counts.
    constant: i64,
    /// The sum of all values that count for the role: more cannot be had.
    most: i64,
    rules: Vec<GroundRule>,
    /// By fact: where its rules are in `lists`.
    places: Vec<(u32, u32)>,
    lists: Vec<u32>,
    /// Room for threads that ask at the same time.
    rooms: Mutex<Vec<Room>>,
}

#[derive(Clone, Copy, Debug)]
struct GroundRule {
    value: i64,
    facts: u8,
}

/// A position, and how many facts of each rule hold in it.
#[derive(Debug, Default)]
struct Room {
    facts: FactSet,
    /// What the next position is read into.
    next: FactSet,
    holding: Vec<u8>,
    sum: i64,
}

/// A heuristic that a game has no use for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileHeuristicError {
    /// A role that the game does not have.
    #[error("found rules for role {found}, expected one of the roles of {game}: {roles}")]
    Role {
        /// The role.
        found: String,
        /// The game.
        game: String,
        /// Its roles.
        roles: String,
    },
    /// No rule says anything about the game.
    #[error("none of the {rules} rules matches a fact of {game}, expected facts such as {example}")]
    NothingMatches {
        /// How many rules there are.
        rules: usize,
        /// The game.
        game: String,
        /// One of its facts.
        example: String,
    },
    /// Too many ways to match.
    #[error("the rules match in more than {most} ways, expected fewer: leave some out, or put numbers for variables")]
    TooMany {
        /// The most ways that are allowed.
        most: usize,
    },
}

/// The most rules without variables.
const MOST_RULES: usize = 1 << 21;
/// A value of 1.
const UNIT: f64 = (1_u64 << 36) as f64;
/// How the vocabulary of a game that numbers no facts is found: by so many playouts of so many plies.
const PLAYOUTS: u64 = 30;
const PLIES: u64 = 200;

fn vocabulary_of<G: Game>(game: &G) -> Vocabulary {
    let mut vocabulary = Vocabulary::new(game);
    if vocabulary.is_empty() {
        let (start, mut playouts) = (game.start(), Playouts::new(game));
        for number in 0..PLAYOUTS {
            playouts.run_watched(&start, PLIES, &mut Chance::stream(1, number), &mut vocabulary, &mut |_| {});
        }
    }
    vocabulary
}

/// Leaves out the last rules of each role as far as they match in more ways in a game than players take. Says how many rules there
/// were for each role, and how many are left.
pub(super) fn limit_ways<G: Game>(heuristic: &mut Heuristic, game: &G) -> Vec<(usize, usize)> {
    limit_ways_to(MOST_RULES, heuristic, game)
}

fn limit_ways_to<G: Game>(most: usize, heuristic: &mut Heuristic, game: &G) -> Vec<(usize, usize)> {
    let vocabulary = vocabulary_of(game);
    let table = FactTable::new(vocabulary.terms());
    let most = most / heuristic.roles.len().max(1);
    let limit = |role: &mut RoleRules| {
        let mut ways = 0;
        let fits = |rule: &&Rule| {
            let instances = table.instances(&rule.body, most - ways);
            ways += instances.found.len();
            rule.body.is_empty() || !instances.truncated
        };
        let (all, left) = (role.rules.len(), role.rules.iter().take_while(fits).count());
        role.rules.truncate(left);
        (all, left)
    };
    heuristic.roles.iter_mut().map(limit).collect()
}

impl CompiledHeuristic {
    /// Matches the rules with the facts of a game.
    ///
    /// # Errors
    ///
    /// The heuristic is for other roles or other facts, or matches in too many ways.
    pub fn new<G: Game>(heuristic: &Heuristic, game: &G) -> Result<CompiledHeuristic, CompileHeuristicError> {
        let vocabulary = vocabulary_of(game);
        let table = FactTable::new(vocabulary.terms());
        let mut functions: Vec<Option<RoleFunction>> = game.roles().iter().map(|_| None).collect();
        let mut unmatched = 0;
        let mut ways = 0;
        for role in &heuristic.roles {
            let at = game.roles().iter().position(|name| *name == role.role).ok_or_else(|| {
                let (found, game, roles) = (role.role.clone(), game.name().to_owned(), game.roles().join(", "));
                CompileHeuristicError::Role { found, game, roles }
            })?;
            let mut ground: FxHashMap<Vec<FactId>, i64> = FxHashMap::default();
            let mut order: Vec<Vec<FactId>> = Vec::new();
            let mut function = RoleFunction::default();
            for rule in &role.rules {
                let value = (rule.value * UNIT).round() as i64;
                if rule.body.is_empty() {
                    function.constant = function.constant.saturating_add(value);
                    continue;
                }
                let instances = table.instances(&rule.body, MOST_RULES);
                ways += instances.found.len();
                if ways > MOST_RULES || instances.truncated {
                    return Err(CompileHeuristicError::TooMany { most: MOST_RULES });
                }
                unmatched += usize::from(instances.found.is_empty());
                for mut facts in instances.found {
                    facts.sort();
                    match ground.get_mut(&facts) {
                        Some(sum) => *sum = sum.saturating_add(value),
                        None => {
                            order.push(facts.clone());
                            ground.insert(facts, value);
                        }
                    }
                }
            }
            function.enter(&order, &ground, vocabulary.len());
            functions[at] = Some(function);
        }
        let rules = heuristic.rule_count();
        if unmatched > 0 && ways == 0 {
            let example = vocabulary.terms().first().map(|term| super::Literal::of_term(term).to_string());
            let (game, example) = (game.name().to_owned(), example.unwrap_or_default());
            return Err(CompileHeuristicError::NothingMatches { rules, game, example });
        }
        Ok(CompiledHeuristic { vocabulary, sum: heuristic.sum, functions, unmatched })
    }

    /// How many rules match no fact of the game.
    pub fn unmatched(&self) -> usize {
        self.unmatched
    }

    /// How many rules without variables there are for a role.
    pub fn ground_rules(&self, role: Role) -> usize {
        self.functions[role.index()].as_ref().map_or(0, |function| function.rules.len())
    }

    /// The sum of the values of all rules of a role that match a state; `None` if there are no rules for the role.
    pub fn sum<G: Game>(&self, game: &G, state: &G::State, role: Role) -> Option<f64> {
        self.functions[role.index()].as_ref().map(|function| self.run(function, game, state) as f64 / UNIT)
    }

    fn run<G: Game>(&self, function: &RoleFunction, game: &G, state: &G::State) -> i64 {
        let pool = || function.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let mut room = pool().pop().unwrap_or_default();
        let sum = function.update(&mut room, |facts| {
            self.vocabulary.read(game, state, facts);
        });
        pool().push(room);
        sum
    }

    /// What a state is worth for a role, as a sum of its own function or of the other's.
    ///
    /// A function speaks of states after its role's moves. Where a role is to move and the only other one is not, the other one has just moved, and
    /// in a game for two what is good for one is bad for the other.
    fn worth<G: Game>(&self, game: &G, state: &G::State, role: Role) -> f64 {
        let functions = &self.functions;
        let own = functions[role.index()].as_ref();
        if self.sum == Sum::Odds && functions.len() == 2 {
            let other = Role(1 - role.0);
            let to_move = game.to_move(state);
            if let Some(theirs) = functions[other.index()].as_ref()
                && (own.is_none() || to_move == Roles::one(role))
            {
                return -(self.run(theirs, game, state) as f64) / UNIT;
            }
        }
        own.map_or(0.0, |own| self.run(own, game, state) as f64 / UNIT)
    }
}

impl RoleFunction {
    fn enter(&mut self, order: &[Vec<FactId>], values: &FxHashMap<Vec<FactId>, i64>, facts: usize) {
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); facts];
        for body in order.iter().filter(|body| values[*body] != 0) {
            body.iter().for_each(|fact| lists[fact.index()].push(self.rules.len() as u32));
            self.rules.push(GroundRule { value: values[body], facts: body.len() as u8 });
        }
        for list in lists {
            self.places.push((self.lists.len() as u32, (self.lists.len() + list.len()) as u32));
            self.lists.extend(list);
        }
        let gains = self.rules.iter().map(|rule| rule.value.max(0));
        self.most = gains.fold(self.constant.max(0), i64::saturating_add).max(1);
    }

    /// Goes over to another position, and returns its sum.
    fn update(&self, room: &mut Room, read: impl FnOnce(&mut FactSet)) -> i64 {
        if room.holding.is_empty() {
            room.holding = vec![0; self.rules.len()];
            room.sum = self.constant;
        }
        read(&mut room.next);
        let length = room.facts.words().len().max(room.next.words().len());
        let word = |facts: &FactSet, at: usize| facts.words().get(at).copied().unwrap_or(0);
        for at in 0..length {
            let (old, new) = (word(&room.facts, at), word(&room.next, at));
            let mut changed = old ^ new;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let (begin, end) = self.places.get(at * 64 + bit as usize).copied().unwrap_or_default();
                let rules = &self.lists[begin as usize..end as usize];
                if new >> bit & 1 == 1 {
                    for &rule in rules {
                        let (holding, ground) = (&mut room.holding[rule as usize], self.rules[rule as usize]);
                        *holding += 1;
                        if *holding == ground.facts {
                            room.sum = room.sum.wrapping_add(ground.value);
                        }
                    }
                } else {
                    for &rule in rules {
                        let (holding, ground) = (&mut room.holding[rule as usize], self.rules[rule as usize]);
                        if *holding == ground.facts {
                            room.sum = room.sum.wrapping_sub(ground.value);
                        }
                        *holding -= 1;
                    }
                }
            }
        }
        std::mem::swap(&mut room.facts, &mut room.next);
        room.sum
    }
}

impl<G: Game> Evaluation<G> for CompiledHeuristic {
    fn evaluate(&self, game: &G, state: &G::State, role: Role) -> i32 {
        let worth = self.worth(game, state, role);
        let share = match self.sum {
            // The chance to win that the odds say, from -1 to 1.
            Sum::Odds => (worth / 2.0).tanh(),
            Sum::Frequencies => {
                let most = self.functions[role.index()].as_ref().map_or(1.0, |own| own.most as f64 / UNIT);
                worth / most
            }
        };
        (share * f64::from(MOST_OPINION)) as i32
    }

    fn score(&self, game: &G, state: &G::State, role: Role) -> f64 {
        self.worth(game, state, role)
    }
}

/// A move is as promising as the state it leads to: its weight is the odds there. Where others move at the same time, all moves weigh the same.
impl<G: Game> Policy<G> for CompiledHeuristic {
    fn weigh(&self, game: &G, state: &G::State, role: Role, moves: &[G::Move], weights: &mut Vec<f64>) {
        weights.clear();
        if game.to_move(state) != Roles::one(role) {
            weights.resize(moves.len(), 1.0);
            return;
        }
        let mut child = state.clone();
        let most = self.functions[role.index()].as_ref().map_or(1.0, |own| own.most as f64 / UNIT);
        for choice in moves {
            child.clone_from(state);
            game.play(&mut child, std::slice::from_ref(choice));
            let worth = match game.goals(&child) {
                Some(goals) => f64::from(goals[role.index()].unwrap_or(0)) / 10.0 - 5.0,
                None if self.sum == Sum::Odds => self.worth(game, &child, role),
                None => self.worth(game, &child, role) / most * 4.0,
            };
            weights.push(worth.clamp(-6.0, 6.0).exp());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::catalogue_game;

    #[test]
    fn the_last_rules_are_left_out_where_they_match_in_too_many_ways() {
        let game = catalogue_game("tic-tac-toe").unwrap();
        let facts = ["cell(2,2,o)", "cell(X0,X1,o)", "cell(1,1,o)", "cell(X0,X1,'X')"];
        // One way, nine ways, one way, nine ways.
        let rules: String = facts.iter().map(|fact| format!("evaluation(0.5) :- {fact}.\n")).collect();
        let rules = format!("concepts(1).\ngame('tic-tac-toe').\nsum(odds).\nrole(o).\n{rules}");
        for (most, left) in [(0, 0), (1, 1), (9, 1), (10, 2), (11, 3), (19, 3), (20, 4), (99, 4)] {
            let mut heuristic = Heuristic::parse(&rules).unwrap();
            assert_eq!(limit_ways_to(most, &mut heuristic, &game), [(4, left)], "{most}");
            assert_eq!(heuristic.rule_count(), left);
        }
    }
}
