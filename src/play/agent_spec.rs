//! Agents by name: the text that a person types, apart from the agent that is made of it.

use super::{PlayoutMoves, Ties};
use std::fmt;
use std::str::FromStr;

/// What a text such as `mcts:1000,eval=material` says: which agent, with which options.
///
/// [`AgentSpec::build`] makes the agent. A spec is written as it is read, options at their defaults left out.
///
/// ```
/// use onlooker::game::RulesGame;
/// use onlooker::play::{AgentSpec, NoKnowledge};
///
/// let spec: AgentSpec = "mcts:1000,eval=material,share=30".parse()?;
/// assert_eq!(spec.to_string(), "mcts:1000,eval=material,share=30");
/// let agent = spec.build::<RulesGame>(&NoKnowledge)?;
/// assert!("mcts:1000,speed=7".parse::<AgentSpec>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AgentSpec {
    /// `random`: any legal move, each as likely as the others.
    Random,
    /// `greedy`: a move that wins at once, whatever the others do at the same time; otherwise any.
    Greedy,
    /// `heuristic:FILE`: a move that wins at once; otherwise the one to the best state by what the file says.
    Heuristic {
        /// The file of an evaluation.
        file: String,
    },
    /// `alphabeta:DEPTH`: looks this many joint moves ahead and supposes that all others play against it.
    AlphaBeta {
        /// Joint moves, from 1 to [`AgentSpec::MOST_DEPTH`].
        depth: u16,
        /// `eval=`: what states at the horizon are worth, [`EvaluationSpec::Material`] if left out.
        evaluation: EvaluationSpec,
        /// `policy=`: the file of a policy that says which moves to try first.
        policy: Option<String>,
        /// `nodes=`: how many states may be looked at for a move, as many as it takes if left out.
        nodes: Option<u32>,
        /// `ties=`: which of several equally good moves is taken, `chance` if left out.
        ties: Ties,
    },
    /// `opponent:FILE`: looks ahead with a model of what another role plays.
    Opponent(OpponentSpec),
    /// `tactics:FILE`: wins by the rules in the file if it can and avoids what they say the opponent wins by; otherwise another agent chooses.
    Tactics {
        /// The file of the rules.
        file: String,
        /// `then=`: the agent that chooses where rules leave a choice; if left out, what the features are worth decides. Its own options follow it.
        then: Option<Box<AgentSpec>>,
    },
    /// `mcts:PLAYOUTS`: grows a tree with this many random playouts.
    Mcts {
        /// From 1 to [`AgentSpec::MOST_PLAYOUTS`].
        playouts: u32,
        /// `eval=`: what new states are worth, [`EvaluationSpec::Nothing`] if left out: then only playouts tell.
        evaluation: EvaluationSpec,
        /// `share=`: how much the evaluation counts beside the playout, in percent; with 100 there are no playouts.
        share: u8,
        /// `policy=`: the file of a policy that says which moves are promising.
        policy: Option<String>,
        /// `room=`: about how many moves the tree may hold.
        room: u32,
        /// How the tree learns while it grows.
        growth: GrowthSpec,
    },
    /// `ggp:SECONDS`: the player of matches over a network: studies the game first, then thinks so long about every move.
    Clocked(ClockedSpec),
}

/// The options of `ggp:SECONDS`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClockedSpec {
    /// How long it thinks about a move, in milliseconds, at most [`AgentSpec::MOST_SECONDS`].
    pub move_ms: u32,
    /// `start=`: how long it studies a game before its first move, likewise.
    pub start_ms: u32,
    /// `learn=off`: whether it studies at all; without, it plays with the usual options.
    pub learn: bool,
    /// `threads=`: how many trees it grows at the same time.
    pub threads: u8,
}

