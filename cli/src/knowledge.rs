//! Files that players know something from: `heuristic:FILE`, `eval=FILE`, `policy=FILE`.

use crate::{game_argument, report};
use anyhow::Result;
use onlooker::concepts::{CompiledHeuristic, Heuristic, LazyHeuristic};
use onlooker::game::{Game, GdlGame};
use onlooker::play::{Evaluation, Knowledge, KnowledgeError, Policy};
use std::path::Path;
use std::sync::Arc;

/// The heuristic in a file.
pub fn read_heuristic(path: &Path) -> Result<Heuristic> {
    let text = game_argument::read_text(path, "a file of rules that 'onlooker concepts' wrote")?;
    Heuristic::parse(&text).map_err(|error| report::heuristic(path, &error).into())
}

/// Reads files for a game.
pub struct Files<'a, G>(pub &'a G);

impl<G: Game> Files<'_, G> {
    fn compiled(&self, file: &str) -> Result<Arc<CompiledHeuristic>, KnowledgeError> {
        let refuse = |reason: String| KnowledgeError { file: file.to_owned(), reason };
        let heuristic = read_heuristic(Path::new(file)).map_err(|error| refuse(format!("{error:#}")))?;
        CompiledHeuristic::new(&heuristic, self.0).map(Arc::new).map_err(|error| refuse(error.to_string()))
    }
}

impl<G: Game> Knowledge<G> for Files<'_, G> {
    fn evaluation(&self, file: &str) -> Result<Arc<dyn Evaluation<G>>, KnowledgeError> {
        Ok(self.compiled(file)?)
    }

    fn policy(&self, file: &str) -> Result<Arc<dyn Policy<G>>, KnowledgeError> {
        Ok(self.compiled(file)?)
    }
}

/// Reads files for games that come later.
pub struct FilesForLater;

impl FilesForLater {
    fn lazy(file: &str) -> Result<Arc<LazyHeuristic>, KnowledgeError> {
        let heuristic = read_heuristic(Path::new(file));
        let heuristic =
            heuristic.map_err(|error| KnowledgeError { file: file.to_owned(), reason: format!("{error:#}") })?;
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
}
