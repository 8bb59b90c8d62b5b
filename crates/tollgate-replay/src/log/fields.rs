//! Any JSON, by a map that says where each fact of a request stands.

mod error;
mod noticed;
mod path;
mod read;

pub use error::FieldError;
pub(crate) use read::read;

use std::fmt;
use std::str::FromStr;

use tollgate_policy::AttributeName;

use self::error::Problem;
use self::noticed::Noticed;
use self::path::Path;
use super::time::number::Unit;

/// Where one fact of a request stands: `client.ip=.request.client_ip`.
///
/// Before the `=` stands what it is:
///
/// | name | is |
/// |---|---|
/// | `time` | when the line was written, at the end of the request; a `duration` is taken off it |
/// | `start` | when the request began |
/// | `duration` | how long it took; a text such as `1.5ms` has its own unit |
/// | `client.ip` | whom the server took for the client; a list of addresses is read as `X-Forwarded-For` |
/// | `peer.ip` | who was at the other end of the connection, if that is another one |
/// | `method`, `host`, `user`, `route`, `status` | the same |
/// | `path` | the target: its path, with or without query and host |
/// | `query` | the query, if it stands apart |
/// | `request` | the first line of the request: `GET /a?b=1 HTTP/1.1` |
/// | `header.NAME` | a header; `header.x-forwarded-for` is the list of addresses |
/// | anything else | an attribute of this name, for policies that use it |
///
/// After it stands the path to the value: names after dots, others in brackets and quotes, places in
/// lists in brackets, from 0: `.headers["X-Plan"][0]`.
///
/// A time or a duration may be followed by its unit: `.latency:ms` (`s`, `ms`, `us`, `ns`). A duration
/// is seconds unless said. A time that is a number is in the unit that its size tells unless said; as a
/// text it is a date.
///
/// ```
/// use tollgate_replay::log::{Field, FieldMap};
///
/// let fields = ["time=.ts", "duration=.latency:ms", "client.ip=.request.client_ip"];
/// let fields: Vec<Field> = fields.iter().map(|field| field.parse()).collect::<Result<_, _>>()?;
/// let map = FieldMap::new(fields)?;
/// # let _ = map;
///
/// let error = "duration=.latency:millis".parse::<Field>().unwrap_err();
/// assert!(error.to_string().contains("there is no unit `millis`"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// As it was written.
    text: String,
    target: Target,
    path: Path,
    unit: Option<Unit>,
}

/// What a field is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Time,
    Start,
    Duration,
    Client,
    Peer,
    Method,
    Host,
    User,
    Route,
    Status,
    Path,
    Query,
    Request,
    /// The name of a header, in lower case.
    Header(String),
    /// The name of an attribute.
    Attribute(String),
}

impl Target {
    /// Those that have a name of their own.
    const NAMED: [(&'static str, Self); 13] = [
        ("time", Self::Time),
        ("start", Self::Start),
        ("duration", Self::Duration),
        ("client.ip", Self::Client),
        ("peer.ip", Self::Peer),
        ("method", Self::Method),
        ("host", Self::Host),
        ("user", Self::User),
        ("route", Self::Route),
        ("status", Self::Status),
        ("path", Self::Path),
        ("query", Self::Query),
        ("request", Self::Request),
    ];

    fn read(name: &str) -> Result<Self, FieldError> {
        let mut named = Self::NAMED.into_iter();
        if let Some((_, target)) = named.find(|(known, _)| *known == name) {
            return Ok(target);
        }
        match name.parse::<AttributeName>() {
            Ok(AttributeName::Header(header)) => Ok(Self::Header(header.into())),
            Ok(attribute) => Ok(Self::Attribute(attribute.to_string())),
            Err(error) => Err(Problem::Name {
                name: name.to_owned(),
                error,
            }
            .into()),
        }
    }

    const fn has_unit(&self) -> bool {
        matches!(self, Self::Time | Self::Start | Self::Duration)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(name) => write!(f, "header.{name}"),
            Self::Attribute(name) => f.write_str(name),
            named => {
                let mut all = Self::NAMED.iter();
                let name = all.find(|(_, target)| target == named);
                f.write_str(name.map_or("", |(name, _)| name))
            }
        }
    }
}

impl FromStr for Field {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, rest) = text.split_once('=').ok_or_else(|| Problem::NoEquals {
            field: text.to_owned(),
        })?;
        let target = Target::read(name.trim())?;
        let (path, unit) = Path::read(rest.trim())?;
        let unit = match unit {
            None => None,
            Some(_) if !target.has_unit() => {
                return Err(Problem::UnitOfNothing {
                    name: target.to_string(),
                }
                .into());
            }
            Some(unit) => Some(unit.parse().map_err(Problem::Unit)?),
        };
        Ok(Self {
            text: text.to_owned(),
            target,
            path,
            unit,
        })
    }
}

/// Where the facts of a request stand in the JSON of a line. See [`Field`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldMap {
    fields: Vec<Field>,
    noticed: Noticed,
}

impl FieldMap {
    /// A map of these fields.
    ///
    /// # Errors
    ///
    /// None of them is a time, none tells who the client is, or one is there twice.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Result<Self, FieldError> {
        let mut map = Self {
            fields: Vec::new(),
            noticed: Noticed::of(0),
        };
        for field in fields {
            if map.has(&field.target) {
                let name = field.target.to_string();
                return Err(Problem::Twice { name }.into());
            }
            map.fields.push(field);
        }
        let time = [Target::Time, Target::Start];
        if !time.iter().any(|target| map.has(target)) {
            let meant = map.similar(&["time", "timestamp", "ts", "date", "start_time", "datetime"]);
            return Err(Problem::NoTime { meant }.into());
        }
        let header = |name: &str| Target::Header(name.to_owned());
        let client = [Target::Client, Target::Peer, header("x-forwarded-for")];
        if !client.iter().any(|target| map.has(target)) {
            let names = [
                "client_ip",
                "ip",
                "remote_addr",
                "remote_ip",
                "remote_address",
                "addr",
            ];
            let meant = map.similar(&names);
            return Err(Problem::NoClient { meant }.into());
        }
        map.noticed = Noticed::of(map.fields.len());
        Ok(map)
    }

    /// What speaks against this map, in sentences, after lines were read by it or by a clone of it:
    /// fields that no line has, and times and durations that are probably in another unit.
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        for (place, field) in self.fields.iter().enumerate() {
            if !self.noticed.was_found(place) {
                doubts.push(format!(
                    "no line has what `--field {}` names",
                    field.text.escape_debug()
                ));
            }
        }
        if self.noticed.has_long_durations() {
            doubts.push("requests took more than a day by --field duration, a number of seconds unless its path ends with `:ms`, `:us` or `:ns`".to_owned());
        }
        if self.noticed.has_old_times() {
            doubts.push("requests came before the year 2000: is the unit of their time the one that --field says?".to_owned());
        }
        doubts
    }

    fn has(&self, target: &Target) -> bool {
        self.fields.iter().any(|field| field.target == *target)
    }

    /// A field that is an attribute of its own, but was probably meant to be something else.
    fn similar(&self, names: &[&str]) -> Option<String> {
        let mut fields = self.fields.iter();
        fields.find_map(|field| match &field.target {
            Target::Attribute(name) if names.contains(&name.to_ascii_lowercase().as_str()) => {
                Some(name.clone())
            }
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
