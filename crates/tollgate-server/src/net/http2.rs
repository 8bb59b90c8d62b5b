//! What a connection of HTTP/2 allows its client, for any surface.
//!
//! None of it is felt by who asks short questions; it bounds what others can have kept for them.

/// How many requests it has under way. Clients open another connection, or wait, for more.
pub(crate) const STREAMS: u32 = 128;
/// How many bytes of a request's body may be on their way that nobody has read yet.
pub(crate) const STREAM_WINDOW: u32 = 64 << 10;
/// The same of all bodies of a connection.
pub(crate) const WINDOW: u32 = 128 << 10;
/// How many requests may have been taken back by the client before they were looked at. Then it is
/// sent away.
pub(crate) const RESETS: usize = 20;
/// How many requests that break the protocol are ended one by one. Then the client is sent away.
pub(crate) const ERRORS: usize = 64;