/// The options of `mcts:PLAYOUTS` that say how a tree learns while it grows: each can be compared with the tree without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GrowthSpec {
    /// `transpositions=on`: equal states share a node, however they are reached.
    pub transpositions: bool,
    /// `playouts=mast` or `nst`: how moves are drawn in playouts, `uniform` if left out.
    pub playouts: PlayoutMoves,
    /// `epsilon=`: where playouts learn, in so many of a hundred cases any move is played.
    pub epsilon: u8,
    /// `rave=`: how much moves count that were played later on, if at all.
    pub rave: Option<u32>,
    /// `cutoff=`: after how many joint moves a playout is cut off, for the evaluation to say what has become of it.
    pub cutoff: Option<u32>,
    /// `minimax=`: how much the evaluation's minimax value counts for the promise of a move, in percent; 0 if left out.
    pub minimax: u8,
}

impl GrowthSpec {
    /// How much an evaluation counts for the worth of a new node if nothing else is asked for, in percent.
    fn usual_share(&self) -> u8 {
        if self.minimax == 0 { AgentSpec::SHARE } else { 0 }
    }
}

impl Default for GrowthSpec {
    fn default() -> GrowthSpec {
        let (playouts, epsilon) = (PlayoutMoves::Uniform, AgentSpec::EPSILON);
        GrowthSpec { transpositions: false, playouts, epsilon, rave: None, cutoff: None, minimax: 0 }
    }
}

/// The options of `opponent:FILE`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpponentSpec {
    /// The file of the model.
    pub file: String,
    /// `depth=`: joint moves to look ahead, from 1 to [`AgentSpec::MOST_DEPTH`], which it is if left out.
    pub depth: u16,
    /// `nodes=`: how many states may be looked at for a move; as many as it takes if only a depth is asked for.
    pub nodes: Option<u32>,
    /// `coverage=`: of the replies of the modelled role those are looked at that are played with this probability, in thousandths.
    pub coverage: u16,
    /// `risk=`: so many points of the goal may be risked beside what is certain against any opponent.
    pub risk: u8,
    /// `eval=`: what states at the horizon are worth.
    pub evaluation: EvaluationSpec,
}

/// Where an evaluation comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EvaluationSpec {
    /// `none`
    Nothing,
    /// `material`: see [`super::Material`].
    Material,
    /// A file.
    File(String),
}

impl AgentSpec {
    /// The deepest search that may be asked for.
    pub const MOST_DEPTH: u16 = 200;
    /// The most states that may be asked for.
    pub const MOST_NODES: u32 = u32::MAX;
    /// The most playouts that may be asked for.
    pub const MOST_PLAYOUTS: u32 = 1_000_000_000;
    /// The largest tree that may be asked for, in moves.
    pub const MOST_ROOM: u32 = 1 << 28;
    /// How many moves a tree may hold if nothing else is asked for.
    pub const ROOM: u32 = 1 << 21;
    /// How much an evaluation counts in a tree if nothing else is asked for, in percent.
    pub const SHARE: u8 = 50;

    /// Where playouts learn: in so many of a hundred cases any move is played if nothing else is asked for.
    pub const EPSILON: u8 = 20;
    /// The most that `rave=` may say.
    pub const MOST_RAVE: u32 = 1_000_000;
    /// The most that `cutoff=` may say.
    pub const MOST_CUTOFF: u32 = 1000;

    /// The longest that `ggp:SECONDS` may be asked to think.
    pub const MOST_SECONDS: u32 = 3600;
    /// How long it studies a game if nothing else is asked for, in milliseconds.
    pub const START_MS: u32 = 10_000;
    /// The most threads that may be asked for.
    pub const MOST_THREADS: u8 = 64;

    /// How many states `opponent:FILE` looks at for a move if neither that nor a depth is asked for.
    pub const OPPONENT_NODES: u32 = 20_000;
    /// Which share of replies it covers if nothing else is asked for, in thousandths.
    pub const COVERAGE: u16 = 990;

