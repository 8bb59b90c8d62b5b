//! What is suggested as a policy file.

use std::fmt::Write as _;

use super::group::{Group, Methods, READS};
use super::{Suggestion, Suggestions, words};
use crate::report::CurvePoint;
use crate::words::counted;

/// The width of comments.
const WIDTH: usize = 98;

impl Suggestions {
    /// A policy file, with comments that say what it is derived from.
    #[must_use]
    pub fn toml(&self) -> String {
        let mut text = String::new();
        comment(&mut text, "", &head(self));
        for warning in &self.warnings {
            text.push_str("#\n");
            comment(&mut text, "Warning: ", &warning.message);
        }
        text.push_str(&client(&self.trusted_proxies));
        for policy in &self.policies {
            text.push('\n');
            about(&mut text, policy);
            if policy.limits.is_empty() {
                continue;
            }
            text.push_str(&table(
                &policy.group,
                &self.key,
                &policy.limits,
                policy.without_key > 0,
            ));
        }
        text
    }
}

fn head(all: &Suggestions) -> String {
    let mode = "All are in shadow: they count and report, and deny nothing. To enforce one, remove its line `mode`.";
    format!(
        "Limits derived from {} from {} to {}. Each would have denied at most {} of the clients that it counts. {mode}",
        counted(all.requests, "request"),
        all.from,
        all.to,
        all.deny_at_most
    )
}

/// The table of the client's address, which is none without trusted proxies.
pub(super) fn client(proxies: &[String]) -> String {
    if proxies.is_empty() {
        return String::new();
    }
    format!("\n[client]\ntrusted_proxies = {}\n", array(proxies))
}

/// A policy without comments, but for how to enforce it.
pub(super) fn table(
    group: &Group,
    key: &[String],
    limits: &[String],
    may_lack_key: bool,
) -> String {
    let mut tests = Vec::new();
    if let Some(path) = &group.path {
        tests.push(format!("path = {}", quoted(path)));
    }
    if group.methods == Methods::Reads {
        tests.push(format!("method = {}", array(&READS)));
    }
    let mut exceptions = Vec::new();
    if !group.except.is_empty() {
        exceptions.push(format!("{{ path = {} }}", array(&group.except)));
    }
    if group.methods == Methods::Writes {
        exceptions.push(format!("{{ method = {} }}", array(&READS)));
    }
    let mut text = format!("[[policy]]\nname = {}\n", quoted(&group.name));
    if !tests.is_empty() {
        let _ = writeln!(text, "match = {{ {} }}", tests.join(", "));
    }
    match exceptions.as_slice() {
        [] => {}
        [one] => {
            let _ = writeln!(text, "except = {one}");
        }
        several => {
            let _ = writeln!(text, "except = [{}]", several.join(", "));
        }
    }
    let _ = writeln!(text, "key = {}", array(key));
    let _ = writeln!(text, "limits = {}", array(limits));
    if may_lack_key {
        text.push_str(
            "missing_key = \"skip\" # without a key requests are let through uncounted\n",
        );
    }
    text.push_str("mode = \"shadow\" # remove this line to enforce\n");
    text
}

/// What a policy is derived from.
fn about(text: &mut String, policy: &Suggestion) {
    let name = format!("{}: ", policy.group.name);
    comment(
        text,
        &name,
        &format!("{}. {}", policy.group.in_words(), words::basis(policy)),
    );
    if policy.limits.is_empty() {
        comment(
            text,
            "  ",
            "Nothing is suggested: there are no requests to derive it from.",
        );
        return;
    }
    if let Some(unseen) = words::unseen(policy) {
        comment(text, "  ", unseen);
    }
    for line in words::peaks(policy) {
        let _ = writeln!(text, "#   {line}");
    }
    comment(text, "  ", &words::denied(policy));
    for (point, is_tighter) in neighbours(policy) {
        let than = if is_tighter { "Tighter" } else { "Looser" };
        comment(
            text,
            "  ",
            &format!("{than}: {}", words::point(point, policy.limits.len() > 1)),
        );
    }
}

/// The numbers below and above those that are suggested.
fn neighbours(policy: &Suggestion) -> impl Iterator<Item = (&CurvePoint, bool)> {
    policy.curves.iter().flat_map(|curve| {
        let suggested = curve.suggested.as_ref().and_then(|suggested| {
            let mut points = curve.points.iter();
            points.position(|point| point.limit == *suggested)
        });
        let point = |position: Option<usize>| curve.points.get(position?);
        let tighter = point(suggested.and_then(|at| at.checked_sub(1)));
        let looser = point(suggested.and_then(|at| at.checked_add(1)));
        let tighter = tighter.map(|point| (point, true));
        tighter
            .into_iter()
            .chain(looser.map(|point| (point, false)))
    })
}

/// A comment, wrapped.
fn comment(text: &mut String, first: &str, words: &str) {
    let mut line = format!("# {first}");
    let mut is_empty = true;
    for word in words.split(' ') {
        if !is_empty && line.len() + 1 + word.len() > WIDTH {
            let _ = writeln!(text, "{}", line.trim_end());
            "#   ".clone_into(&mut line);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    let _ = writeln!(text, "{}", line.trim_end());
}

fn array<T: AsRef<str>>(texts: &[T]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text.as_ref())).collect();
    format!("[{}]", texts.join(", "))
}

/// A string of TOML in which nothing is a variable.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '$' => quoted.push_str("$$"),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
