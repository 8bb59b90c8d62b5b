//! Servers of one's own: Redis and Valkey of several versions, alone, as a cluster, and watched by
//! sentinels; what can go wrong with them; and a look at what a test left in them.
//!
//! ```
//! use tollgate_testkit::redis::{Engine, RedisServer};
//!
//! let server = RedisServer::builder().engine(Engine::redis_7()).start();
//! assert_eq!(server.command(&["PING"]).text(), "PONG");
//! server.set_max_memory(1);
//! assert!(server.try_command(&["SET", "key", "value"]).is_err());
//! ```
//!
//! Every server is on a free port of the loopback address, saves nothing, and is killed when its
//! value is dropped, or else with this process, however that ends. Debian's own service is left
//! alone.

mod builder;
mod certificates;
mod cluster;
mod commands;
mod directory;
mod engine;
mod faults;
mod lifetimes;
mod loading;
mod nursery;
mod ports;
mod process;
mod proxy;
mod sentinel;
mod server;
mod wait;

pub use builder::RedisServerBuilder;
pub use certificates::{Certificates, ClientCertificates, PemFile};
pub use cluster::{Cluster, SLOTS, SlotMove};
pub use commands::Reply;
pub use engine::Engine;
pub use lifetimes::StoredKey;
pub use ports::free_port;
pub use process::Process;
pub use proxy::Proxy;
pub use sentinel::Sentinel;
pub use server::RedisServer;
pub use wait::until;