    /// How many points of the goal it risks if nothing else is asked for.
    pub const RISK: u8 = 2;

    /// `alphabeta:DEPTH` without options.
    pub fn alphabeta(depth: u16) -> AgentSpec {
        AgentSpec::AlphaBeta {
            depth,
            evaluation: EvaluationSpec::Material,
            policy: None,
            nodes: None,
            ties: Ties::Chance,
        }
    }

    /// `mcts:PLAYOUTS` without options.
    pub fn mcts(playouts: u32) -> AgentSpec {
        AgentSpec::Mcts {
            playouts,
            evaluation: EvaluationSpec::Nothing,
            share: AgentSpec::SHARE,
            policy: None,
            room: AgentSpec::ROOM,
            growth: GrowthSpec::default(),
        }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            AgentSpec::Random => f.write_str("random"),
            AgentSpec::Greedy => f.write_str("greedy"),
            AgentSpec::Heuristic { file } => write!(f, "heuristic:{file}"),
            AgentSpec::AlphaBeta { depth, evaluation, policy, nodes, ties } => {
                write!(f, "alphabeta:{depth}")?;
                if *evaluation != EvaluationSpec::Material {
                    write!(f, ",eval={evaluation}")?;
                }
                policy.iter().try_for_each(|file| write!(f, ",policy={file}"))?;
                nodes.iter().try_for_each(|nodes| write!(f, ",nodes={nodes}"))?;
                f.write_str(if *ties == Ties::First { ",ties=first" } else { "" })
            }
            AgentSpec::Opponent(OpponentSpec { file, depth, nodes, coverage, risk, evaluation }) => {
                write!(f, "opponent:{file}")?;
                let deep = *depth == AgentSpec::MOST_DEPTH;
                if !deep || nodes.is_none() {
                    write!(f, ",depth={depth}")?;
                }
                let nodes = nodes.filter(|&nodes| !deep || nodes != AgentSpec::OPPONENT_NODES);
                nodes.iter().try_for_each(|nodes| write!(f, ",nodes={nodes}"))?;
                if *coverage != AgentSpec::COVERAGE {
                    write!(f, ",coverage={}", f64::from(*coverage) / 1000.0)?;
                }
                if *risk != AgentSpec::RISK {
                    write!(f, ",risk={risk}")?;
                }
                if *evaluation != EvaluationSpec::Material {
                    write!(f, ",eval={evaluation}")?;
                }
                Ok(())
            }
            AgentSpec::Clocked(spec) => {
                write!(f, "ggp:{}", Seconds(spec.move_ms))?;
                if spec.start_ms != AgentSpec::START_MS {
                    write!(f, ",start={}", Seconds(spec.start_ms))?;
                }
                if !spec.learn {
                    f.write_str(",learn=off")?;
                }
                if spec.threads != 1 {
                    write!(f, ",threads={}", spec.threads)?;
                }
                Ok(())
            }
            AgentSpec::Tactics { file, then } => {
                write!(f, "tactics:{file}")?;
                if let Some(then) = then {
                    write!(f, ",then={then}")?;
                }
                Ok(())
            }
            AgentSpec::Mcts { playouts, evaluation, share, policy, room, growth } => {
                write!(f, "mcts:{playouts}")?;
                if *evaluation != EvaluationSpec::Nothing {
                    write!(f, ",eval={evaluation}")?;
                }
                if *share != growth.usual_share() {
                    write!(f, ",share={share}")?;
                }
                policy.iter().try_for_each(|file| write!(f, ",policy={file}"))?;
                if *room != AgentSpec::ROOM {
                    write!(f, ",room={room}")?;
                }
                growth.fmt(f)
            }
        }
    }
}

