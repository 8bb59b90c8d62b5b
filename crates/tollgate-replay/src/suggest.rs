//! t
mod group;
mod grouping;
mod numbers;
mod shape;
mod tree;
pub use group::{Group, Methods};
