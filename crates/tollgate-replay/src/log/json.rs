//! Logs whose lines are JSON.

mod scan;
mod text;
