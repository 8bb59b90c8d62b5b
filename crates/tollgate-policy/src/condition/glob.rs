//! Patterns with stars.

use std::ops::ControlFlow;

use crate::normalize_path;
use crate::path::lenient;

/// The longest pattern, in bytes: matching takes at most this times the value's length.
const MAX_PATTERN: usize = 1024;

/// A text in which `*` stands for any characters, also none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextGlob {
    pattern: Box<str>,
    has_star: bool,
}

/// A path in which `*` stands for any characters of a segment, and a segment `**` for any number
/// of segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathGlob {
    /// The path before the first segment that has a star, without a slash at its end.
    literal: Box<str>,
    rest: Rest,
    /// See [`lenient`](Self::lenient), if it is another.
    lenient: Option<Box<Self>>,
}

/// What follows the literal beginning. Most patterns are of the first two kinds, which take no
/// more than comparing the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Rest {
    Nothing,
    Anything,
    Segments(Box<[Segment]>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Glob(TextGlob),
    AnyNumber,
}

impl TextGlob {
    pub(crate) fn compile(text: &str) -> Result<Self, String> {
        check_length(text)?;
        if text.is_empty() {
            return Err(
                "a value is empty, which no attribute is; write a value, or `*` for any".into(),
            );
        }
        Ok(Self::new(text))
    }

    fn new(pattern: &str) -> Self {
        Self {
            has_star: pattern.contains('*'),
            pattern: pattern.into(),
        }
    }

    /// The one value that matches, if it is one.
    pub(crate) fn literal(&self) -> Option<&str> {
        (!self.has_star).then_some(&*self.pattern)
    }

    pub(crate) fn matches(&self, value: &str) -> bool {
        if !self.has_star {
            return *self.pattern == *value;
        }
        glob(
            self.pattern.as_bytes().iter(),
            value.bytes(),
            |star| **star == b'*',
            |wanted, byte| **wanted == byte,
        )
    }
}

impl PathGlob {
    pub(crate) fn compile(text: &str) -> Result<Self, String> {
        check_length(text)?;
        if text != "*" && !text.starts_with('/') && text != "**" {
            return Err(format!(
                "the path `{text}` does not begin with `/`; write `/{text}`"
            ));
        }
        if let Some(mark) = text.chars().find(|mark| matches!(mark, '?' | '#')) {
            return Err(format!(
                "the path `{text}` has a `{mark}`, which is no part of a path; leave `{mark}` out, or write `*` for any characters"
            ));
        }
        let normal = normalize_path(text);
        let mixed = segments(&normal).find(|segment| segment.contains("**") && *segment != "**");
        if let Some(mixed) = mixed {
            return Err(format!(
                "`{mixed}` in the path `{text}` mixes `**` with other characters; write `*` within a segment, and `/**` for any segments"
            ));
        }
        let other = lenient(text);
        Ok(Self {
            lenient: (other != normal).then(|| Box::new(Self::of(&other))),
            ..Self::of(&normal)
        })
    }

    /// Of a pattern in the form in which paths are compared with it.
    fn of(pattern: &str) -> Self {
        let mut literal = String::new();
        let mut rest = Vec::new();
        for segment in segments(pattern) {
            if segment == "**" {
                rest.push(Segment::AnyNumber);
            } else if !rest.is_empty() || segment.contains('*') {
                rest.push(Segment::Glob(TextGlob::new(segment)));
            } else {
                literal.push('/');
                literal.push_str(segment);
            }
        }
        Self {
            literal: literal.into(),
            rest: match rest.as_slice() {
                [] => Rest::Nothing,
                [Segment::AnyNumber] => Rest::Anything,
                _ => Rest::Segments(rest.into()),
            },
            lenient: None,
        }
    }

    /// Whether it matches a path or a route in normal form.
    pub(crate) fn matches(&self, path: &str) -> bool {
        // The root has no segments, like the empty path.
        self.matches_served(path.strip_suffix('/').unwrap_or(path))
    }

    /// Whether it matches a path that has its dot segments and empty segments.
    pub(crate) fn matches_served(&self, path: &str) -> bool {
        if self.literal.is_empty() && matches!(self.rest, Rest::Anything) {
            // Comparing nothing, at the address of nothing, is so slow on some processors that it took
            // a third of a decision.
            return true;
        }
        let Some(below) = path.strip_prefix(&*self.literal) else {
            return false;
        };
        let is_whole = below.is_empty() || below.starts_with('/') || self.literal.is_empty();
        is_whole
            && match &self.rest {
                Rest::Nothing => below.is_empty(),
                Rest::Anything => true,
                Rest::Segments(wanted) => glob(
                    wanted.iter(),
                    segments_below(below),
                    |segment| matches!(segment, Segment::AnyNumber),
                    |segment, text| match segment {
                        Segment::Glob(glob) => glob.matches(text),
                        Segment::AnyNumber => false,
                    },
                ),
            }
    }

    /// True if lenient routers take the pattern for another one.
    pub(crate) const fn has_lenient(&self) -> bool {
        self.lenient.is_some()
    }

    /// The pattern that paths are compared with as lenient routers take them.
    pub(crate) fn lenient(&self) -> &Self {
        self.lenient.as_deref().unwrap_or(self)
    }

    /// The segments before the first that has a star.
    pub(crate) fn literal_prefix(&self) -> impl Iterator<Item = &str> {
        segments_below(&self.literal)
    }
}

/// The segments of a path in normal form.
fn segments(path: &str) -> impl Iterator<Item = &str> + Clone {
    let is_root = path.is_empty() || path == "/";
    segments_below(if is_root { "" } else { path })
}

/// The segments of a path of which only the empty one is the root. Those of a path as it is served
/// may be empty.
fn segments_below(path: &str) -> impl Iterator<Item = &str> + Clone {
    let inner = path.strip_prefix('/').unwrap_or(path);
    inner.split('/').skip(usize::from(path.is_empty()))
}

fn check_length(text: &str) -> Result<(), String> {
    if text.len() > MAX_PATTERN {
        return Err(format!(
            "a value is {} bytes long; the bound is {MAX_PATTERN}",
            text.len()
        ));
    }
    Ok(())
}

/// Matches items against a pattern with stars. Only the last star that was passed is ever tried
/// again: what an earlier one could take more of, the last one can too. So the time is at most the
/// product of the lengths, and there is no recursion.
fn glob<P: Clone, V: Copy>(
    mut pattern: impl Iterator<Item = P> + Clone,
    mut values: impl Iterator<Item = V> + Clone,
    is_star: impl Fn(&P) -> bool,
    is_match: impl Fn(&P, V) -> bool,
) -> bool {
    let mut retry = None;
    loop {
        let mut rest = pattern.clone();
        let step = match (rest.next(), values.clone().next()) {
            (Some(star), _) if is_star(&star) => {
                pattern = rest;
                retry = Some((pattern.clone(), values.clone()));
                continue;
            }
            (None, None) => return true,
            (Some(wanted), Some(value)) if is_match(&wanted, value) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        if step.is_continue() {
            pattern = rest;
            values.next();
            continue;
        }
        // Let the last star take one value more.
        let Some((after_star, taken)) = &mut retry else {
            return false;
        };
        if taken.next().is_none() {
            return false;
        }
        pattern = after_star.clone();
        values = taken.clone();
    }
}

#[cfg(test)]
mod tests;