/// What differs from the defaults, with a comma before each.
impl fmt::Display for GrowthSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.transpositions {
            f.write_str(",transpositions=on")?;
        }
        match self.playouts {
            PlayoutMoves::Uniform => {}
            PlayoutMoves::Mast => f.write_str(",playouts=mast")?,
            PlayoutMoves::Nst => f.write_str(",playouts=nst")?,
        }
        if self.epsilon != AgentSpec::EPSILON {
            write!(f, ",epsilon={}", self.epsilon)?;
        }
        self.rave.iter().try_for_each(|rave| write!(f, ",rave={rave}"))?;
        self.cutoff.iter().try_for_each(|cutoff| write!(f, ",cutoff={cutoff}"))?;
        if self.minimax == 0 { Ok(()) } else { write!(f, ",minimax={}", self.minimax) }
    }
}

impl fmt::Display for EvaluationSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            EvaluationSpec::Nothing => "none",
            EvaluationSpec::Material => "material",
            EvaluationSpec::File(file) => file,
        })
    }
}

impl FromStr for AgentSpec {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<AgentSpec, AgentError> {
        let error = |reason: String| AgentError { found: text.to_owned(), reason };
        if let Some(rest) = text.strip_prefix("tactics:") {
            let (file, then) = rest.split_once(",then=").map_or((rest, None), |(file, then)| (file, Some(then)));
            if file.is_empty() {
                return Err(error("tactics needs a file, as in tactics:FILE".to_owned()));
            }
            if let Some((_, option)) = file.split_once(',') {
                let key = option.split('=').next().unwrap_or_default();
                return Err(error(format!("tactics has no option {key} before then=")));
            }
            let then = match then {
                None => None,
                Some(then) if then.starts_with("tactics:") => {
                    return Err(error("then= needs a player other than tactics".to_owned()));
                }
                Some(then) => {
                    let inner = then.parse();
                    Some(inner.map_err(|inner: AgentError| error(format!("then={then}: {}", inner.reason)))?)
                }
            };
            return Ok(AgentSpec::Tactics { file: file.to_owned(), then: then.map(Box::new) });
        }
        let mut parts = text.split(',');
        let head = parts.next().unwrap_or_default();
        let (name, argument) = head.split_once(':').map_or((head, None), |(name, argument)| (name, Some(argument)));
        let mut options = Options { name, left: Vec::new() };
        for part in parts {
            let option = part.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty());
            let (key, value) =
                option.ok_or_else(|| error(format!("found {part:?}, expected an option such as eval=material")))?;
            if options.left.iter().any(|(known, _)| *known == key) {
                return Err(error(format!("{key} is there twice")));
            }
            options.left.push((key, value));
        }
        let argument = |what: &str, most: u32| {
            let digits = argument.ok_or_else(|| format!("{name} needs a number of {what}, as in {name}:3"))?;
            number(&format!("the number of {what}"), digits, 1, most)
        };
        let mut parse = || -> Result<AgentSpec, String> {
            match name {
                "random" | "greedy" if head.contains(':') => Err(format!("{name} takes no number")),
                "random" => options.finish(AgentSpec::Random),
                "greedy" => options.finish(AgentSpec::Greedy),
                "heuristic" => match head.split_once(':').map(|(_, file)| file).filter(|file| !file.is_empty()) {
                    Some(file) => options.finish(AgentSpec::Heuristic { file: file.to_owned() }),
                    None => Err("heuristic needs a file, as in heuristic:FILE".to_owned()),
                },
                "alphabeta" => {
                    let depth = argument("joint moves to look ahead", u32::from(AgentSpec::MOST_DEPTH))? as u16;
                    let evaluation = options.evaluation().unwrap_or(EvaluationSpec::Material);
                    let policy = options.take("policy").map(str::to_owned);
                    let nodes = options.number("nodes", 1, AgentSpec::MOST_NODES)?;
                    let ties = match options.take("ties") {
                        None | Some("chance") => Ties::Chance,
                        Some("first") => Ties::First,
                        Some(_) => return Err("ties must be chance or first".to_owned()),
                    };
                    options.finish(AgentSpec::AlphaBeta { depth, evaluation, policy, nodes, ties })
                }
                "opponent" => {
                    let file = head.split_once(':').map(|(_, file)| file).filter(|file| !file.is_empty());
                    let file = file.ok_or("opponent needs a file, as in opponent:FILE")?.to_owned();
                    let depth = options.number("depth", 1, u32::from(AgentSpec::MOST_DEPTH))?;
                    let nodes = options.number("nodes", 1, AgentSpec::MOST_NODES)?;
                    let coverage = options.take("coverage").map(share).transpose()?;
                    let risk = options.number("risk", 0, 100)?.map_or(AgentSpec::RISK, |risk| risk as u8);
                    let evaluation = options.evaluation().unwrap_or(EvaluationSpec::Material);
                    options.finish(AgentSpec::Opponent(OpponentSpec {
                        file,
                        depth: depth.map_or(AgentSpec::MOST_DEPTH, |depth| depth as u16),
                        nodes: nodes.or(depth.is_none().then_some(AgentSpec::OPPONENT_NODES)),
                        coverage: coverage.unwrap_or(AgentSpec::COVERAGE),
                        risk,
                        evaluation,
                    }))
                }
                "mcts" => {
                    let playouts = argument("playouts", AgentSpec::MOST_PLAYOUTS)?;
                    let evaluation = options.evaluation().unwrap_or(EvaluationSpec::Nothing);
                    let growth = options.growth()?;
                    let share = options.number("share", 1, 100)?;
                    if share.is_some() && evaluation == EvaluationSpec::Nothing {
                        return Err("share says how much an evaluation counts, and there is none: add eval=".to_owned());
                    }
                    let share = share.map_or(growth.usual_share(), |share| share as u8);
                    let policy = options.take("policy").map(str::to_owned);
                    let room = options.number("room", 1, AgentSpec::MOST_ROOM)?.unwrap_or(AgentSpec::ROOM);
                    if growth.minimax > 0 && evaluation == EvaluationSpec::Nothing {
                        return Err("minimax needs an evaluation that both sides play by: add eval=".to_owned());
                    }
                    if growth.cutoff.is_some() && evaluation == EvaluationSpec::Nothing {
                        return Err("cutoff needs an evaluation that says what was reached: add eval=".to_owned());
                    }
                    if growth.cutoff.is_some() && share != growth.usual_share() {
                        return Err("share and cutoff exclude each other: a playout that is cut off is worth what the evaluation says"
                            .to_owned());
                    }
                    options.finish(AgentSpec::Mcts { playouts, evaluation, share, policy, room, growth })
                }
                "ggp" => {
                    let text = head.split_once(':').map(|(_, text)| text).ok_or("ggp needs seconds, as in ggp:2")?;
                    let move_ms = seconds("the time for a move", text)?;
                    let start_ms = options.take("start").map(|text| seconds("start", text)).transpose()?;
                    let learn = match options.take("learn") {
                        None | Some("on") => true,
                        Some("off") => false,
                        Some(_) => return Err("learn must be on or off".to_owned()),
                    };
                    if !learn && start_ms.is_some() {
                        return Err("start says how long it studies, and learn=off that it does not".to_owned());
                    }
                    let threads = options.number("threads", 1, u32::from(AgentSpec::MOST_THREADS))?;
                    options.finish(AgentSpec::Clocked(ClockedSpec {
                        move_ms,
                        start_ms: start_ms.unwrap_or(AgentSpec::START_MS),
                        learn,
                        threads: threads.map_or(1, |threads| threads as u8),
                    }))
                }
                "tactics" => Err("tactics needs a file, as in tactics:FILE".to_owned()),
                _ => Err("there is no such player".to_owned()),
            }
        };
        parse().map_err(error)
    }
}

