//! A game that people play, against agents or each other.

use super::{Agent, AgentError, AgentSpec, Choice, Knowledge, KnowledgeError, NamedAgent};
use crate::game::{Chance, Game, Goals, Role, Truncation, played_roles};
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Who is to play a role: `person`, or the name of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PlayerSpec {
    /// Somebody who is asked for moves.
    Person,
    /// An agent.
    Agent(AgentSpec),
}

impl PlayerSpec {
    /// Makes the player.
    ///
    /// # Errors
    ///
    /// A file that the agent needs cannot be used.
    pub fn build<G: Game>(&self, knowledge: &dyn Knowledge<G>) -> Result<Player<G>, KnowledgeError> {
        match self {
            PlayerSpec::Person => Ok(Player::Person),
            PlayerSpec::Agent(spec) => spec.build(knowledge).map(Player::Agent),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PlayerSpec::Person => f.write_str("person"),
            PlayerSpec::Agent(agent) => agent.fmt(f),
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<PlayerSpec, AgentError> {
        if text == "person" { Ok(PlayerSpec::Person) } else { text.parse().map(PlayerSpec::Agent) }
    }
}

/// Who plays a role.
pub enum Player<G: Game> {
    /// Somebody who is asked for moves.
    Person,
    /// An agent.
    Agent(NamedAgent<G>),
}

impl<G: Game> Player<G> {
    fn is_person(&self) -> bool {
        matches!(self, Player::Person)
    }
}

impl<G: Game> Clone for Player<G> {
    fn clone(&self) -> Player<G> {
        match self {
            Player::Person => Player::Person,
            Player::Agent(agent) => Player::Agent(agent.clone()),
        }
    }
}

impl<G: Game> fmt::Debug for Player<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Player({self})")
    }
}

impl<G: Game> fmt::Display for Player<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Player::Person => f.write_str("person"),
            Player::Agent(agent) => agent.fmt(f),
        }
    }
}

/// A game in progress, with all that was played in it.
///
/// The one who shows it asks [`Session::waiting_for`] whose move is awaited and gives it to [`Session::choose`]; while
/// nobody's is and the game is not [over](Session::goals), [`Session::advance`] lets the agents move. What an agent chooses
/// depends on the seed and on how far the game has come, and on nothing else: after an undo, or in a session that was saved and
/// loaded, it answers the same move in the same way.
///
/// The game is held by any pointer `R`: an `Arc` if the session is to live long, otherwise a plain reference will do.
///
/// ```
/// use onlooker::game::AnyGame;
/// use onlooker::play::{NoKnowledge, PlayerSpec, Session};
/// use std::sync::Arc;
///
/// let game = Arc::new(AnyGame::catalogue("tic-tac-toe").expect("a game of the catalogue"));
/// let players = ["person", "mcts:50"].map(|name| name.parse::<PlayerSpec>());
/// let players = players.into_iter().map(|player| player.unwrap().build(&NoKnowledge)).collect::<Result<_, _>>()?;
/// let mut session = Session::new(game, players, 1)?;
/// session.choose("b2")?;
/// while session.advance() {}
/// assert_eq!(session.history().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session<G: Game, R: Deref<Target = G> = Arc<G>> {
    game: R,
    players: Vec<Player<G>>,
    seed: u64,
    /// The states so far, the start first.
    states: Vec<G::State>,
    /// The joint move played in each of them but the last.
    played: Vec<Vec<G::Move>>,
    /// What the people who are to move have chosen so far, while others still have to.
    chosen: Vec<(Role, G::Move)>,
}

impl<G: Game, R: Deref<Target = G>> Session<G, R> {
    /// A game from its start, with a player for each role that is not chance.
    ///
    /// # Errors
    ///
    /// There are too many or too few players.
    pub fn new(game: R, players: Vec<Player<G>>, seed: u64) -> Result<Session<G, R>, PlayerError> {
        let roles = played_roles(&*game);
        if players.len() != roles.len() {
            let roles = roles.iter().map(|role| game.roles()[role.index()].clone()).collect();
            return Err(PlayerError { roles, players: players.len() });
        }
        let mut all = vec![Player::Agent(NamedAgent::random()); game.roles().len()];
        roles.iter().zip(players).for_each(|(role, player)| all[role.index()] = player);
        let (players, states) = (all, vec![game.start()]);
        Ok(Session { game, players, seed, states, played: Vec::new(), chosen: Vec::new() })
    }

    /// The same from another state of the game, in which it need not ever have been.
    ///
    /// # Errors
    ///
    /// There are too many or too few players.
    pub fn from_state(
        game: R,
        players: Vec<Player<G>>,
        seed: u64,
        state: G::State,
    ) -> Result<Session<G, R>, PlayerError> {
        let mut session = Session::new(game, players, seed)?;
        session.states = vec![state];
        Ok(session)
    }

