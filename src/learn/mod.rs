//! RECORDS -> RULES: evidence is gathered from games, and rules are induced from it.
//!
//! In come the records of whole games ([`Evidence::observe`]), in any order, in pieces that are merged
//! ([`Evidence::merge`]); out come [`Rules`](crate::rules::Rules) with what they rest on and what they do not account
//! for ([`learn`], [`Learnt`]). Read [`Evidence`] first, then `description_length.rs` for what is minimised and
//! `state_merging.rs` for how.
//!
//! ```
//! use onlooker::budget::StopReason;
//! use onlooker::learn::{Evidence, Options, learn};
//! use onlooker::observe::GameReader;
//! use std::sync::atomic::AtomicBool;
//!
//! // A piece that may go one square up or down; the log lists all legal moves.
//! let log = "1\n.\n.\nK\n*\nw all 1\n0 (0 1 e)\n2\n.\nK\n.\n*\nw all 2\n1 (0 1 e)\n1 (0 -1 e)\n3\nK\n.\n.\n1\nw all 0\n";
//! let mut evidence = Evidence::default();
//! for game in GameReader::new(log.as_bytes()) {
//!     evidence.observe(&game?)?;
//! }
//! let learnt = learn(&evidence, &Options::default(), &AtomicBool::new(false), &|_| {})?;
//! assert_eq!(learnt.stopped, StopReason::Done);
//! assert_eq!(learnt.rules.moves[0].words.to_string(), "vertical(empty)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is kept
//!
//! `Evidence` keeps each distinct position once with a count, packed into as few bits a square as the kinds of pieces
//! need (`packing.rs`), and for every piece its words with the squares they started on. Which word was listed in which
//! position is not kept: a word is legal if and only if its steps find what they say and it is in the piece's language,
//! so all that matters is how often a word was listed and how often it could have been. `merge` is associative and
//! commutative, and all that is induced reads the evidence in sorted order (`situations.rs`): the same games give the
//! same bytes, in any order, on any number of threads.
//!
//! # What is counted
//!
//! The tree of possible words (`trie.rs`, a prefix tree) counts opportunities on demand: a node holds the boards on which
//! its word fits as sets of cursors (`hits.rs`), a child is a shift and a mask a board. So a hypothesis is checked once
//! for each word it has, not for each position. Sets of squares are columns of words (`boards.rs`, `square_sets.rs`); only
//! the loops over them are compiled for each width of the board.
//!
//! # What is minimised
//!
//! The minimum description length, in nats (`description_length.rs`): the length of the movement's description, which is
//! its prior, plus the surprise at the records, the negative logarithm of their likelihood.
//!
//! * A transition costs ln(letters) + ln 8, a state ln 2; what is the image of something else under the movement's
//!   symmetry (a subgroup of the eight turns and reflections, `symmetry.rs`) is not written down again. Symmetries other
//!   than "all sides", "both axes" and "left and right" cost 3 nats more.
//! * Where all legal moves are listed, a word that was possible and not listed is impossible; if a share q of the records
//!   may be false, each disagreement costs -ln q, and a listed word counts only if it was listed more often than not and
//!   is worth its own description.
//! * Where only the move played is listed, each of the b legal moves has a chance of at least r/b. A word that was
//!   possible in positions with b1, b2, ... legal moves and never played costs r (1/b1 + 1/b2 + ...). A word that was
//!   never possible costs nothing. The b are counted with the listed words first and with the movements learnt from that
//!   in a second round (`shortest.rs`); r is estimated from how evenly the listed words are played, for each kind of word
//!   and over all of them, and is never less than the floor ([`Options::floor`]): a player who avoids a kind of move makes
//!   learning slower, not wrong, as long as it is played at least so often.
//!
//! # How it is searched
//!
//! State merging (`state_merging.rs`, `hypothesis.rs`): for each symmetry, the prefix tree acceptor of the words and their
//! images is folded: the most used state next to the settled ones is merged with whichever state gives the least score,
//! together with all images of the two, or is settled if every score would rise. The best symmetry wins. Both players'
//! pieces of a name are learnt from both players' records at once, unless that costs more than writing the movement
//! twice. Where words follow no pattern, folding takes ever longer: it stops after a number of steps
//! ([`Options::budget`]), counted so that the same records give the same rules everywhere, and the piece is reported as
//! not accounted for ([`Unexplained::Stopped`]).
//!
//! # Guards
//!
//! Where the same word is legal here and not there, the place may decide (`guard.rs`, `guard_search.rs`). Every letter is
//! then annotated with the guards that hold (`letter.rs`): on the square it lands on, or for the first letter, where the
//! turn starts. So promotion on the last rank is a matter of different letters, and everything else stays as it is: the
//! tree of possible words only gets narrower masks. Which zone is tested is again a matter of length: it must explain more
//! than a few false records would, or more than chance where single moves are listed, and of zones that explain as much
//! the one with the shortest movement is taken. Letters that differ only in guards and lead to the same state cost as much
//! as one, and guards are dropped where nothing speaks against it. At the end `decide.rs` turns annotated letters into an
//! automaton that tests a guard only where the result makes a difference.
//!
//! # Whole turns
//!
//! Turns are words like any others: letters that take and put down are in the tree of possible words with what they
//! change. What follows a put-down is joined at once, whatever came before it, if that shortens the description; no
//! movement puts down pieces in a loop.
//!
//! # The papers' methods
//!
//! SGRL (`sgrl.rs`, [`Method::Paper`]) collapses states of the prefix tree as Björnsson's Algorithms 1 and 2 do, on the same
//! evidence.
//!
//! GRL (`grl.rs`, `trace.rs`, [`Method::Grl`]) cuts words where pieces appear, learns each piece's parts (on boards in
//! mid-turn for pieces that appear), gives the turns to [`locm`](crate::locm) as plan traces, and makes one automaton of
//! both (Algorithm 1 of the paper): its states are a state of the controlled piece's automaton and the states of the zero
//! machines. So its result is a movement like any other. It is exact where LOCM's machines say enough; a machine has each
//! action once, so it cannot count the steps of a castling king, and a chain of jumps along the last rank makes it forget
//! where promotion is due. Therefore whole turns are the default.
//!
//! # From automaton to text
//!
//! A word never comes to a square twice, so opposite directions may share a state (the rook has four states). Before
//! phrasing ([`phrase`](fn@crate::rules::phrase)), words that turn back at once are taken out, which separates the directions
//! again; the phrase is compared with the automaton before it is used.
//!
//! # Endings
//!
//! Endings (`endings.rs`) are learnt last: the shortest list of conditions (`ending_patterns.rs`, `goal_zones.rs`) that hold
//! in all positions in which games ended and never held while one went on (`going_on.rs`), in an order in which the first
//! that holds decides (`ending_cover.rs`). `learner.rs` puts all of it together.
//!
//! # The learner checks itself
//!
//! At the end the rules are played over the evidence (`replay.rs`): whatever they do not reproduce, beyond the noise that
//! was allowed, is reported ([`Unexplained`]). Where only the moves played are known, so is every class of moves that the
//! rules have and that was played more rarely than chance explains. What nothing has tested, and the rules only say because
//! that is shortest, is named too (`untested.rs`).

mod alphabet;
mod boards;
mod compact;
mod contradiction;
mod decide;
mod description_length;
mod ending_cover;
mod ending_patterns;
mod endings;
mod evidence;
mod goal_zones;
mod going_on;
mod grl;
mod guard;
mod guard_search;
mod guard_tests;
mod hits;
mod hypothesis;
mod learner;
mod learnt;
mod letter;
mod movement;
mod options;
mod packing;
mod perspective;
mod piece_samples;
mod reading;
mod replay;
mod sample_set;
mod samples;
mod saved;
mod sgrl;
mod shortest;
mod situations;
mod square_sets;
mod state_merging;
mod step_tests;
mod symmetry;
mod taken;
mod trace;
mod trie;
mod untested;

pub use crate::saved::SavedError;
pub use compact::CompactError;
pub use contradiction::Contradiction;
pub use evidence::{Evidence, Refused};
pub use learner::{NoGames, learn};
pub use learnt::{Learnt, LearntPiece, MoveClass, MovePart, Need, NeededGuard, Needs, Place, Unexplained};
pub use options::{Method, Options, Progress};
pub use trace::plan_trace;
