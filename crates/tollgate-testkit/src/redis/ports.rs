//! Ports of the loopback address that nobody has.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Mutex, PoisonError};

/// How often a port that looked free may be taken by another before the server has it.
pub(super) const ATTEMPTS: usize = 16;

/// The bus of a cluster's node is so far above its port.
pub(super) const TO_BUS: u16 = 10_000;

/// A port of the loopback address that is free, and whose bus is, the port 10 000 above. It is given
/// once only: nobody else in this process gets the port of a server that is away for a while.
///
/// Both lie below those from which the system serves whoever asks for any port. So a server that
/// was ended finds its port free when it starts again.
///
/// # Panics
///
/// If there is none.
pub fn free_port() -> u16 {
    static GIVEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    (0..1_000)
        .map(|_| fastrand::u16(10_000..20_000))
        .find(|port| given.insert(*port) && is_free(*port) && is_free(port + TO_BUS))
        .expect("a free port of the loopback address")
}

fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}
