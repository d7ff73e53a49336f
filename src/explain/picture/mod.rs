//! Pictures: boards with what a piece can do on them, and automata as graphs, in SVG and in characters.
//!
//! Diagrams come from walking a movement on a board (`reach`, `scene`, `diagram`), drawings of automata from their
//! graphs (`layout`, `drawing`, `automata_page`, `locm_graph`).

pub(super) mod automata_page;
pub(super) mod diagram;
pub(super) mod drawing;
pub(super) mod layout;
pub(super) mod locm_graph;
pub(super) mod markup;
pub(super) mod reach;
pub(super) mod scene;
