//! The daemon: the policies of one file, for programs in any language.
//!
//! It holds no rule of its own: what a surface is asked becomes attributes, the
//! [`Engine`](tollgate_engine::Engine) decides, and the decision becomes what the surface's protocol
//! has for it.
//!
//! | surface | module | for |
//! |---|---|---|
//! | HTTP | `http` | forward-auth of proxies, `/v1/check`, `/metrics`, `/livez`, `/readyz` |
//! | gRPC | `grpc` | Envoy's `RateLimitService` v3, health, reflection |
//! | Redis protocol | `resp` | `CL.THROTTLE`, `TG.CHECK`: every Redis client |
//!
//! With the feature `opentelemetry`, it exports metrics and spans by OTLP (`OpenTelemetry`).
//!
//! [`Server::bind`] takes the addresses, [`Server::run`] serves until it is told to stop, and then
//! lets what has begun come to its end.
//!
//! # How connections are served
//!
//! The listeners accept in the runtime that calls [`Server::run`], and hand each connection to one
//! of a few threads, where it stays (`net::workers`). Each thread has a runtime of its own: answers to
//! what arrives together leave together, and nothing is shared but the engine.

mod admin_token;
mod attributes;
mod error;
mod grpc;
mod http;
mod lifecycle;
mod memory;
mod metrics;
mod net;
#[cfg(feature = "opentelemetry")]
mod opentelemetry;
mod password;
mod resp;
mod secret;
mod seldom;
mod server;
mod settings;
mod trace;
mod waiting;

pub use admin_token::{AdminToken, AdminTokenError};
pub use error::ServerError;
pub use http::routes as http_routes;
pub use net::{Certificates, ListenAddress, ListenAddressError, TlsError, TlsFiles};
#[cfg(feature = "opentelemetry")]
pub use opentelemetry::{OpenTelemetry, OpenTelemetryError};
pub use password::{Password, PasswordError};
pub use server::{Addresses, Server};
pub use settings::{ServerSettings, SurfaceName};
pub use tollgate_engine::{Metrics, MetricsError};
