//! How many files the process may have open: each connection is one.

use rustix::process::{Resource, getrlimit, setrlimit};
use tollgate_server::ServerSettings;

/// What is open beside connections: the store's, the log, files that are read.
const OTHERS: usize = 64;

/// For fewer connections than there might be.
#[derive(Debug)]
pub(super) struct LittleRoom {
    /// How many files may be open.
    most: usize,
    /// For how many connections of each listener that is enough.
    room: usize,
    is_more_asked_for: bool,
}

/// Raises the limit to what the system lets the process have. If that is too little, there are as
/// many connections as it is enough for, unless somebody has asked for more.
pub(super) fn make_room(settings: &mut ServerSettings) -> Option<LittleRoom> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files cannot be raised");
    }
    // `None` is no limit.
    let most = getrlimit(Resource::Nofile).current?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let room = room_of_each(most, listeners(settings));
    if settings.max_connections <= room {
        return None;
    }
    let is_more_asked_for = settings.max_connections != ServerSettings::default().max_connections;
    if !is_more_asked_for {
        settings.max_connections = room;
    }
    Some(LittleRoom {
        most,
        room,
        is_more_asked_for,
    })
}

/// Tells it, after what is in force.
pub(super) fn tell(little: Option<&LittleRoom>) {
    let Some(&LittleRoom {
        most,
        room,
        is_more_asked_for,
    }) = little
    else {
        return;
    };
    if is_more_asked_for {
        tracing::warn!(
            most,
            room,
            "fewer files may be open than there may be connections; raise the hard limit (LimitNOFILE, ulimit -Hn) or lower --max-connections"
        );
    } else {
        tracing::info!(
            most,
            room,
            "each listener has room for fewer connections than its bound, since few files may be open; raise the hard limit (LimitNOFILE, ulimit -Hn) for more"
        );
    }
}

fn listeners(settings: &ServerSettings) -> usize {
    let addresses = [
        &settings.http,
        &settings.grpc,
        &settings.redis,
        &settings.operations,
    ];
    addresses.into_iter().flatten().count()
}

/// How many connections each listener has room for, at least one.
fn room_of_each(files: usize, listeners: usize) -> usize {
    (files.saturating_sub(OTHERS) / listeners.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listeners_share_the_files_that_nothing_else_needs() {
        assert_eq!(room_of_each(1024, 3), 320);
        assert_eq!(room_of_each(30_064, 3), 10_000);
        assert_eq!(room_of_each(usize::MAX, 1), usize::MAX - OTHERS);
        // Too little for anything: the system says so when it comes to that.
        assert_eq!(room_of_each(10, 3), 1);
        assert_eq!(room_of_each(1024, 0), 960);
    }
}
