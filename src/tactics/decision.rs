//! What rules say about a turn: win, avoid what the opponent could win by, or nothing.
//!
//! A move is bad if the opponent wins after it, by a proved rule or by threats that lead to one: the look ahead by one move that the paper's
//! second appendix asks for. If only some moves are not bad, the player is forced, and knows why.

use super::forced_win::{ForcedWin, ForcedWins, Foresight};
use super::ground::{GroundState, MoveId};
use super::recogniser::Recogniser;
use std::sync::atomic::{AtomicBool, Ordering};

/// What rules say about a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The moves that are left to choose from.
    pub moves: Vec<MoveId>,
    /// Why.
    pub why: Why,
}

/// Why moves are left or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A rule wins.
    Wins(ForcedWin),
    /// All other moves let the opponent win: here is one way.
    Forced(ForcedWin),
    /// All moves do: these hold out longest.
    Lost(ForcedWin),
    /// No rule says anything.
    Free,
}

/// What rules say to a player who is to move and may make these moves.
pub fn decide(
    recogniser: &Recogniser,
    state: &mut GroundState,
    legal: &[MoveId],
    foresight: Foresight,
    stop: &AtomicBool,
) -> Decision {
    decision(recogniser, state, legal, foresight, stop, false)
}

/// The same for moves in the order in which they are liked: of those that do not lose only the first is looked for, which is quicker. Where rules say
/// nothing, all are left.
pub fn decide_first(
    recogniser: &Recogniser,
    state: &mut GroundState,
    liked: &[MoveId],
    foresight: Foresight,
    stop: &AtomicBool,
) -> Decision {
    decision(recogniser, state, liked, foresight, stop, true)
}

fn decision(
    recogniser: &Recogniser,
    state: &mut GroundState,
    legal: &[MoveId],
    foresight: Foresight,
    stop: &AtomicBool,
    first: bool,
) -> Decision {
    let ground = &recogniser.ground;
    let Some(player) = legal.first().map(|id| id.0 as usize % 2) else {
        return Decision { moves: Vec::new(), why: Why::Free };
    };
    let mut search = ForcedWins::new(recogniser, foresight, stop);
    if let Some(win) = search.find(state, player)
        && let Some(&id) = legal.iter().find(|&&id| ground.square(id) == win.square)
    {
        return Decision { moves: vec![id], why: Why::Wins(win) };
    }
    // What the opponent may do gets as much effort as what oneself may do.
    search.left = foresight.nodes;
    if recogniser.harmless && search.find(state, 1 - player).is_none() {
        // Where no move helps the opponent, nothing is to be feared that is not there already.
        return Decision { moves: legal.to_vec(), why: Why::Free };
    }
    let mut losing: Vec<(MoveId, ForcedWin)> = Vec::new();
    let mut safe = Vec::new();
    let mut spare = foresight.nodes.saturating_mul(2);
    for &id in legal {
        if first && !safe.is_empty() {
            break;
        }
        if stop.load(Ordering::Relaxed) {
            // What was not looked at is not known to lose.
            safe.push(id);
            continue;
        }
        let Some(undo) = ground.play(state, id) else { continue };
        // Each move gets its share, until twice as much is spent as for the turn itself: what then is not known to lose is left.
        let share = (foresight.nodes / 10).min(spare);
        let before = search.left.max(share);
        search.left = before;
        match search.find(state, 1 - player) {
            Some(win) => losing.push((id, win)),
            None => safe.push(id),
        }
        spare = spare.saturating_sub(before - search.left);
        state.undo(&undo);
    }
    let longest = losing.iter().map(|(_, win)| win.depth).max().unwrap_or(0);
    match losing.first().map(|(_, win)| *win) {
        None => Decision { moves: legal.to_vec(), why: Why::Free },
        Some(win) if !safe.is_empty() => Decision { moves: safe, why: Why::Forced(win) },
        Some(win) => {
            let moves = losing.iter().filter(|(_, win)| win.depth == longest).map(|(id, _)| *id).collect();
            Decision { moves, why: Why::Lost(win) }
        }
    }
}
