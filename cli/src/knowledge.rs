//! Files that players know something from: `heuristic:FILE`, `eval=FILE`, `policy=FILE`, `opponent:FILE`, `tactics:FILE`.

use crate::{game_argument, report};
use anyhow::Result;
use onlooker::concepts::{ClockedPlayer, CompiledHeuristic, Heuristic, LazyHeuristic};
use onlooker::game::{Game, GdlGame};
use onlooker::opponent::{LazyOpponent, OpponentModel, OpponentSearch};
use onlooker::play::{Agent, ClockedSpec, Evaluation, Knowledge, KnowledgeError, OpponentSpec, Policy};
use onlooker::tactics::{RuleFile, TacticsPlayer, checked_rules};
use onlooker_ggp::SystemClock;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// The heuristic in a file.
pub fn read_heuristic(path: &Path) -> Result<Heuristic> {
    let text = game_argument::read_text(path, "a file of rules that 'onlooker concepts' wrote")?;
    Heuristic::parse(&text).map_err(|error| report::heuristic(path, &error).into())
}

/// No file of a model is larger by far.
const MAX_MODEL: u64 = 256 << 20;

/// The model of an opponent in a file.
pub fn read_model(path: &Path) -> Result<OpponentModel> {
    let text = game_argument::read_text_up_to(path, "a model that 'onlooker opponent train' wrote", MAX_MODEL)?;
    OpponentModel::parse(&text).map_err(|error| report::opponent(path, &error).into())
}

/// The rules of tactics in a file.
pub fn read_tactics(path: &Path) -> Result<RuleFile> {
    let text = game_argument::read_text(path, "rules that 'onlooker tactics learn' wrote")?;
    RuleFile::parse(&text).map_err(|error| report::tactics(path, &error).into())
}

/// Whether a file says that it is a model of an opponent.
fn is_model(file: &str) -> bool {
    let mut start = [0; 9];
    File::open(file).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"opponent "
}

fn refuse(file: &str, reason: String) -> KnowledgeError {
    KnowledgeError { file: file.to_owned(), reason }
}

/// An error without colours and without the word, which is printed before it in any case.
fn told(error: &anyhow::Error) -> String {
    let text = anstream::adapter::strip_str(&format!("{error:#}")).to_string();
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}

fn model_in(file: &str) -> Result<OpponentModel, KnowledgeError> {
    read_model(Path::new(file)).map_err(|error| refuse(file, told(&error)))
}

/// Reads files for a game.
pub struct Files<'a, G>(pub &'a G);

impl<G: Game> Files<'_, G> {
    /// The model in a file, ready for the game.
    fn model(&self, file: &str) -> Result<Arc<OpponentModel>, KnowledgeError> {
        let mut model = model_in(file)?;
        if !self.0.roles().contains(&model.role) {
            let (found, game, roles) = (&model.role, self.0.name(), self.0.roles().join(", "));
            return Err(refuse(
                file,
                format!("{file}: found a model of role {found}, expected one of the roles of {game}: {roles}"),
            ));
        }
        model.bind(self.0);
        Ok(Arc::new(model))
    }

    fn compiled(&self, file: &str) -> Result<Arc<CompiledHeuristic>, KnowledgeError> {
        let refuse = |reason: String| KnowledgeError { file: file.to_owned(), reason };
        let heuristic = read_heuristic(Path::new(file)).map_err(|error| refuse(told(&error)))?;
        CompiledHeuristic::new(&heuristic, self.0).map(Arc::new).map_err(|error| refuse(format!("{file}: {error}")))
    }
}

impl<G: Game> Knowledge<G> for Files<'_, G> {
    fn evaluation(&self, file: &str) -> Result<Arc<dyn Evaluation<G>>, KnowledgeError> {
        Ok(self.compiled(file)?)
    }

    fn policy(&self, file: &str) -> Result<Arc<dyn Policy<G>>, KnowledgeError> {
        if is_model(file) {
            return Ok(self.model(file)?);
        }
        Ok(self.compiled(file)?)
    }

    fn opponent(
        &self,
        spec: &OpponentSpec,
        evaluation: Arc<dyn Evaluation<G>>,
    ) -> Result<Arc<dyn Agent<G>>, KnowledgeError> {
        Ok(Arc::new(OpponentSearch::new(self.model(&spec.file)?, spec, evaluation)))
    }

    fn tactics(&self, file: &str, then: Option<Arc<dyn Agent<G>>>) -> Result<Arc<dyn Agent<G>>, KnowledgeError> {
        let rules = read_tactics(Path::new(file)).map_err(|error| refuse(file, told(&error)))?;
        let checked = checked_rules(&rules, self.0).map_err(|error| refuse(file, format!("{file}: {error}")))?;
        Ok(Arc::new(TacticsPlayer::new(checked, then)))
    }

    fn clocked(&self, spec: &ClockedSpec) -> Result<Arc<dyn Agent<G>>, KnowledgeError> {
        Ok(Arc::new(ClockedPlayer::new(spec.clone(), Arc::new(SystemClock::new()))))
    }
}

/// Reads files for games that come later.
pub struct FilesForLater;

impl FilesForLater {
    fn lazy(file: &str) -> Result<Arc<LazyHeuristic>, KnowledgeError> {
        let heuristic = read_heuristic(Path::new(file));
        let heuristic = heuristic.map_err(|error| KnowledgeError { file: file.to_owned(), reason: told(&error) })?;
        Ok(Arc::new(LazyHeuristic::new(heuristic)))
    }
}

impl Knowledge<GdlGame> for FilesForLater {
    fn evaluation(&self, file: &str) -> Result<Arc<dyn Evaluation<GdlGame>>, KnowledgeError> {
        Ok(FilesForLater::lazy(file)?)
    }

    fn policy(&self, file: &str) -> Result<Arc<dyn Policy<GdlGame>>, KnowledgeError> {
        Ok(FilesForLater::lazy(file)?)
    }

    fn opponent(
        &self,
        spec: &OpponentSpec,
        evaluation: Arc<dyn Evaluation<GdlGame>>,
    ) -> Result<Arc<dyn Agent<GdlGame>>, KnowledgeError> {
        Ok(Arc::new(LazyOpponent::new(model_in(&spec.file)?, spec.clone(), evaluation)))
    }

    fn tactics(
        &self,
        file: &str,
        _: Option<Arc<dyn Agent<GdlGame>>>,
    ) -> Result<Arc<dyn Agent<GdlGame>>, KnowledgeError> {
        Err(refuse(
            file,
            format!(
                "{file}: found rules of tactics, which are of one game; expected a player for games that come later"
            ),
        ))
    }

    fn clocked(&self, spec: &ClockedSpec) -> Result<Arc<dyn Agent<GdlGame>>, KnowledgeError> {
        Ok(Arc::new(ClockedPlayer::new(spec.clone(), Arc::new(SystemClock::new()))))
    }
}
