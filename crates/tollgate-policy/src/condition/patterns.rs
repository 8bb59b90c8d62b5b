//! Conditions as they are written.

use std::fmt;

/// What the value of an attribute may be: any of a list of texts.
///
/// How a text is read depends on the attribute:
///
/// * `client.ip`: an address or a CIDR.
/// * `method`: the method itself.
/// * `path` and `route`: a path, where `*` stands for any characters within a segment and `**` for
///   any number of segments, also none: `/auth/**` is `/auth` and everything below. Patterns,
///   paths and routes are compared in [normal form](crate::normalize_path); a path with dot
///   segments or empty segments also as a router takes it that keeps them, and one with encoded
///   slashes, backslashes, parameters or capital letters also as lenient routers take it.
/// * `host`: a host name in any letter case, where `*` stands for any characters.
/// * everything else: the value itself, where `*` stands for any characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patterns(Vec<String>);

/// Tests of attributes that a request must all pass; none passes for every request.
///
/// A test of an attribute that the request lacks fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "a condition does nothing until a policy is built with it"]
pub struct When(Vec<(String, Patterns)>);

impl When {
    /// The condition that every request meets.
    pub const fn always() -> Self {
        Self(Vec::new())
    }

    /// The condition that an attribute has one of some values.
    pub fn is(attribute: &str, patterns: impl Into<Patterns>) -> Self {
        Self::always().and(attribute, patterns)
    }

    /// Adds that another attribute has one of some values.
    pub fn and(mut self, attribute: &str, patterns: impl Into<Patterns>) -> Self {
        self.0.push((attribute.to_owned(), patterns.into()));
        self
    }

    /// The tests in order: the name of an attribute, and the values that it may have.
    pub fn tests(&self) -> impl ExactSizeIterator<Item = (&str, &[String])> {
        self.0
            .iter()
            .map(|(name, patterns)| (name.as_str(), patterns.0.as_slice()))
    }
}

/// In plain words: `method is GET or HEAD, and path is /places/**`.
impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("always");
        }
        for (number, (attribute, patterns)) in self.0.iter().enumerate() {
            if number > 0 {
                f.write_str(", and ")?;
            }
            write!(f, "{attribute} is {}", patterns.0.join(" or "))?;
        }
        Ok(())
    }
}

impl From<&str> for Patterns {
    fn from(pattern: &str) -> Self {
        Self(vec![pattern.to_owned()])
    }
}

impl From<String> for Patterns {
    fn from(pattern: String) -> Self {
        Self(vec![pattern])
    }
}

impl<T: Into<String>, const N: usize> From<[T; N]> for Patterns {
    fn from(patterns: [T; N]) -> Self {
        Self(patterns.map(Into::into).into())
    }
}

impl<T: Into<String>> From<Vec<T>> for Patterns {
    fn from(patterns: Vec<T>) -> Self {
        Self(patterns.into_iter().map(Into::into).collect())
    }
}
