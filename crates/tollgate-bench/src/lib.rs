//! Tollgate beside other limiters, all measured in one run, so that what is quoted is a ratio.
//!
//! `cargo bench -p tollgate-bench` runs every part, `cargo bench -p tollgate-bench -- in-process`
//! one of them. The crate's README says what each part does, and what is unfair about it.

pub mod allocations;
pub mod child;
pub mod cores;
pub mod denials;
pub mod growth;
pub mod in_process;
pub mod keys;
pub mod limiters;
pub mod matching;
pub mod memory;
pub mod middleware;
pub mod outages;
pub mod redis;
pub mod replay;
pub mod report;
pub mod selection;
pub mod server;
pub mod statistics;
pub mod stopwatch;
pub mod sweep;
