//! What stands before the time: who asked whom.

use std::borrow::Cow;

use crate::log::text::address::{address, peer};
use crate::log::text::escape::{backslashes, present};
use crate::log::text::scan::{is_number, split_at_last, word};
use crate::log::{Peer, Record, Reject};

/// Fills in `[host[:port]] client ident user`.
///
/// * The client is an address, a host's name, `unix:`, or a list of addresses with commas: Traefik
///   writes the whole of `X-Forwarded-For` there, which does not tell the peer.
/// * A host comes first if an address or a socket is second, if it has a port, or if two words come
///   before a `-`.
/// * The user is all the rest, and may hold blanks.
pub(crate) fn fill<'l>(record: &mut Record<'l>, before: &'l [u8]) -> Result<(), Reject> {
    let (first, rest) = word(before);
    if first.contains(&b',') {
        return fill_list(record, before);
    }
    if rest.starts_with(b"- ") || rest == b"-" {
        // Nearly every line.
        if let Some(client) = peer(first) {
            record.peer = client;
            record.user = user(rest);
            return Ok(());
        }
    }
    let (second, after) = word(rest);
    let host_first = is_client_for_certain(second)
        || !is_client_for_certain(first)
            && (has_port(first) || word(after).0 == b"-" && has_user(after));
    let (client, rest) = if host_first {
        record.host = present(Cow::Borrowed(first));
        (second, after)
    } else {
        (first, rest)
    };
    record.peer = peer(client).ok_or(Reject::Client)?;
    record.user = user(rest);
    Ok(())
}

/// A list of addresses, `203.0.113.5, 198.51.100.7`: it goes on while words end in a comma.
fn fill_list<'l>(record: &mut Record<'l>, before: &'l [u8]) -> Result<(), Reject> {
    let mut end = 0;
    loop {
        let (element, _) = word(&before[end..]);
        end += element.len();
        if !element.ends_with(b",") || end == before.len() {
            break;
        }
        end += 1;
    }
    let (list, rest) = before.split_at(end);
    record.forwarded_for = Some(present(Cow::Borrowed(list)).ok_or(Reject::Client)?);
    record.user = user(rest.strip_prefix(b" ").unwrap_or(rest));
    Ok(())
}

fn is_client_for_certain(word: &[u8]) -> bool {
    address(word).is_some() || matches!(peer(word), Some(Peer::Unix))
}

fn has_port(word: &[u8]) -> bool {
    split_at_last(word, b':').is_some_and(|(_, port)| is_number(port))
}

/// Whether something follows the `-`.
fn has_user(ident_and_user: &[u8]) -> bool {
    ident_and_user.len() > 2
}

/// The user that follows the identity: `-` and `""` are nobody.
fn user(ident_and_user: &[u8]) -> Option<Cow<'_, str>> {
    let (_, user) = word(ident_and_user);
    let user = match user {
        b"-" => return None,
        [b'"', user @ .., b'"'] => user,
        user => user,
    };
    present(backslashes(user))
}
