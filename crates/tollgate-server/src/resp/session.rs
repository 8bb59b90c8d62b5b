//! What is known of a client.

use tollgate_resp::Version;

use super::transaction::Transaction;

/// What one connection has told of itself.
pub(super) struct Session {
    /// A number that no other connection of this process has.
    pub(super) id: i64,
    /// False until the password was given, if there is one.
    pub(super) is_known: bool,
    /// How it calls itself; printable.
    pub(super) name: String,
    pub(super) version: Version,
    /// What waits for `EXEC`, after `MULTI`.
    pub(super) transaction: Option<Transaction>,
}

impl Session {
    pub(super) const fn new(id: i64, is_known: bool) -> Self {
        Self {
            id,
            is_known,
            name: String::new(),
            version: Version::Resp2,
            transaction: None,
        }
    }
}
