//! All suites in one binary: tables and properties over the library's public face.

mod observe;
mod rules;
