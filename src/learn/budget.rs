//! How much a search may do before it is given up.

/// How much a search may still do, in steps: entries of automata and nodes of trees that are looked at. They are counted
/// instead of the time, so that the same records give the same rules everywhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    left: u64,
}

/// A search came to the end of its effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GivenUp;

impl Budget {
    /// So many steps.
    pub fn new(steps: u64) -> Budget {
        Budget { left: steps }
    }

    /// Takes steps off what is left.
    pub fn spend(&mut self, steps: usize) -> Result<(), GivenUp> {
        self.left = self.left.checked_sub(steps as u64).ok_or(GivenUp)?;
        Ok(())
    }
}
