//! The other end of the connection.

use std::net::SocketAddr;

use super::RequestHead;

/// The address of the other end of the connection, as a request extension.
///
/// Whoever accepts connections inserts it into each request. With the feature `axum`, axum's
/// `ConnectInfo<SocketAddr>` does as well. `Peer(None)` is a connection without an address, such as
/// one over a Unix socket: it has no client, unless the client identity trusts such peers' header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Peer(pub Option<SocketAddr>);

/// What the request's extensions say of the peer. `None` if they say nothing, which is not the same
/// as a peer without an address: that one may be trusted to name the client, and nobody is trusted
/// because somebody forgot to say who is asking.
pub(crate) fn peer_of(head: RequestHead<'_>) -> Option<Peer> {
    match head.extensions.get::<Peer>() {
        Some(peer) => Some(*peer),
        None => connect_info(head),
    }
}

#[cfg(feature = "axum")]
fn connect_info(head: RequestHead<'_>) -> Option<Peer> {
    use axum::extract::connect_info::{ConnectInfo, MockConnectInfo};

    let real = head.extensions.get::<ConnectInfo<SocketAddr>>();
    let mock = || head.extensions.get::<MockConnectInfo<SocketAddr>>();
    let address = real
        .map(|info| info.0)
        .or_else(|| mock().map(|info| info.0));
    address.map(|address| Peer(Some(address)))
}

#[cfg(not(feature = "axum"))]
const fn connect_info(_: RequestHead<'_>) -> Option<Peer> {
    None
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    #[test]
    fn is_unknown_if_nobody_says_and_known_to_have_no_address_if_somebody_does() {
        let mut request = Request::new(());
        assert_eq!(peer_of(RequestHead::from(&request)), None);
        request.extensions_mut().insert(Peer(None));
        assert_eq!(peer_of(RequestHead::from(&request)), Some(Peer(None)));
        let peer = Peer("192.0.2.1:4711".parse().ok());
        request.extensions_mut().insert(peer);
        assert_eq!(peer_of(RequestHead::from(&request)), Some(peer));
    }

    #[cfg(feature = "axum")]
    #[test]
    fn comes_from_axum_unless_set() {
        use axum::extract::connect_info::{ConnectInfo, MockConnectInfo};

        let address = |text: &str| text.parse::<SocketAddr>().unwrap();
        let mut request = Request::new(());
        let mock = address("192.0.2.1:1");
        request.extensions_mut().insert(MockConnectInfo(mock));
        assert_eq!(peer_of(RequestHead::from(&request)), Some(Peer(Some(mock))));
        let real = address("192.0.2.2:2");
        request.extensions_mut().insert(ConnectInfo(real));
        assert_eq!(peer_of(RequestHead::from(&request)), Some(Peer(Some(real))));
        request.extensions_mut().insert(Peer(None));
        assert_eq!(peer_of(RequestHead::from(&request)), Some(Peer(None)));
    }
}
