//! Events beside winning, such as the capture of a queen: which feature says that one has come about, and for whom.
//!
//! ```text
//! event queen gone(<q>) kind(<q>,queen) owner(<q>,<o>) other(<o>,<player>)
//! ```
//!
//! The event comes about whenever a rule of the game adds its feature, for the player whom `<player>` stands for; the rest are static
//! relations. Events are declared from the best to the least; a win is above them all. [`super::UpdateSystem::for_event`] says what an event is to proofs.

use super::language::{Literal, Name, Variable};

/// Something that a player may bring about beside a win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What it is called.
    pub name: Name,
    /// The feature whose addition it is.
    pub feature: Literal,
    /// Static relations that must hold for it.
    pub relations: Vec<Literal>,
    /// Whose success it is.
    pub player: Variable,
}
