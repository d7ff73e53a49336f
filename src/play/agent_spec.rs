//! Agents by name: the text that a person types, apart from the agent that is made of it.

use super::Ties;
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
        /// `then=`: the agent that chooses where rules leave a choice, `random` if left out. Its own options follow it.
        then: Box<AgentSpec>,
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
    },
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
            AgentSpec::Tactics { file, then } => {
                write!(f, "tactics:{file}")?;
                if **then != AgentSpec::Random {
                    write!(f, ",then={then}")?;
                }
                Ok(())
            }
            AgentSpec::Mcts { playouts, evaluation, share, policy, room } => {
                write!(f, "mcts:{playouts}")?;
                if *evaluation != EvaluationSpec::Nothing {
                    write!(f, ",eval={evaluation}")?;
                }
                if *share != AgentSpec::SHARE {
                    write!(f, ",share={share}")?;
                }
                policy.iter().try_for_each(|file| write!(f, ",policy={file}"))?;
                if *room != AgentSpec::ROOM {
                    write!(f, ",room={room}")?;
                }
                Ok(())
            }
        }
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
                None => AgentSpec::Random,
                Some(then) if then.starts_with("tactics:") => {
                    return Err(error("then= needs a player other than tactics".to_owned()));
                }
                Some(then) => {
                    then.parse().map_err(|inner: AgentError| error(format!("then={then}: {}", inner.reason)))?
                }
            };
            return Ok(AgentSpec::Tactics { file: file.to_owned(), then: Box::new(then) });
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
                    let share = options.number("share", 1, 100)?;
                    if share.is_some() && evaluation == EvaluationSpec::Nothing {
                        return Err("share says how much an evaluation counts, and there is none: add eval=".to_owned());
                    }
                    let share = share.map_or(AgentSpec::SHARE, |share| share as u8);
                    let policy = options.take("policy").map(str::to_owned);
                    let room = options.number("room", 1, AgentSpec::MOST_ROOM)?.unwrap_or(AgentSpec::ROOM);
                    options.finish(AgentSpec::Mcts { playouts, evaluation, share, policy, room })
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
     tactics:FILE[,then=PLAYER] and mcts:PLAYOUTS[,eval=none|material|FILE][,share=PERCENT][,policy=FILE][,room=MOVES]"
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
            ("mcts:5,eval=a,share=101", "share must be from 1 to 100"),
            ("mcts:5,room=0", "room must be from 1"),
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
