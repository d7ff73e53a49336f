//! The server and its page, from outside: over HTTP, and in a real browser.

mod accessibility;
mod browser;
mod harness;
mod measurements;
mod requests;
mod safety;
mod views;
