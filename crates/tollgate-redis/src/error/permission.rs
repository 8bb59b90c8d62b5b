//! What a server's user may not do, and what to allow.

use std::borrow::Cow;

use redis::{ErrorKind, RedisError, ServerErrorKind};

/// What `docs/redis.md` says that scripts need.
const NEEDED: &str = "+eval +evalsha +time +get +psetex +del +pttl +pexpire +@list ~PREFIX:*";

/// True if the user lacks a permission. What a script may not do has no code of its own.
pub(super) fn is_missing(error: &RedisError) -> bool {
    let detail = error.detail().unwrap_or_default();
    error.kind() == ErrorKind::Server(ServerErrorKind::NoPerm)
        || detail.contains("-NOPERM ")
        || detail.contains("executing the script can't")
        || detail.contains("ACL failure in script")
}

/// What to allow, with the command where the server names it.
pub(super) fn remedy(error: &RedisError) -> Cow<'static, str> {
    let detail = error.detail().unwrap_or_default();
    let command = detail.split_once("run the '").map(|(_, after)| after);
    let command = command.and_then(|after| Some(after.split_once('\'')?.0));
    match command {
        Some("role") => {
            "the redis user may not ask whether a server is a master; allow +role".into()
        }
        Some("cluster" | "cluster|slots") => "the redis user may not ask for the slots of the \
             cluster; allow +cluster|slots (+cluster before Redis 7)"
            .into(),
        Some("sentinel" | "sentinel|get-master-addr-by-name") => "the user of the sentinels may \
             not ask for the master; allow +sentinel"
            .into(),
        Some(command) => {
            format!("the redis user may not run {command}; what scripts need is {NEEDED}").into()
        }
        None if detail.contains("key") => {
            format!("the redis user may not use these keys; what scripts need is {NEEDED}").into()
        }
        None => {
            format!("the redis user may not run a command that scripts need, which are {NEEDED}")
                .into()
        }
    }
}