    /// The game.
    pub fn game(&self) -> &R {
        &self.game
    }

    /// Who plays each role; `random` those that are chance.
    pub fn players(&self) -> &[Player<G>] {
        &self.players
    }

    /// What fixes the agents' choices.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The state now.
    pub fn state(&self) -> &G::State {
        self.states.last().expect("the start is always there")
    }

    /// The states so far, the one it began with first.
    pub fn states(&self) -> &[G::State] {
        &self.states
    }

    /// What was played: each state with the joint move played in it.
    pub fn history(&self) -> impl ExactSizeIterator<Item = (&G::State, &[G::Move])> {
        self.states.iter().zip(self.played.iter().map(Vec::as_slice))
    }

    /// What each role has got, if the game is over.
    pub fn goals(&self) -> Option<Goals> {
        self.game.goals(self.state())
    }

    /// Why the game cannot go on though it is not over, if the state is beyond the engine's limits.
    pub fn truncation(&self) -> Option<Truncation> {
        if self.goals().is_some() { None } else { self.game.truncation(self.state()) }
    }

    /// The role whose player has to be asked now; `None` if the game is over or the agents can go on by themselves.
    pub fn waiting_for(&self) -> Option<Role> {
        if self.goals().is_some() {
            return None;
        }
        let asked = |role: &Role| {
            self.players[role.index()].is_person() && !self.chosen.iter().any(|(chosen, _)| chosen == role)
        };
        self.game.to_move(self.state()).iter().find(asked)
    }

    /// The moves of the role that is waited for, with their names; numbers for people count from 1 in this order.
    pub fn legal(&self) -> Vec<(String, G::Move)> {
        let Some(role) = self.waiting_for() else { return Vec::new() };
        let mut moves = Vec::new();
        self.game.legal(self.state(), role, &mut moves);
        let names = self.game.move_names(self.state(), role, &moves);
        names.into_iter().zip(moves).collect()
    }

    /// Takes a move for the role that is waited for, and plays it if no other person has to choose first; the agents who
    /// move at the same time then choose theirs.
    ///
    /// A move is given by its name or its term; if no name is like that, by its number, counted from 1, or by the beginning
    /// of one name. Upper and lower case matter only where two names would else be alike.
    ///
    /// # Errors
    ///
    /// Nobody is asked for a move, or it cannot be made out which one is meant.
    pub fn choose(&mut self, text: &str) -> Result<(), RefusedMove> {
        let role = self.waiting_for().ok_or(RefusedMove::NobodyAsked)?;
        let legal = self.legal();
        let pick = self.find(role, &legal, text.trim())?;
        self.chosen.push((role, legal[pick].1.clone()));
        if self.waiting_for().is_none() {
            self.advance();
        }
        Ok(())
    }

    /// Takes a move for the role that is waited for, as [`Session::choose`] does, from those who have it as a value.
    ///
    /// # Errors
    ///
    /// Nobody is asked for a move, or this one is not legal.
    pub fn choose_move(&mut self, choice: G::Move) -> Result<(), RefusedMove> {
        let role = self.waiting_for().ok_or(RefusedMove::NobodyAsked)?;
        let mut legal = Vec::new();
        self.game.legal(self.state(), role, &mut legal);
        if !legal.contains(&choice) {
            return Err(RefusedMove::Unknown { found: format!("{choice:?}"), legal: legal.len() });
        }
        self.chosen.push((role, choice));
        if self.waiting_for().is_none() {
            self.advance();
        }
        Ok(())
    }

    /// Which of the moves somebody means: the first way of reading the text that fits any decides.
    fn find(&self, role: Role, legal: &[(String, G::Move)], text: &str) -> Result<usize, RefusedMove> {
        let folded = text.to_lowercase();
        let name = |pick: usize| legal[pick].0.as_str();
        let term = |pick: usize| self.game.move_term(self.state(), role, &legal[pick].1).to_string();
        let number = text.parse::<usize>().ok();
        // Terms take longer to make than all the rest, and are seldom given.
        let ways: [&dyn Fn(usize) -> bool; 6] = [
            &|pick| name(pick) == text,
            &|pick| term(pick) == text,
            &|pick| name(pick).to_lowercase() == folded || term(pick).to_lowercase() == folded,
            &|pick| number == Some(pick + 1),
            &|pick| !text.is_empty() && name(pick).starts_with(text),
            &|pick| !text.is_empty() && name(pick).to_lowercase().starts_with(&folded),
        ];
        for way in ways {
            let found: Vec<usize> = (0..legal.len()).filter(|&pick| way(pick)).collect();
            match found.as_slice() {
                [] => continue,
                &[pick] => return Ok(pick),
                several => {
                    let names = several.iter().map(|&pick| name(pick).to_owned()).collect();
                    return Err(RefusedMove::Ambiguous { found: text.to_owned(), names });
                }
            }
        }
        Err(RefusedMove::Unknown { found: text.to_owned(), legal: legal.len() })
    }

