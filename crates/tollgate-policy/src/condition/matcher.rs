//! The compiled test of one attribute.

use super::glob::{PathGlob, TextGlob};
use super::{Facts, Forms};
use crate::attribute::is_token;
use crate::path::{PathForms, normalize_host, normalize_route};
use crate::{AttributeName, Attributes, IpNetwork};

/// The values that pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Matcher {
    Networks(Box<[IpNetwork]>),
    Words(Box<[Box<str>]>),
    Paths(Box<[PathGlob]>),
    Texts(Box<[TextGlob]>),
}

/// The methods whose name people write in lower case by mistake (RFC 9110, section 9.1).
const METHODS: [&str; 9] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE",
];

impl Matcher {
    pub(super) fn compile(attribute: &AttributeName, patterns: &[String]) -> Result<Self, String> {
        if patterns.is_empty() {
            return Err(format!(
                "the list of values for `{attribute}` is empty, so that nothing would match; list values, or leave `{attribute}` out"
            ));
        }
        Ok(match attribute {
            AttributeName::ClientIp => Self::Networks(each(patterns, |text| {
                text.parse().map_err(|error| format!("{error}"))
            })?),
            AttributeName::Method => Self::Words(each(patterns, method)?),
            AttributeName::Path | AttributeName::Route => {
                Self::Paths(each(patterns, PathGlob::compile)?)
            }
            AttributeName::Host => Self::Texts(each(patterns, |text| {
                TextGlob::compile(&normalize_host(text))
            })?),
            _ => Self::Texts(each(patterns, TextGlob::compile)?),
        })
    }

    pub(super) fn matches<A: Attributes + ?Sized>(
        &self,
        attribute: &AttributeName,
        facts: &Facts<'_, A>,
        forms: Forms,
    ) -> bool {
        if let Self::Networks(networks) = self {
            return facts.client().is_some_and(|client| {
                networks.iter().any(|network| network.contains(client.ip()))
            });
        }
        if let Self::Paths(globs) = self
            && *attribute == AttributeName::Path
        {
            return facts
                .path()
                .is_some_and(|path| any_matches(globs, path, forms));
        }
        let Some(value) = facts.value(attribute) else {
            return false;
        };
        match self {
            Self::Networks(_) => false,
            Self::Words(words) => words.iter().any(|word| **word == *value),
            Self::Paths(globs) => {
                let route = normalize_route(&value);
                globs.iter().any(|glob| glob.matches(&route))
            }
            Self::Texts(globs) => globs.iter().any(|glob| glob.matches(&value)),
        }
    }

    /// All values that pass, if they can be listed.
    pub(super) fn values(&self) -> Option<Vec<&str>> {
        match self {
            Self::Words(words) => Some(words.iter().map(|word| &**word).collect()),
            Self::Texts(globs) => globs.iter().map(TextGlob::literal).collect(),
            Self::Networks(_) | Self::Paths(_) => None,
        }
    }

    pub(super) fn paths(&self) -> Option<&[PathGlob]> {
        match self {
            Self::Paths(globs) => Some(globs),
            _ => None,
        }
    }
}

/// Whether any pattern matches a path in one of its forms, or in each.
fn any_matches(globs: &[PathGlob], path: &PathForms<'_>, forms: Forms) -> bool {
    let normal = globs.iter().any(|glob| glob.matches(&path.normal));
    let is_lenient = path.lenient.is_some() || globs.iter().any(PathGlob::has_lenient);
    if path.served.is_none() && !is_lenient {
        return normal;
    }
    let served = path.served.as_ref();
    let served = served.map(|path| globs.iter().any(|glob| glob.matches_served(path)));
    let lenient = is_lenient.then(|| path.lenient.as_deref().unwrap_or(&path.normal));
    let lenient = lenient.map(|path| globs.iter().any(|glob| glob.lenient().matches(path)));
    let mut passes = [Some(normal), served, lenient].into_iter().flatten();
    match forms {
        Forms::Any => passes.any(|passes| passes),
        Forms::All => passes.all(|passes| passes),
    }
}

fn each<T>(
    patterns: &[String],
    compile: impl Fn(&str) -> Result<T, String>,
) -> Result<Box<[T]>, String> {
    patterns.iter().map(|text| compile(text)).collect()
}

fn method(text: &str) -> Result<Box<str>, String> {
    if text.is_empty() || !text.bytes().all(is_token) {
        return Err(format!("`{text}` is not a method; write one such as `GET`"));
    }
    let upper = text.to_ascii_uppercase();
    if upper != text && METHODS.contains(&upper.as_str()) {
        return Err(format!(
            "`{text}` is not a method, because letter case matters; write `{upper}`"
        ));
    }
    if text.contains('*') {
        return Err(format!(
            "`{text}` is not a method, and methods have no patterns; list the methods, or leave `method` out for all"
        ));
    }
    Ok(text.into())
}
