//! From checked fields to settings and policies.

mod attribute;
mod client;
mod conditions;
mod cost;
mod failure;
mod key;
mod limits;
mod policy;
mod response;
mod store;
mod tiers;

pub(super) use client::client;
pub(super) use conditions::{Test, Tests};
pub(super) use limits::{Allowed, LimitPlace};
pub(super) use policy::{PolicyPlaces, policies};
pub(super) use response::response;
pub(super) use store::store;
