//! Onlooker in the browser: watch games, learn them, read their rules, play them, change them.
//!
//! In come requests of the page in `assets/`, which is inside the binary; out go JSON, pictures, and server-sent events for what goes
//! on for longer. All that is known about games is in the library; here is who may ask, how much at once, and what is kept.
//!
//! | module | knows | does not know |
//! |---|---|---|
//! | `server`, `guard`, `limits` | sockets, hosts, how much at once | games |
//! | `api`, `assets`, `error` | which request is which | what is done for it |
//! | `store`, `games`, `tables`, `saved_game` | what is kept: files, games that are ready, games in progress, saved ones | requests |
//! | `jobs` | threads that send events, their pace and their end | what they do |
//! | `learn_job`, `knowledge_job`, `plans_job` | what goes on for longer | who listens |
//! | `position_view`, `fact_board`, `lesson_view`, `knowledge`, `rules_api` | how boards, moves, rules and knowledge are shown | where they come from |
//!
//! Start with [`serve`]. Requests that take more than a moment run on threads of their own; heavy work of learners runs in a pool
//! that leaves one processor alone, so that a click is answered at once.

mod api;
mod assets;
mod error;
mod fact_board;
mod games;
mod guard;
mod jobs;
mod knowledge;
mod knowledge_job;
mod learn_job;
mod lesson_view;
mod limits;
mod plans_job;
mod position_view;
mod rules_api;
mod saved_game;
mod server;
mod store;
mod tables;

pub use server::{Options, ServeError, serve};
pub use store::StoreError;