    /// Plays the next joint move if no person has to be asked for it; `false` if none was played.
    pub fn advance(&mut self) -> bool {
        self.advance_until(&AtomicBool::new(false))
    }

    /// The same, but once `stop` is set, agents choose the best that they have found so far.
    pub fn advance_until(&mut self, stop: &AtomicBool) -> bool {
        if self.goals().is_some() || self.waiting_for().is_some() {
            return false;
        }
        let state = self.state().clone();
        let mut joint = Vec::new();
        for role in self.game.to_move(&state).iter() {
            let choice = match &self.players[role.index()] {
                Player::Person => self.chosen.iter().find(|(chosen, _)| *chosen == role).map(|(_, pick)| pick.clone()),
                Player::Agent(agent) => {
                    let choice = agent.choose_until(&self.game, &state, role, &mut self.chance(role), stop);
                    choice.map(|choice| choice.pick)
                }
            };
            // Every role that is to move has a move, unless the state is beyond the engine's limits.
            let Some(choice) = choice else { return false };
            joint.push(choice);
        }
        self.push(state, joint);
        true
    }

    /// Plays a joint move.
    pub(super) fn push(&mut self, mut state: G::State, joint: Vec<G::Move>) {
        self.game.play(&mut state, &joint);
        self.states.push(state);
        self.played.push(joint);
        self.chosen.clear();
    }

    /// The chance of an agent in this state of the game.
    fn chance(&self, role: Role) -> Chance {
        Chance::stream(self.seed, self.played.len() as u64 * crate::game::Roles::MAX as u64 + u64::from(role.0))
    }

    /// Goes back to where a person had to choose last; `false`, and nothing changes, if there is no such state.
    pub fn undo(&mut self) -> bool {
        if self.chosen.pop().is_some() {
            return true;
        }
        let person = |role: Role| self.players[role.index()].is_person();
        let asked = |state: &G::State| self.game.to_move(state).iter().any(person);
        let Some(back) = self.states[..self.played.len()].iter().rposition(asked) else { return false };
        self.states.truncate(back + 1);
        self.played.truncate(back);
        true
    }

    /// Goes back to the state after so many joint moves; what was played from there on is dropped. `false`, and nothing changes,
    /// if there are not so many.
    pub fn rewind(&mut self, plies: usize) -> bool {
        if plies > self.played.len() {
            return false;
        }
        self.chosen.clear();
        self.states.truncate(plies + 1);
        self.played.truncate(plies);
        true
    }

    /// What an agent would choose for the role that is waited for; soon, once `stop` is set.
    pub fn hint(&self, agent: &dyn Agent<G>, stop: &AtomicBool) -> Option<(String, Choice<G::Move>)> {
        let role = self.waiting_for()?;
        let choice = agent.choose_until(&self.game, self.state(), role, &mut self.chance(role), stop)?;
        let name = self.legal().into_iter().find(|(_, legal)| *legal == choice.pick)?.0;
        Some((name, choice))
    }
}

impl<G: Game, R: Deref<Target = G> + Clone> Clone for Session<G, R> {
    fn clone(&self) -> Session<G, R> {
        Session {
            game: self.game.clone(),
            players: self.players.clone(),
            seed: self.seed,
            states: self.states.clone(),
            played: self.played.clone(),
            chosen: self.chosen.clone(),
        }
    }
}

/// Players that do not fit a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is for {} ({}), {players} players were given", .roles.len(), .roles.join(", "))]
pub struct PlayerError {
    /// The roles of the game that somebody has to play.
    pub roles: Vec<String>,
    /// How many were given.
    pub players: usize,
}

/// Why a move was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefusedMove {
    /// No person is to move.
    #[error("no person is to move")]
    NobodyAsked,
    /// No legal move is called like that.
    #[error("{found:?} is not a legal move: give its name, or its number from 1 to {legal}")]
    Unknown {
        /// What was given.
        found: String,
        /// How many moves there are.
        legal: usize,
    },
    /// Several legal moves begin like that.
    #[error("{found:?} can be {}", .names.join(", "))]
    Ambiguous {
        /// What was given.
        found: String,
        /// The moves it can be.
        names: Vec<String>,
    },
}
