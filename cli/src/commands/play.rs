//! `onlooker play`

use crate::draw::{self, Look};
use crate::game_argument::{self, GameArgument, too_large};
use crate::knowledge::Files;
use crate::player_argument::{self, PlayerList};
use crate::{Done, output};
use anyhow::{Context, Result};
use onlooker::game::{AnyGame, AnyMove, Game, Role, played_roles};
use onlooker::play::{AgentSpec, NamedAgent, Player, PlayerSpec, Session};
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Play a game in the terminal
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  onlooker play breakthrough\n  onlooker play connect-four --players mcts:5000,person\n  \
                        onlooker play checkers --save game.json      (saved after every move)\n  \
                        onlooker play checkers --resume game.json    (go on with it)"
)]
pub struct Args {
    #[command(flatten)]
    game: GameArgument,
    /// Who plays each side: person, random, greedy, alphabeta:DEPTH or mcts:PLAYOUTS [default: person against mcts:1000]
    #[arg(long, value_name = "A,B", conflicts_with = "resume")]
    players: Vec<PlayerList<PlayerSpec>>,
    /// The same seed gives the same answers to the same moves
    #[arg(long, value_name = "S", default_value_t = 1, conflicts_with = "resume")]
    seed: u64,
    /// Save the game in this file after every move
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    save: Option<PathBuf>,
    /// Go on with a saved game, and keep saving it there
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Who gives hints
    #[arg(long, value_name = "PLAYER", default_value = "mcts:1000")]
    hints: AgentSpec,
    /// Draw with plain characters only
    #[arg(long)]
    ascii: bool,
}

const HELP: &str = "\
  a2-a3, 7     make the move with this name or number; the beginning of a name is enough
  moves        list the moves
  hint         ask what to play
  undo         take your last move back
  board        draw the board again
  save FILE    save the game; 'onlooker play GAME --resume FILE' goes on with it
  quit         leave";

/// So many moves are listed without being asked for.
const FEW: usize = 12;
/// Nobody types a longer line.
const MOST_BYTES: u64 = 4096;

pub fn run(args: Args) -> Result<Done> {
    if let Some(file) = args.save.as_ref().or(args.resume.as_ref()) {
        output::check(&[Some(file)], args.game.file().as_slice())?;
    }
    let game = Arc::new(args.game.load()?);
    let session = match &args.resume {
        Some(path) => {
            let text = game_argument::read_text(path, "a saved game")?;
            Session::from_json(Arc::clone(&game), &text, &Files(&*game))
                .with_context(|| format!("cannot go on with {}", path.display()))?
        }
        None => {
            let usual =
                |role: usize| if role == 0 { PlayerSpec::Person } else { PlayerSpec::Agent(AgentSpec::mcts(1000)) };
            let mut players = player_argument::all(args.players);
            if players.is_empty() {
                players.extend((0..played_roles(&*game).len()).map(usual));
            }
            let players = players.iter().map(|player| player.build(&Files(&*game))).collect::<Result<_, _>>()?;
            Session::new(Arc::clone(&game), players, args.seed)?
        }
    };
    let look = Look { ascii: args.ascii };
    let source = args.game.file().map(Path::to_owned);
    if !game.about().is_empty() {
        output::line(game.about())?;
    }
    let hints = args.hints.build(&Files(&*game))?;
    Terminal { game, session, look, file: args.resume.or(args.save), source, hints, shown: false }.play()?;
    Ok(Done::Holds)
}

/// What came in as a line.
enum Typed {
    Line(String),
    TooLong,
    End,
}

/// Reads a line; what is longer than anybody types is read to its end and forgotten.
fn read_line(input: &mut impl BufRead) -> io::Result<Typed> {
    let mut line = Vec::new();
    if input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line)? == 0 {
        return Ok(Typed::End);
    }
    if line.len() as u64 == MOST_BYTES && !line.ends_with(b"\n") {
        while line.last().is_some_and(|&byte| byte != b'\n') {
            line.clear();
            input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line)?;
        }
        return Ok(Typed::TooLong);
    }
    let text = String::from_utf8(line).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(Typed::Line(text))
}

/// A game being played in front of somebody.
struct Terminal {
    game: Arc<AnyGame>,
    session: Session<AnyGame>,
    look: Look,
    /// Where the game is saved after every move.
    file: Option<PathBuf>,
    /// Where the game's rules were read from, which nothing is to be saved over.
    source: Option<PathBuf>,
    hints: NamedAgent<AnyGame>,
    /// Whether the position has been shown with what can be done in it.
    shown: bool,
}

impl Terminal {
    fn play(&mut self) -> Result<()> {
        self.draw()?;
        loop {
            if let Some(goals) = self.session.goals() {
                return self.announce(&goals);
            }
            if let Some(error) = self.session.truncation() {
                return Err(too_large(error));
            }
            if self.session.waiting_for().is_none() {
                self.session.advance();
                self.moved()?;
            } else if !self.ask()? {
                return Ok(());
            }
        }
    }

