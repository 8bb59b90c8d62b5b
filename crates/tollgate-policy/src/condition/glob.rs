//! Patterns with stars.

use std::ops::ControlFlow;

use crate::normalize_path;

/// The longest pattern, in bytes: matching takes at most this times the value's length.
const MAX_PATTERN: usize = 1024;

/// A text in which `*` stands for any characters, also none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextGlob(Box<str>);

/// A path in which `*` stands for any characters of a segment, and a segment `**` for any number
/// of segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathGlob(Box<[Segment]>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Literal(Box<str>),
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
        Ok(Self(text.into()))
    }

    pub(crate) fn matches(&self, value: &str) -> bool {
        let pattern = self.0.as_bytes();
        glob(
            pattern.iter(),
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
        let segments = segments(&normal).map(|segment| {
            if segment == "**" {
                Ok(Segment::AnyNumber)
            } else if segment.contains("**") {
                Err(format!(
                    "`{segment}` in the path `{text}` mixes `**` with other characters; write `*` within a segment, and `/**` for any segments"
                ))
            } else if segment.contains('*') {
                Ok(Segment::Glob(TextGlob(segment.into())))
            } else {
                Ok(Segment::Literal(segment.into()))
            }
        });
        Ok(Self(segments.collect::<Result<_, _>>()?))
    }

    pub(crate) fn matches(&self, path: &str) -> bool {
        glob(
            self.0.iter(),
            segments(path),
            |segment| matches!(segment, Segment::AnyNumber),
            |segment, text| match segment {
                Segment::Literal(literal) => **literal == *text,
                Segment::Glob(glob) => glob.matches(text),
                Segment::AnyNumber => false,
            },
        )
    }

    /// The segments before the first that has a star.
    pub(crate) fn literal_prefix(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map_while(|segment| match segment {
            Segment::Literal(literal) => Some(&**literal),
            _ => None,
        })
    }
}

/// The segments of a path in normal form; the root has none.
pub(crate) fn segments(path: &str) -> impl Iterator<Item = &str> + Clone {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split('/').filter(|segment| !segment.is_empty())
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
