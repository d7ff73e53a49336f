//! Rules for people: English, diagrams, automata, and what the rules were learnt from.

mod direction;
mod drawing;
mod ending;
mod english;
mod evidence;
mod familiar;
mod graph;
mod layout;
mod markup;
mod path;
mod way;
mod wording;

pub use ending::ending_sentence;
pub use english::sentences;
pub use evidence::origin;
pub use familiar::familiar;
