//! What a caller may ask for at most.
//!
//! A client of the proxy chooses some of what the proxy sends: the values of headers, and so their
//! lengths. A call that is refused is an error to the proxy, which may be told to let requests
//! through then. So the bounds on values lie above what proxies take from their clients.

use std::time::Duration;

use tonic::Status;

/// The most bytes of a message.
pub(super) const MESSAGE: usize = 1 << 20;
/// The most bytes of a message to the services beside the limiter.
pub(super) const SMALL_MESSAGE: usize = 4 << 10;
/// The most descriptors of a call.
const DESCRIPTORS: usize = 64;
/// The most entries of a descriptor.
const ENTRIES: usize = 64;
/// The most bytes of a domain or of an entry's key.
const NAME: usize = 256;
/// The most bytes of an entry's value: Envoy takes 60 KiB of header fields from a request, unless
/// it is told otherwise.
const VALUE: usize = 64 << 10;

/// The most bytes of the header fields of a call, as HTTP/2 counts them.
pub(super) const HEADERS: u32 = 8 << 10;
/// How long a call may take, with the arrival of its message, if the caller says nothing else.
pub(super) const CALL: Duration = Duration::from_secs(10);
/// How long a connection may be open without a call.
pub(super) const FIRST_CALL: Duration = Duration::from_secs(60);
/// How long the end of a connection may take that has been told to end for that.
pub(super) const FAREWELL: Duration = Duration::from_secs(5);
/// After how long a silent connection is asked whether there is still somebody.
pub(super) const PING_AFTER: Duration = Duration::from_secs(20);
/// How long the answer to that may take.
pub(super) const PING: Duration = Duration::from_secs(10);

pub(super) fn check_descriptors(count: usize) -> Result<(), Status> {
    match count {
        0 => Err(Status::invalid_argument(
            "descriptors: there is none; send at least one",
        )),
        1..=DESCRIPTORS => Ok(()),
        _ => Err(Status::invalid_argument(format!(
            "descriptors: there are {count}; send at most {DESCRIPTORS}"
        ))),
    }
}

pub(super) fn check_entries(descriptor: usize, count: usize) -> Result<(), Status> {
    if count > ENTRIES {
        return Err(Status::invalid_argument(format!(
            "descriptors[{descriptor}].entries: there are {count}; send at most {ENTRIES}"
        )));
    }
    Ok(())
}

/// A domain or a key as text. `what` says which, and is asked for only if something is wrong.
pub(super) fn name(bytes: &[u8], what: impl Fn() -> String) -> Result<&str, Status> {
    if bytes.is_empty() {
        return Err(Status::invalid_argument(format!("{} is empty", what())));
    }
    if bytes.len() > NAME {
        return Err(Status::invalid_argument(format!(
            "{} has {} bytes; send at most {NAME}",
            what(),
            bytes.len()
        )));
    }
    std::str::from_utf8(bytes)
        .map_err(|_| Status::invalid_argument(format!("{} is not UTF-8", what())))
}

pub(super) fn check_value(descriptor: usize, entry: usize, bytes: &[u8]) -> Result<(), Status> {
    if bytes.len() > VALUE {
        return Err(Status::invalid_argument(format!(
            "descriptors[{descriptor}].entries[{entry}].value has {} bytes; send at most {VALUE}",
            bytes.len()
        )));
    }
    Ok(())
}
