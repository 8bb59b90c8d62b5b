//! What changes, for people to read.

use std::fmt::Write as _;

use super::report::{Change, ClientChange, DiffReport, PolicyDiff, Side};
use crate::instant::share;
use crate::render::shown::shown;
use crate::words::{counted, number, percent};

impl DiffReport {
    /// What changes, in words and columns.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("from {} to {}\n", shown(&self.old), shown(&self.new));
        let requests = counted(self.requests.all(), "request");
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => {
                let _ = writeln!(text, "{requests}, from {from} to {to}");
            }
            _ => text.push_str("no requests\n"),
        }
        if !self.complete {
            text.push_str("interrupted: this is of what had been read\n");
        }
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {}", warning.message);
        }
        self.push_totals(&mut text);
        for policy in &self.policies {
            push_policy(&mut text, policy);
        }
        push_clients(&mut text, &self.most_changed);
        text
    }

    fn push_totals(&self, text: &mut String) {
        let (requests, clients) = (self.requests, self.clients);
        let rows = [
            ("newly denied", requests.newly_denied, clients.newly_denied),
            (
                "newly allowed",
                requests.newly_allowed,
                clients.newly_allowed,
            ),
            ("denied by both", requests.denied, clients.denied),
            ("allowed by both", requests.allowed, clients.allowed),
        ];
        let about = if clients.sampled < 1.0 {
            " (about)"
        } else {
            ""
        };
        let _ = writeln!(text, "\n{:28}requests{:>22}{about}", "", "clients");
        for (label, of_requests, of_clients) in rows {
            let _ = writeln!(
                text,
                "{label:16}{:>20}{:>10}{:>12}{:>10}",
                number(of_requests),
                percent(share(of_requests, requests.all())),
                number(of_clients),
                percent(share(of_clients, clients.all())),
            );
        }
        if self.policies.iter().any(PolicyDiff::is_in_shadow) {
            let (requests, clients) = (self.as_enforced.requests, self.as_enforced.clients);
            let _ = writeln!(
                text,
                "if what is in shadow were enforced, newly denied: {} ({}) of {} ({}){about}",
                counted(requests.newly_denied, "request"),
                percent(share(requests.newly_denied, requests.all())),
                counted(clients.newly_denied, "client"),
                percent(share(clients.newly_denied, clients.all())),
            );
        }
    }
}

fn push_policy(text: &mut String, policy: &PolicyDiff) {
    let change = match policy.change {
        Change::Same => "the same",
        Change::Changed => "changed",
        Change::Renamed => "renamed",
        Change::Added => "added",
        Change::Removed => "removed",
    };
    let before = policy.old_name.as_ref();
    let before = before.map_or_else(String::new, |name| format!(", {name} before"));
    let _ = writeln!(text, "\n{}: {change}{before}", policy.name);
    let [old, new] = [&policy.old, &policy.new].map(|side| side.as_ref().map(limits));
    match (old, new) {
        (Some(old), Some(new)) if old != new => {
            let _ = writeln!(text, "  {old} -> {new}");
        }
        (old, new) => {
            let _ = writeln!(text, "  {}", new.or(old).unwrap_or_default());
        }
    }
    let _ = writeln!(text, "  {}", denied(policy));
    if policy.newly_denied == 0 && policy.newly_allowed == 0 {
        return;
    }
    let rows = [
        (
            "newly denied",
            policy.newly_denied,
            policy.keys_newly_denied,
            "never denied before",
        ),
        (
            "newly allowed",
            policy.newly_allowed,
            policy.keys_newly_allowed,
            "denied no more",
        ),
    ];
    for (label, requests, keys, what) in rows.into_iter().filter(|row| row.1 > 0) {
        let _ = writeln!(
            text,
            "  {label}: {}; {} {what}",
            counted(requests, "request"),
            counted(keys, "key")
        );
    }
}

/// What a policy denies, and what it denied before: in shadow it would.
fn denied(policy: &PolicyDiff) -> String {
    let verb = |side: &Side| match side.mode {
        "shadow" => "would deny",
        _ => "denies",
    };
    let is_changed = policy.newly_denied > 0 || policy.newly_allowed > 0;
    let told = |side: &Side| format!("{} {}", verb(side), counted(side.denied, "request"));
    match (&policy.old, &policy.new) {
        (Some(old), Some(new)) if verb(old) != verb(new) => {
            let same = if is_changed { "" } else { ": the same ones" };
            let before = match verb(old) {
                "denies" => format!("denied {} before", number(old.denied)),
                _ => format!("would have denied {} before, in shadow", number(old.denied)),
            };
            format!("{}, {before}{same}", told(new))
        }
        (_, Some(new)) | (Some(new), None) if !is_changed => format!("{}, as before", told(new)),
        (old, Some(new)) => {
            let before = old.as_ref().map_or(0, |old| old.denied);
            format!("{}, {} before", told(new), number(before))
        }
        (old, None) => {
            let before = old.as_ref().map_or(0, |old| old.denied);
            format!("denies 0 requests, {} before", number(before))
        }
    }
}

fn limits(side: &Side) -> String {
    let limits = side.limits.join(" and ");
    match side.mode {
        "enforce" => limits,
        mode => format!("{limits} ({mode})"),
    }
}

fn push_clients(text: &mut String, clients: &[ClientChange]) {
    if clients.is_empty() {
        return;
    }
    let longest = clients.iter().map(|client| client.client.chars().count());
    let width = longest.max().unwrap_or(0).clamp(20, 60);
    let _ = writeln!(
        text,
        "\n{:width$}{:>12}{:>15}{:>15}{:>12}",
        "most changed", "requests", "newly denied", "newly allowed", "denied"
    );
    for client in clients {
        let _ = writeln!(
            text,
            "{:width$}{:>12}{:>15}{:>15}{:>12}",
            client.client,
            number(client.requests),
            number(client.newly_denied),
            number(client.newly_allowed),
            number(client.denied_now)
        );
    }
}