/// A whole number in plain digits.
fn number(what: &str, digits: &str, least: u32, most: u32) -> Result<u32, String> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse::<u32>().ok().filter(|number| plain && (least..=most).contains(number));
    number.ok_or_else(|| format!("{what} must be from {least} to {most}"))
}

/// Seconds such as `2` or `0.25`, in milliseconds.
fn seconds(what: &str, text: &str) -> Result<u32, String> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let milliseconds = text.parse::<f64>().ok().filter(|_| plain).map(|seconds| (seconds * 1000.0).round());
    let within = milliseconds.filter(|ms| (1.0..=f64::from(AgentSpec::MOST_SECONDS) * 1000.0).contains(ms));
    let most = AgentSpec::MOST_SECONDS;
    within.map(|ms| ms as u32).ok_or_else(|| format!("{what} must be from 0.001 to {most} seconds, as in 2 or 0.5"))
}

/// Milliseconds, written as seconds.
struct Seconds(u32);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / 1000.0)
    }
}

/// A share such as `0.95`, in thousandths.
fn share(text: &str) -> Result<u16, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let share = text.parse::<f64>().ok().filter(|share| plain && *share > 0.0 && *share <= 1.0);
    let thousandths = share.map(|share| (share * 1000.0).round() as u16).filter(|&thousandths| thousandths > 0);
    thousandths.ok_or_else(|| "coverage must be from 0.001 to 1, as in coverage=0.95".to_owned())
}

