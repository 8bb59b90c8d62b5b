//! Ports of the loopback address that nobody has.

use std::net::{Ipv4Addr, TcpListener};

/// How often a port that looked free may be taken by another before the server has it.
pub(super) const ATTEMPTS: usize = 16;

/// The bus of a cluster's node is so far above its port.
pub(super) const TO_BUS: u16 = 10_000;

/// A port of the loopback address that is free, and whose bus is, the port 10 000 above.
///
/// Both lie below those from which the system serves whoever asks for any port. So a server that
/// was ended finds its port free when it starts again.
pub fn free_port() -> u16 {
    (0..1_000)
        .map(|_| fastrand::u16(10_000..20_000))
        .find(|port| is_free(*port) && is_free(port + TO_BUS))
        .expect("a free port of the loopback address")
}

fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}