    /// Asks the person who is to move for a line and does what it says; `false` to leave.
    fn ask(&mut self) -> Result<bool> {
        let Some(role) = self.session.waiting_for() else { return Ok(true) };
        let legal = self.session.legal();
        if !self.shown {
            self.shown = true;
            if legal.len() <= FEW {
                self.list(&legal)?;
            } else {
                output::line(format!("{} moves ('moves' lists them, 'help' what else you can type)", legal.len()))?;
            }
        }
        let mut out = anstream::stdout().lock();
        write!(out, "{}> ", self.game.roles()[role.index()])?;
        out.flush()?;
        drop(out);
        let input = std::io::stdin();
        let line = match read_line(&mut input.lock()).context("cannot read what was typed")? {
            Typed::Line(line) => line,
            Typed::TooLong => {
                output::line(format!("That line has more than {MOST_BYTES} bytes; type a move, or 'help'."))?;
                return Ok(true);
            }
            Typed::End => {
                output::line("")?;
                return Ok(false);
            }
        };
        if !input.is_terminal() {
            output::line(line.trim_end())?;
        }
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word {
            "" => {}
            "help" | "?" => output::line(HELP)?,
            "quit" | "exit" | "q" => return Ok(false),
            "board" => self.draw()?,
            "moves" => self.list(&legal)?,
            "undo" => {
                if self.session.undo() {
                    self.shown = false;
                    self.save()?;
                    self.draw()?;
                } else {
                    output::line("There is no move of yours to take back.")?;
                }
            }
            "hint" => match self.session.hint(&self.hints, &AtomicBool::new(false)) {
                Some((name, _)) => output::line(format!("{} would play {name}", self.hints))?,
                None => output::line("There is nothing to say.")?,
            },
            "save" if rest.trim().is_empty() => output::line("Where to? Type 'save FILE'.")?,
            "save" => match self.save_in(Path::new(rest.trim())) {
                Ok(()) => output::line(format!("Saved in {}.", rest.trim()))?,
                Err(error) => output::line(format!("Not saved: {error:#}"))?,
            },
            _ => match self.session.choose(line.trim()) {
                Ok(()) => self.moved()?,
                Err(refused) => output::line(refused)?,
            },
        }
        Ok(true)
    }

    /// Tells what was played, draws the board and saves the game.
    fn moved(&mut self) -> Result<()> {
        self.shown = false;
        if let Some((state, joint)) = self.session.history().last() {
            for (role, choice) in self.game.to_move(state).iter().zip(joint) {
                let mut moves = Vec::new();
                self.game.legal(state, role, &mut moves);
                let names = self.game.move_names(state, role, &moves);
                let played = moves.iter().position(|legal| legal == choice).map_or("?", |at| names[at].as_str());
                output::line(format!("{} plays {played}", self.who(role)))?;
            }
        }
        self.draw()?;
        self.save()
    }

    fn who(&self, role: Role) -> String {
        let name = &self.game.roles()[role.index()];
        if self.game.chance_roles().contains(role) {
            return name.clone();
        }
        match &self.session.players()[role.index()] {
            Player::Person => name.clone(),
            agent => format!("{name} ({agent})"),
        }
    }

    fn draw(&self) -> Result<()> {
        let Some(position) = self.game.position(self.session.state()) else { return self.tell() };
        let before = self.session.history().last().and_then(|(state, _)| self.game.position(state));
        let marked = before.map(|before| draw::changed(&before, &position)).unwrap_or_default();
        output::line(format!("\n{}", draw::board(&position, &marked, self.look)))?;
        Ok(())
    }

    /// Tells the facts of a game without a board, a line for those that begin alike.
    fn tell(&self) -> Result<()> {
        let mut facts: Vec<String> = self.game.facts(self.session.state()).iter().map(ToString::to_string).collect();
        facts.sort_unstable();
        let kind = |fact: &String| fact.split(' ').next().unwrap_or("").to_owned();
        output::line("")?;
        for alike in facts.chunk_by(|one, other| kind(one) == kind(other)) {
            let mut line = String::new();
            for fact in alike {
                if !line.is_empty() && line.chars().count() + fact.chars().count() > 100 {
                    output::line(line.trim_end())?;
                    line.clear();
                }
                line.push_str(fact);
                line.push(' ');
            }
            output::line(line.trim_end())?;
        }
        Ok(())
    }

    /// The moves with their numbers, in columns.
    fn list(&self, legal: &[(String, AnyMove)]) -> Result<()> {
        let number = legal.len().to_string().len();
        let name = legal.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let columns = (100 / (number + name + 4)).max(1);
        let rows = legal.len().div_ceil(columns);
        for row in 0..rows {
            let entries = legal.iter().enumerate().skip(row).step_by(rows);
            let cells: Vec<String> =
                entries.map(|(i, (text, _))| format!("{:>number$}  {text:name$}", i + 1)).collect();
            output::line(cells.join("  ").trim_end())?;
        }
        Ok(())
    }

    fn announce(&self, goals: &[Option<u8>]) -> Result<()> {
        // What chance has got does not matter.
        let players = played_roles(&*self.game);
        let goal = |role: &Role| goals[role.index()];
        let best = players.iter().map(goal).max().flatten();
        let winners: Vec<Role> = players.iter().copied().filter(|role| goal(role) == best).collect();
        let text = match (players.as_slice(), winners.as_slice()) {
            ([_], _) => if best > Some(50) { "Solved!" } else { "No move is left." }.to_owned(),
            (_, [winner]) => format!("{} has won.", self.who(*winner)),
            _ => "A tie.".to_owned(),
        };
        output::line(text)?;
        Ok(())
    }

    fn save(&self) -> Result<()> {
        match &self.file {
            Some(path) => self.save_in(path),
            None => Ok(()),
        }
    }

    fn save_in(&self, path: &Path) -> Result<()> {
        output::check(&[Some(path)], self.source.as_deref().as_slice())?;
        output::write(Some(path), &format!("{}\n", self.session.to_json()))
    }
}
