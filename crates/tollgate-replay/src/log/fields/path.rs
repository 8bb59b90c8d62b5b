//! Paths to values.

use super::error::{FieldError, Problem};
use crate::log::json::scan::Value;

/// The most steps of a path: lines are not nested deeper.
const LONGEST: usize = 32;

/// A path to a value: `.headers["X-Plan"][0]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Member(String),
    Item(usize),
}

impl Path {
    /// A path, and the unit that follows it after a `:`.
    pub(super) fn read(text: &str) -> Result<(Self, Option<&str>), FieldError> {
        let error = |expected| Problem::Path {
            path: text.to_owned(),
            expected,
        };
        let mut steps = Vec::new();
        let mut rest = text;
        let mut unit = None;
        while let Some(first) = rest.chars().next() {
            match first {
                // `.["a"]` is `["a"]`.
                '.' if rest.starts_with(".[") => rest = rest.get(1..).unwrap_or_default(),
                '.' => {
                    let name = rest.get(1..).unwrap_or_default();
                    let end = name.find(['.', '[', ':', ']']).unwrap_or(name.len());
                    let (name, after) = name.split_at(end);
                    if name.is_empty() {
                        return Err(error("a name is missing after a dot").into());
                    }
                    steps.push(Step::Member(name.to_owned()));
                    rest = after;
                }
                '[' => {
                    let inside = rest.get(1..).unwrap_or_default();
                    let (step, after) = bracket(inside)
                        .ok_or_else(|| error("in brackets stands a name in quotes, or a number"))?;
                    steps.push(step);
                    rest = after;
                }
                ':' if !steps.is_empty() => {
                    unit = rest.get(1..);
                    break;
                }
                _ if steps.is_empty() => return Err(error("it begins with a dot").into()),
                _ => return Err(error("a dot, a bracket or the end is missing").into()),
            }
        }
        if steps.is_empty() {
            return Err(error("it is empty").into());
        }
        if steps.len() > LONGEST {
            return Err(error("it is longer than lines are deep").into());
        }
        Ok((Self(steps), unit))
    }

    /// The value that it leads to.
    pub(super) fn follow<'n, 'l>(&self, line: Value<'n, 'l>) -> Option<Value<'n, 'l>> {
        self.0.iter().try_fold(line, |value, step| match step {
            Step::Member(name) => value.get(name),
            Step::Item(at) => value.item(*at),
        })
    }
}

/// The step of `"a"]` or `0]`, and what follows it.
fn bracket(inside: &str) -> Option<(Step, &str)> {
    let Some(quote @ ('"' | '\'')) = inside.chars().next() else {
        let (digits, after) = inside.split_once(']')?;
        return Some((Step::Item(digits.parse().ok()?), after));
    };
    let (name, after) = inside.get(1..)?.split_once(quote)?;
    Some((Step::Member(name.to_owned()), after.strip_prefix(']')?))
}