/// The options of a text that nobody has asked for yet.
struct Options<'a> {
    name: &'a str,
    left: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    fn take(&mut self, key: &str) -> Option<&'a str> {
        let at = self.left.iter().position(|(known, _)| *known == key)?;
        Some(self.left.remove(at).1)
    }

    fn number(&mut self, key: &str, least: u32, most: u32) -> Result<Option<u32>, String> {
        self.take(key).map(|digits| number(key, digits, least, most)).transpose()
    }

    fn evaluation(&mut self) -> Option<EvaluationSpec> {
        self.take("eval").map(|value| match value {
            "none" => EvaluationSpec::Nothing,
            "material" => EvaluationSpec::Material,
            file => EvaluationSpec::File(file.to_owned()),
        })
    }

    fn growth(&mut self) -> Result<GrowthSpec, String> {
        let transpositions = match self.take("transpositions") {
            None | Some("off") => false,
            Some("on") => true,
            Some(_) => return Err("transpositions must be on or off".to_owned()),
        };
        let playouts = match self.take("playouts") {
            None | Some("uniform") => PlayoutMoves::Uniform,
            Some("mast") => PlayoutMoves::Mast,
            Some("nst") => PlayoutMoves::Nst,
            Some(_) => return Err("playouts must be uniform, mast or nst".to_owned()),
        };
        let epsilon = self.number("epsilon", 0, 100)?;
        if epsilon.is_some() && playouts == PlayoutMoves::Uniform {
            return Err("epsilon says how often playouts that learn play any move: add playouts=mast or nst".to_owned());
        }
        Ok(GrowthSpec {
            transpositions,
            playouts,
            epsilon: epsilon.map_or(AgentSpec::EPSILON, |epsilon| epsilon as u8),
            rave: self.number("rave", 1, AgentSpec::MOST_RAVE)?,
            cutoff: self.number("cutoff", 1, AgentSpec::MOST_CUTOFF)?,
            minimax: self.number("minimax", 1, 100)?.unwrap_or(0) as u8,
        })
    }

    /// The spec, if no option is left.
    fn finish(&self, spec: AgentSpec) -> Result<AgentSpec, String> {
        match self.left.first() {
            Some((key, _)) => Err(format!("{} has no option {key}", self.name)),
            None => Ok(spec),
        }
    }
}

