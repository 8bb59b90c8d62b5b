//! The real nginx, Caddy, Traefik and HAProxy, by the configurations that people copy from `deploy/`:
//! clients, a proxy, a service behind it, and a daemon that the proxy asks.
//!
//! Each proxy has a file, which says how it is run, and which shows all the behaviours.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on"
)]

mod behaviours;
mod caddy;
mod guide;
mod haproxy;
mod later_caddy;
mod nginx;
mod nginx_accel;
mod nginx_login;
mod support;
mod traefik;
