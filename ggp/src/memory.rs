//! What a player remembers of its opponents: a model for each other role of a match, learnt while it is played and kept in a folder
//! for the next match against the same opponent.

use crate::log::Log;
use crate::worker::lock;
use onlooker::game::{Game, GdlGame, Role};
use onlooker::opponent::{BayesOptions, ModelOptions, OpponentModel, Options, Predictor, TurnKind};
use onlooker::play::Policy;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Where models are kept, and whose they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remember {
    /// The folder.
    pub folder: PathBuf,
    /// What the opponent is called: the protocol does not say.
    pub opponent: String,
}

/// The models of one match.
#[derive(Debug)]
pub struct Memory {
    remember: Remember,
    /// What the rules are called: a hash of their text.
    game: String,
    models: Arc<OpponentModels>,
    /// Whether there is something to save.
    dirty: bool,
    log: Log,
}

/// A model for each role; none for our own.
#[derive(Debug, Default)]
pub struct OpponentModels(Mutex<Vec<Option<OpponentModel>>>);

/// So many turns, features are selected anew after each; later only now and then.
const SELECT_ALWAYS: u64 = 500;
/// No model is larger by far.
const MOST_BYTES: u64 = 64 << 20;

impl Memory {
    /// What is known of the opponents in a match by these rules.
    pub fn open(remember: Remember, rules: &str, game: &GdlGame, me: Role, log: Log) -> Memory {
        let words: Vec<&str> = rules.split_whitespace().collect();
        let name = format!("sheet-{:016x}", hash(&words.join(" ")));
        let mut memory = Memory { remember, game: name, models: Arc::default(), dirty: false, log };
        let chance = game.chance_roles();
        let model = |(at, role): (usize, &String)| {
            let other = Role(at as u8) != me && !chance.contains(Role(at as u8));
            other.then(|| memory.load(role))
        };
        let models = game.roles().iter().enumerate().map(model).collect();
        memory.models = Arc::new(OpponentModels(Mutex::new(models)));
        memory.bind(game);
        memory
    }

    fn load(&self, role: &str) -> OpponentModel {
        let path = self.path(role);
        let new = || {
            let mut model = OpponentModel::new(&self.game, role, ModelOptions::Bayes(BayesOptions::default()));
            model.player = None;
            model.learnt.push(("opponent".to_owned(), self.remember.opponent.clone()));
            model
        };
        let text = match fs::metadata(&path) {
            Ok(found) if found.len() <= MOST_BYTES => fs::read_to_string(&path),
            Ok(_) => Err(io::Error::other("it is too large")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return new(),
            Err(error) => Err(error),
        };
        let read = text.map_err(|error| error.to_string());
        let read = read.and_then(|text| OpponentModel::parse(&text).map_err(|error| error.to_string()));
        match read {
            Ok(model) if model.role == role && matches!(model.predictor, Predictor::Bayes(_)) => {
                self.log.line(format!("{}: {} turns of {role} are remembered", path.display(), model.turns()));
                model
            }
            Ok(_) => self.forget(&path, "it is a model of something else", new()),
            Err(reason) => self.forget(&path, &reason, new()),
        }
    }

    /// A file that is of no use is put aside, not written over.
    fn forget(&self, path: &Path, reason: &str, new: OpponentModel) -> OpponentModel {
        let aside = path.with_extension("unreadable");
        let moved = fs::rename(path, &aside).is_ok();
        let what = if moved { format!("it is now {}", aside.display()) } else { String::new() };
        self.log.line(format!("{}: {reason}; a new model is begun {what}", path.display()));
        new
    }

    fn path(&self, role: &str) -> PathBuf {
        let plain = |text: &str| -> String {
            text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).take(80).collect()
        };
        let (opponent, role) = (&self.remember.opponent, role);
        // What is left out of a name is in its hash, so that no two are the same.
        let file = format!(
            "{}-{}-{}-{:08x}.opponent",
            plain(opponent),
            self.game,
            plain(role),
            hash(&format!("{opponent}\n{role}")) as u32
        );
        self.remember.folder.join(file)
    }

    /// Gets ready for another engine of the same game.
    pub fn bind(&mut self, game: &GdlGame) {
        lock(&self.models.0).iter_mut().flatten().for_each(|model| model.bind(game));
    }

    /// Whether enough is known of an opponent to expect anything of it.
    pub fn knows_opponents(&self) -> bool {
        lock(&self.models.0).iter().flatten().any(|model| model.turns() > 0)
    }

    /// What others are expected to play, for a search.
    pub fn policy(&self) -> Arc<dyn Policy<GdlGame>> {
        Arc::clone(&self.models) as Arc<dyn Policy<GdlGame>>
    }

    /// Takes in a joint move.
    pub fn observe(&mut self, game: &GdlGame, state: &<GdlGame as Game>::State, joint: &[<GdlGame as Game>::Move]) {
        let mut models = lock(&self.models.0);
        for (role, choice) in game.to_move(state).iter().zip(joint) {
            let Some(model) = models.get_mut(role.index()).and_then(Option::as_mut) else { continue };
            let Some(options) = Options::of(game, state, role).filter(|options| options.kind == TurnKind::Chooses)
            else {
                continue;
            };
            let Some(played) = options.moves.iter().position(|legal| legal == choice) else { continue };
            model.observe(game, state, role, &options, played);
            if let Predictor::Bayes(bayes) = &mut model.predictor
                && (bayes.counts().total() <= SELECT_ALWAYS || bayes.counts().total().is_power_of_two())
            {
                bayes.select();
            }
            self.dirty = true;
        }
    }

    /// Saves what was learnt: every file is the old one or the new one.
    pub fn save(&mut self) {
        if !std::mem::take(&mut self.dirty) {
            return;
        }
        let models = lock(&self.models.0);
        for model in models.iter().flatten().filter(|model| model.turns() > 0) {
            let path = self.path(&model.role);
            match write_whole(&path, &model.to_string()) {
                Ok(()) => {
                    self.log.line(format!("{}: {} turns of {} are kept", path.display(), model.turns(), model.role))
                }
                Err(error) => self.log.line(format!("{}: cannot be written: {error}", path.display())),
            }
        }
    }
}

impl Drop for Memory {
    /// Also if the match was aborted.
    fn drop(&mut self) {
        self.save();
    }
}

/// Writes a file beside its place, and puts it there when all of it is on the disk.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let part = path.with_extension(format!("{}.part", std::process::id()));
    let write = || {
        let mut file = File::create(&part)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    write().inspect_err(|_| drop(fs::remove_file(&part)))
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Of a role that nothing is known about, all moves weigh the same.
impl Policy<GdlGame> for OpponentModels {
    fn weigh(
        &self,
        game: &GdlGame,
        state: &<GdlGame as Game>::State,
        role: Role,
        moves: &[<GdlGame as Game>::Move],
        weights: &mut Vec<f64>,
    ) {
        match lock(&self.0).get(role.index()).and_then(Option::as_ref).filter(|model| model.turns() > 0) {
            Some(model) => model.weigh(game, state, role, moves, weights),
            None => {
                weights.clear();
                weights.resize(moves.len(), 1.0);
            }
        }
    }
}
