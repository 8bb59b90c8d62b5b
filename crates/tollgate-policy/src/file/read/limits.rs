//! `limits`, `block` and `unlimited`, of policies and tiers.

mod meant;

use std::ops::Range;

use tollgate::{Limit, ParseLimitError};

use crate::Allowance;
use crate::file::check::Fields;
use crate::file::report::{Report, about, in_two};
use crate::file::text::Text;
use meant::Meant;

/// The most limits that a policy or a tier may have.
const MAX_LIMITS: usize = 16;

/// What a request gets, with the places of its limits.
#[derive(Clone, Debug)]
pub(in crate::file) enum Allowed {
    Limits(Vec<LimitPlace>),
    Block,
    Unlimited,
    /// What is wrong has been reported.
    Unknown,
}

/// A limit and where it stands.
#[derive(Clone, Debug)]
pub(in crate::file) struct LimitPlace {
    pub(in crate::file) limit: Limit,
    pub(in crate::file) span: Range<usize>,
}

impl Allowed {
    /// Reads what a policy or a tier gives; `owner` is named in messages.
    pub(super) fn read(fields: &Fields<'_>, owner: &str, report: &mut Report) -> Self {
        let words: Vec<&str> = ["block", "unlimited"]
            .into_iter()
            .filter(|word| fields.is_true(word))
            .collect();
        let all = fields.has("limits").then_some("limits");
        let mut all = all.into_iter().chain(words.iter().copied());
        if let (Some(first), Some(second)) = (all.next(), all.next()) {
            report
                .error(
                    fields.span_of_name(second),
                    format!("{owner} has both `{first}` and `{second}`"),
                )
                .related(fields.span_of_name(first), "the other one")
                .help("keep one of them");
            return Self::Unknown;
        }
        match words.first() {
            Some(&"block") => return Self::Block,
            Some(_) => return Self::Unlimited,
            None => {}
        }
        let is_wrong = |word: &&str| fields.has(word) && fields.node(word).is_none();
        if ["block", "unlimited"].iter().any(is_wrong) {
            return Self::Unknown;
        }
        if !fields.has("limits") {
            report
                .missing(fields.span(), format!("{owner} has no limits"))
                .help("add some, such as `limits = [\"10/min\"]`, or write `block = true` or `unlimited = true`");
            return Self::Unknown;
        }
        let items = fields.items("limits");
        if fields.node("limits").is_some() && (items.is_empty() || items.len() > MAX_LIMITS) {
            report
                .error(
                    fields.span_of("limits"),
                    format!("{owner} has {} limits", items.len()),
                )
                .help(format!("write 1 to {MAX_LIMITS}, or `block = true` or `unlimited = true` instead of `limits`"));
            return Self::Unknown;
        }
        let before = report.errors();
        let mut limits: Vec<LimitPlace> = Vec::with_capacity(items.len());
        for text in fields.texts("limits") {
            if let Some(limit) = limit(text, report) {
                push(&mut limits, limit, text.span(), report);
            }
        }
        if report.errors() > before || fields.node("limits").is_none() {
            return Self::Unknown;
        }
        Self::Limits(limits)
    }

    /// The limits with their places.
    pub(in crate::file) fn limits(&self) -> &[LimitPlace] {
        match self {
            Self::Limits(limits) => limits,
            _ => &[],
        }
    }

    /// The same, for a builder.
    pub(super) fn to_allowance(&self) -> Option<Allowance> {
        Some(match self {
            Self::Limits(limits) => {
                let limits = limits.iter().map(|place| place.limit.clone());
                limits.collect::<Vec<_>>().into()
            }
            Self::Block => Allowance::Block,
            Self::Unlimited => Allowance::Unlimited,
            Self::Unknown => return None,
        })
    }
}

fn limit(text: &Text, report: &mut Report) -> Option<Limit> {
    let error: ParseLimitError = match text.value().parse() {
        Ok(limit) => return Some(limit),
        Err(error) => error,
    };
    let span = text.span_of(error.span());
    let words = error.problem().to_string();
    let wrong = error.text().get(error.span()).unwrap_or("");
    let block = ["block", "unlimited"]
        .into_iter()
        .find(|word| wrong.eq_ignore_ascii_case(word));
    if let Some(word) = block {
        report
            .error(span, format!("`{word}` is not a limit"))
            .help(format!("write `{word} = true` instead of `limits`"));
        return None;
    }
    if words.starts_with("units is 0;") {
        report
            .error(span, "a limit of 0 units is none")
            .help("to deny every request write `block = true` instead of `limits`, to limit none `unlimited = true`");
        return None;
    }
    let (message, help) = in_two(&words);
    let diagnostic = report.error(span, about(message, text.value()));
    if let Some(meant) = Meant::by(text.value()) {
        diagnostic.help(meant.help());
    } else if let Some(help) = help {
        diagnostic.help(about(&meant_first(help), text.value()));
    } else if message.contains("`burst`") {
        diagnostic.help("write one, such as `20/s burst 60`");
    } else if message.contains("`anchor`") {
        diagnostic.help("write one, such as `10/min fixed-window anchor first-request`");
    }
    None
}

/// What was probably meant goes before all that could be.
fn meant_first(help: &str) -> String {
    let meant = help
        .strip_suffix(')')
        .and_then(|help| help.rsplit_once(" (did you mean "));
    match meant {
        Some((all, meant)) => {
            let mut letters = all.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            let all: String = first.into_iter().chain(letters).collect();
            format!("did you mean {meant} {all}")
        }
        None => help.to_owned(),
    }
}

fn push(limits: &mut Vec<LimitPlace>, limit: Limit, span: Range<usize>, report: &mut Report) {
    let same = limits.iter().find(|place| place.limit.id() == limit.id());
    if let Some(same) = same {
        report
            .error(
                span,
                format!("`{limit}` and `{}` would share a count, because algorithm and period are the same", same.limit),
            )
            .related(same.span.clone(), "the other one")
            .help("keep one, or change a period or an algorithm");
        return;
    }
    limits.push(LimitPlace { limit, span });
}
