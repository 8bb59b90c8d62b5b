//! What is suggested, for people at a terminal.

use std::fmt::Write as _;

use super::{LimitCurve, Suggestion, Suggestions, words};
use crate::words::{counted, number, percent};

/// The width of a bar that stands for all clients.
const BAR: usize = 30;

impl Suggestions {
    /// Tables of what is suggested and what other numbers would have done, with a bar for the share
    /// of clients that each denies.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}, from {} to {}\nEach policy may deny {} of its clients, counted by {}.\n",
            counted(self.requests, "request"),
            self.from,
            self.to,
            self.deny_at_most,
            self.key.join(" and ")
        );
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {}", warning.message);
        }
        for policy in &self.policies {
            push_policy(&mut text, policy);
        }
        text
    }
}

fn push_policy(text: &mut String, policy: &Suggestion) {
    let limits = if policy.limits.is_empty() {
        "nothing".to_owned()
    } else {
        policy.limits.join(" and ")
    };
    let _ = writeln!(text, "\n{}: {limits}", policy.group.name);
    let _ = writeln!(text, "  {}", policy.group.in_words());
    let _ = writeln!(text, "  {}", words::basis(policy));
    if policy.limits.is_empty() {
        return;
    }
    if let Some(unseen) = words::unseen(policy) {
        let _ = writeln!(text, "  {unseen}");
    }
    let _ = writeln!(text, "  {}\n", words::denied(policy));
    for line in words::peaks(policy) {
        let _ = writeln!(text, "  {line}");
    }
    for curve in &policy.curves {
        push_curve(text, curve);
    }
}

fn push_curve(text: &mut String, curve: &LimitCurve) {
    let widest = curve.points.iter().map(|point| point.limit.len()).max();
    let width = widest.unwrap_or(0).max("by itself".len());
    let _ = writeln!(
        text,
        "\n  {:width$}  {:>21}  {:>23}",
        "by itself", "clients denied", "requests denied"
    );
    for point in &curve.points {
        let is_suggested = curve.suggested.as_ref() == Some(&point.limit);
        let mark = if is_suggested { '>' } else { ' ' };
        let numbers = |count: u64, share: f64, width: usize| {
            format!("{:>width$} {:>10}", number(count), percent(share))
        };
        let line = format!(
            "{mark} {:width$}  {}  {}  {}",
            point.limit,
            numbers(point.keys_denied, point.keys_denied_share, 10),
            numbers(point.denied, point.denied_share, 12),
            bar(point.keys_denied_share)
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// A bar whose length is the logarithm of a share: what is small must be told apart. A tenth of it
/// is a tenth of a power of ten, from one in ten thousand to all.
fn bar(share: f64) -> String {
    const SMALLEST: f64 = 1e-4;
    if share <= 0.0 {
        return String::new();
    }
    let part = 1.0 - share.max(SMALLEST).log10() / SMALLEST.log10();
    // There are few, so that this is exact enough.
    let marks = (0..BAR).filter(|mark| {
        let mark = u32::try_from(*mark).unwrap_or_default();
        f64::from(mark) < part * 30.0
    });
    "#".repeat(marks.count().max(1))
}
