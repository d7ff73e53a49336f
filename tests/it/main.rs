//! The suites that see the library from outside.

mod observe;
