//! The names of attributes, wherever they stand.

use std::ops::Range;

use crate::AttributeName;
use crate::file::report::{Report, about, in_two};
use crate::file::suggestion::is_slip;

/// The attributes that there are by themselves.
const BUILT_IN: [&str; 5] = ["client.ip", "method", "path", "route", "host"];

/// What attributes of requests begin with that have a name of one's own in them.
const GROUPS: [&str; 2] = ["header", "query"];

/// What other programs call them.
const OTHER_NAMES: [(&str, &str); 12] = [
    ("ip", "client.ip"),
    ("remote_addr", "client.ip"),
    ("remote_ip", "client.ip"),
    ("source_ip", "client.ip"),
    ("client_address", "client.ip"),
    ("verb", "method"),
    ("http_method", "method"),
    ("uri", "path"),
    ("url", "path"),
    ("hostname", "host"),
    ("endpoint", "route"),
    ("authority", "host"),
];

/// What an attribute is for where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Match,
    Except,
    When,
    Cost,
    /// A part of a key by itself, where `missing_key` denies.
    Key,
    /// A part of a key by itself, where `missing_key` skips.
    SkippedKey,
    /// One of several alternatives of a part.
    Alternative,
}

impl Role {
    /// What happens where no request has the attribute.
    const fn without_attribute(self) -> &'static str {
        match self {
            Self::Match => "no request matches, and the policy limits nothing",
            Self::Except => "nothing is excepted by this",
            Self::When => "the tier never applies",
            Self::Cost => "every request costs the default",
            Self::Key => "every request that matches lacks its key and is denied with 400",
            Self::SkippedKey => {
                "every request that matches lacks its key and passes the policy uncounted"
            }
            Self::Alternative => "this alternative is never taken",
        }
    }

    /// What else can be done about it.
    const fn otherwise(self) -> &'static str {
        match self {
            Self::Key => {
                " If your program adds it to some requests only, `missing_key = \"skip\"` lets the others pass the policy"
            }
            _ => "",
        }
    }
}

/// Reads the name of an attribute, and warns of one that is nearly another.
pub(super) fn attribute(
    name: &str,
    span: Range<usize>,
    role: Role,
    report: &mut Report,
) -> Option<AttributeName> {
    let attribute = match name.parse::<AttributeName>() {
        Ok(attribute) => attribute,
        Err(error) => {
            let words = error.to_string();
            let (message, help) = in_two(&words);
            let diagnostic = report.error(span, about(message, name));
            match near(name) {
                Some(meant) => diagnostic.help(about(&format!("did you mean `{meant}`?"), name)),
                None => diagnostic
                    .help(help.unwrap_or("write one such as `client.ip`, `path` or `user.plan`")),
            };
            return None;
        }
    };
    if let AttributeName::Other(name) = &attribute
        && let Some(meant) = near(name)
    {
        let consequence = role.without_attribute();
        report
            .warning(
                span,
                about(&format!("`{name}` is no attribute of requests: unless your program adds it, {consequence}"), name),
            )
            .help(about(&format!("did you mean `{meant}`?{}", role.otherwise()), name));
    }
    Some(attribute)
}

/// The attribute that was probably meant.
fn near(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == lower);
    if let Some((_, meant)) = other {
        return Some((*meant).to_owned());
    }
    if let Some(meant) = BUILT_IN.iter().find(|known| is_slip(known, name)) {
        return Some((*meant).to_owned());
    }
    if let Some(meant) = near_group(name) {
        return Some(meant);
    }
    // What most programs call who is asking.
    let (who, rest) = name.split_once('.').unwrap_or((name, ""));
    let is_user = who != "user" && is_slip("user", who);
    let dot = if rest.is_empty() { "" } else { "." };
    is_user.then(|| format!("user{dot}{rest}"))
}

/// A header or a parameter of the query, if that was probably meant.
fn near_group(name: &str) -> Option<String> {
    let (before, rest) = name.split_once(['.', ':', '_', '-'])?;
    let before = before.to_ascii_lowercase();
    let group = GROUPS.into_iter().find(|group| {
        let is_joined_wrongly =
            before == *group && name.as_bytes().get(before.len()) != Some(&b'.');
        is_joined_wrongly || before != *group && is_slip(group, &before)
    })?;
    let rest = match group {
        "header" => rest.to_ascii_lowercase(),
        _ => rest.to_owned(),
    };
    (!rest.is_empty()).then(|| format!("{group}.{rest}"))
}
