//! What each kind of URL says.

use std::path::PathBuf;

use super::parts::{self, Parts};
use super::{Login, Place, Target, wrong};
use crate::error::UrlError;

const REDIS_PORT: u16 = 6379;
const SENTINEL_PORT: u16 = 26379;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Server,
    Socket,
    Sentinel,
    Cluster,
}

pub(super) fn target(url: &str) -> Result<Target, UrlError> {
    let (scheme, rest) = url
        .split_once("://")
        .ok_or_else(|| wrong("it has no scheme; write redis://HOST:PORT"))?;
    let (kind, is_tls) = kind(&scheme.to_ascii_lowercase())?;
    let parts = Parts::split(rest)?;
    match kind {
        Kind::Socket => socket(&parts),
        Kind::Server => server(&parts, is_tls),
        Kind::Sentinel => sentinel(&parts, is_tls),
        Kind::Cluster => cluster(&parts, is_tls),
    }
}

fn kind(scheme: &str) -> Result<(Kind, bool), UrlError> {
    Ok(match scheme {
        "redis" | "valkey" => (Kind::Server, false),
        "rediss" | "valkeys" => (Kind::Server, true),
        "redis+unix" | "valkey+unix" | "unix" => (Kind::Socket, false),
        "redis-sentinel" | "valkey-sentinel" => (Kind::Sentinel, false),
        "rediss-sentinel" | "valkeys-sentinel" => (Kind::Sentinel, true),
        "redis-cluster" | "valkey-cluster" => (Kind::Cluster, false),
        "rediss-cluster" | "valkeys-cluster" => (Kind::Cluster, true),
        _ => {
            return Err(wrong(
                "its scheme is not known; write redis, redis+unix, redis-sentinel or redis-cluster, \
                 rediss instead of redis for TLS, and valkey as you like",
            ));
        }
    })
}

fn server(parts: &Parts<'_>, is_tls: bool) -> Result<Target, UrlError> {
    let mut endpoints = parts.endpoints(REDIS_PORT)?;
    let Some(endpoint) = endpoints.pop().filter(|_| endpoints.is_empty()) else {
        return Err(wrong(
            "it names several hosts; one server has one, and for others write redis-sentinel://HOSTS/MASTER or redis-cluster://HOSTS",
        ));
    };
    parts.allow_query(&[])?;
    Ok(Target {
        place: Place::Server(endpoint),
        is_tls,
        login: parts.login()?,
        sentinel_login: Login::default(),
        database: database(parts.path)?,
    })
}

fn socket(parts: &Parts<'_>) -> Result<Target, UrlError> {
    if !parts.hosts.is_empty() || parts.user_info.is_some() {
        return Err(wrong(
            "a socket has no host; write redis+unix:///PATH?user=USER&pass=PASSWORD&db=DATABASE",
        ));
    }
    if parts.path.len() < 2 {
        return Err(wrong(
            "it has no path to a socket; write redis+unix:///PATH",
        ));
    }
    parts.allow_query(&["db", "user", "pass"])?;
    Ok(Target {
        place: Place::Socket(PathBuf::from(parts::decoded("path", parts.path)?)),
        is_tls: false,
        login: Login {
            user: parts.query("user")?,
            password: parts.query("pass")?,
        },
        sentinel_login: Login::default(),
        database: database(&parts.query("db")?.unwrap_or_default())?,
    })
}

fn sentinel(parts: &Parts<'_>, is_tls: bool) -> Result<Target, UrlError> {
    let (master, database_text) = match parts.path.trim_start_matches('/').split_once('/') {
        Some((master, database)) => (master, database),
        None => (parts.path.trim_start_matches('/'), ""),
    };
    if master.is_empty() {
        return Err(wrong(
            "it does not name the master that the sentinels watch; write redis-sentinel://HOSTS/MASTER",
        ));
    }
    parts.allow_query(&["sentinel_user", "sentinel_password"])?;
    Ok(Target {
        place: Place::Sentinel {
            sentinels: parts.endpoints(SENTINEL_PORT)?,
            master: parts::decoded("name of the master", master)?,
        },
        is_tls,
        login: parts.login()?,
        sentinel_login: Login {
            user: parts.query("sentinel_user")?,
            password: parts.query("sentinel_password")?,
        },
        database: database(database_text)?,
    })
}

fn cluster(parts: &Parts<'_>, is_tls: bool) -> Result<Target, UrlError> {
    if !matches!(parts.path, "" | "/" | "/0") {
        return Err(wrong(
            "it names a database, and a cluster has only one; leave it out, and keep counts apart by a prefix",
        ));
    }
    parts.allow_query(&[])?;
    Ok(Target {
        place: Place::Cluster(parts.endpoints(REDIS_PORT)?),
        is_tls,
        login: parts.login()?,
        sentinel_login: Login::default(),
        database: 0,
    })
}

fn database(path: &str) -> Result<i64, UrlError> {
    let digits = path.trim_matches('/');
    if digits.is_empty() {
        return Ok(0);
    }
    digits.parse::<u16>().map(i64::from).map_err(|_| {
        wrong("its database is not a number from 0 to 65535; write HOST:PORT/DATABASE")
    })
}
