//! What the tests have in common.

mod client;
mod daemon;
mod programs;
mod proxy;
mod relay;
mod service;

pub(crate) use client::{Answer, BALANCER, Client};
pub(crate) use daemon::{Daemon, DaemonProcess};
pub(crate) use programs::Programs;
pub(crate) use proxy::{Proxy, Recipe, Told};
pub(crate) use relay::Relay;
pub(crate) use service::{Echo, Service};