/// A text that names no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{found:?}: {reason}; players are random, greedy, heuristic:FILE, alphabeta:DEPTH[,eval=none|material|FILE][,policy=FILE][,nodes=N][,ties=chance|first], \
     opponent:FILE[,depth=DEPTH][,nodes=N][,coverage=SHARE][,risk=POINTS][,eval=none|material|FILE], \
     tactics:FILE[,then=PLAYER], ggp:SECONDS[,start=SECONDS][,learn=on|off][,threads=N] and mcts:PLAYOUTS[,eval=none|material|FILE][,share=PERCENT][,policy=FILE][,room=MOVES]\
     [,transpositions=on|off][,playouts=uniform|mast|nst][,epsilon=PERCENT][,rave=N][,cutoff=PLIES][,minimax=PERCENT]"
)]
pub struct AgentError {
    /// What was given.
    pub found: String,
    /// What is wrong.
    pub reason: String,
}

/// The players of a list such as `mcts:1000,eval=material,random`: an option belongs to the player before it.
pub fn split_players(list: &str) -> Vec<String> {
    let mut players: Vec<String> = Vec::new();
    for part in list.split(',') {
        let key = part.split_once('=').map(|(key, _)| key);
        let is_option = key.is_some_and(|key| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphabetic()));
        match players.last_mut().filter(|_| is_option) {
            Some(player) => {
                player.push(',');
                player.push_str(part);
            }
            None => players.push(part.to_owned()),
        }
    }
    players
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_written_as_they_are_read() {
        for text in [
            "random",
            "greedy",
            "heuristic:a.concepts",
            "heuristic:dir/a:b",
            "alphabeta:3",
            "alphabeta:3,eval=none",
            "alphabeta:3,eval=a.concepts,policy=b",
            "alphabeta:9,eval=none,nodes=500,ties=first",
            "opponent:a.model",
            "opponent:a.model,depth=6",
            "opponent:a.model,depth=200",
            "opponent:a.model,nodes=5000",
            "opponent:a.model,depth=6,nodes=20000",
            "opponent:a.model,depth=6,nodes=1000,coverage=0.95,risk=10,eval=none",
            "tactics:a.tactics",
            "tactics:dir/a:b,then=mcts:1000,eval=material,share=30",
            "mcts:1000",
            "mcts:1000,eval=dir/a=b.txt",
            "mcts:1000,eval=material,share=100,policy=p,room=500",
            "mcts:1000,transpositions=on,playouts=mast,rave=500",
            "mcts:1000,eval=a,share=20,rave=500,minimax=30",
            "mcts:1000,eval=a,minimax=30",
            "ggp:2",
            "ggp:0.25,start=1.5,threads=2",
            "ggp:60,learn=off",
            "mcts:1000,eval=a,room=9,playouts=nst,epsilon=30,cutoff=12",
        ] {
            assert_eq!(text.parse::<AgentSpec>().unwrap().to_string(), text);
        }
        assert_eq!("mcts:1000,eval=none".parse(), Ok(AgentSpec::mcts(1000)));
        assert_eq!("alphabeta:3,eval=material".parse(), Ok(AgentSpec::alphabeta(3)));
        let mixed = "mcts:9,room=7,eval=material".parse::<AgentSpec>().unwrap().to_string();
        assert_eq!(mixed, "mcts:9,eval=material,room=7");
    }

    #[test]
    fn what_is_no_agent_is_refused_with_what_there_is() {
        for (text, says) in [
            ("", "no such player"),
            ("mcts", "needs a number"),
            ("mcts:", "from 1 to"),
            ("mcts:0", "from 1 to"),
            ("mcts:-1", "from 1 to"),
            ("mcts:+1", "from 1 to"),
            ("mcts:1e3", "from 1 to"),
            ("mcts:99999999999", "from 1 to"),
            ("mcts:1:2", "from 1 to"),
            ("alphabeta", "needs a number"),
            ("alphabeta:0", "from 1 to 200"),
            ("alphabeta:201", "from 1 to 200"),
            ("random:1", "takes no number"),
            ("greedy:", "takes no number"),
            ("heuristic", "needs a file"),
            ("heuristic:", "needs a file"),
            ("heuristic:a,eval=b", "heuristic has no option eval"),
            ("Random", "no such player"),
            ("nobody", "no such player"),
            ("opponent", "needs a file"),
            ("tactics", "needs a file"),
            ("tactics:", "needs a file"),
            ("tactics:a,depth=3", "tactics has no option depth"),
            ("tactics:a,then=nobody", "no such player"),
            ("tactics:a,then=mcts:0", "from 1 to"),
            ("tactics:a,then=tactics:b", "a player other than tactics"),
            ("opponent:a,coverage=1.5", "coverage must be from 0.001 to 1"),
            ("opponent:a,coverage=-1", "coverage must be"),
            ("opponent:a,coverage=nan", "coverage must be"),
            ("opponent:a,risk=101", "risk must be from 0 to 100"),
            ("alphabeta:3,ties=last", "ties must be chance or first"),
            ("mcts:5,speed=7", "mcts has no option speed"),
            ("random,eval=material", "random has no option eval"),
            ("alphabeta:2,room=5", "alphabeta has no option room"),
            ("mcts:5,eval=", "expected an option"),
            ("mcts:5,7", "expected an option"),
            ("mcts:5,=x", "expected an option"),
            ("mcts:5,eval=a,eval=b", "eval is there twice"),
            ("mcts:5,share=30", "there is none: add eval="),
            ("mcts:5,minimax=30", "minimax needs an evaluation"),
            ("mcts:5,eval=a,minimax=0", "minimax must be from 1 to 100"),
            ("mcts:5,eval=a,share=101", "share must be from 1 to 100"),
            ("mcts:5,room=0", "room must be from 1"),
            ("mcts:5,transpositions=yes", "transpositions must be on or off"),
            ("mcts:5,playouts=fast", "playouts must be uniform, mast or nst"),
            ("mcts:5,epsilon=5", "add playouts=mast or nst"),
            ("mcts:5,playouts=mast,epsilon=101", "epsilon must be from 0 to 100"),
            ("mcts:5,rave=0", "rave must be from 1"),
            ("mcts:5,cutoff=4", "cutoff needs an evaluation"),
            ("mcts:5,cutoff=4,eval=a,share=30", "share and cutoff exclude each other"),
            ("alphabeta:2,rave=5", "alphabeta has no option rave"),
            ("ggp", "ggp needs seconds"),
            ("ggp:", "must be from 0.001 to 3600 seconds"),
            ("ggp:0", "must be from 0.001"),
            ("ggp:-1", "must be from 0.001"),
            ("ggp:1e3", "must be from 0.001"),
            ("ggp:9999", "must be from 0.001 to 3600"),
            ("ggp:1,learn=yes", "learn must be on or off"),
            ("ggp:1,learn=off,start=5", "learn=off that it does not"),
            ("ggp:1,threads=0", "threads must be from 1"),
            ("ggp:1,eval=material", "ggp has no option eval"),
        ] {
            let error = text.parse::<AgentSpec>().unwrap_err().to_string();
            assert!(error.contains(&format!("{text:?}")) && error.contains("mcts:PLAYOUTS"), "{error}");
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn options_stay_with_their_player() {
        for (list, players) in [
            ("random,greedy", &["random", "greedy"][..]),
            ("mcts:1,eval=a,share=3,random", &["mcts:1,eval=a,share=3", "random"]),
            ("person,alphabeta:2,eval=x/y", &["person", "alphabeta:2,eval=x/y"]),
            ("tactics:a,then=mcts:9,eval=b,random", &["tactics:a,then=mcts:9,eval=b", "random"]),
            ("eval=a,random", &["eval=a", "random"]),
            ("random,", &["random", ""]),
        ] {
            assert_eq!(split_players(list), players, "{list}");
        }
    }
}
