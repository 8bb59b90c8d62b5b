//! What is told of a suggestion, in words.

use super::Suggestion;
use super::WindowPeaks;
use crate::report::CurvePoint;

/// A number with its thousands apart.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many things.
pub(super) fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", number(count))
}

/// A share with three digits that tell something: `0.12 %`.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let text = if percent >= 10.0 {
        format!("{percent:.1}")
    } else if percent >= 0.1 {
        format!("{percent:.2}")
    } else {
        format!("{percent:.4}")
    };
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{text} %")
}

/// How many requests and clients a policy is derived from.
pub(super) fn basis(policy: &Suggestion) -> String {
    let requests = counted(policy.requests, "request");
    let clients = counted(policy.clients, "client");
    let mut text = if policy.sampled < 1.0 {
        format!(
            "{requests}; looked at: {clients}, {} of all, chosen by chance.",
            percent(policy.sampled)
        )
    } else {
        format!("{requests} of {clients}.")
    };
    if policy.without_key > 0 {
        let others = counted(policy.without_key, "request");
        text.push_str(&format!(" {others} without the key are not counted."));
    }
    text
}

/// The peaks in columns.
pub(super) fn peaks(policy: &Suggestion) -> Vec<String> {
    let row = |cells: [String; 6]| {
        let [label, numbers @ ..] = cells;
        let numbers = numbers.map(|number| format!("{number:>9}")).concat();
        format!("{label:<22}{numbers}")
    };
    let heads = ["most requests", "p50", "p90", "p99", "p99.9", "highest"];
    let rows = policy.peaks.iter().map(|peaks: &WindowPeaks| {
        let window = match peaks.window {
            1 => "in any second".to_owned(),
            60 => "in any minute".to_owned(),
            3600 => "in any hour".to_owned(),
            seconds => format!("in any {seconds} seconds"),
        };
        let numbers = [peaks.p50, peaks.p90, peaks.p99, peaks.p999, peaks.highest];
        let [p50, p90, p99, p999, highest] = numbers.map(number);
        row([window, p50, p90, p99, p999, highest])
    });
    [row(heads.map(str::to_owned))]
        .into_iter()
        .chain(rows)
        .collect()
}

/// What the limits of a policy would have denied.
pub(super) fn denied(policy: &Suggestion) -> String {
    let denied = policy.denied;
    if denied.clients == 0 {
        return "Replayed: nobody would have been denied.".to_owned();
    }
    format!(
        "Replayed: would have denied {} ({}), and {} of theirs ({}).",
        counted(denied.clients, "client"),
        percent(denied.clients_share),
        counted(denied.requests, "request"),
        percent(denied.requests_share)
    )
}

/// What another number would have denied.
pub(super) fn point(point: &CurvePoint) -> String {
    if point.keys_denied == 0 {
        return format!("{} would have denied nobody.", point.limit);
    }
    format!(
        "{} would have denied {} ({}), and {} ({}).",
        point.limit,
        counted(point.keys_denied, "client"),
        percent(point.keys_denied_share),
        counted(point.denied, "request"),
        percent(point.denied_share)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(number).join(" "),
            "0 999 1,000 1,234,567"
        );
        assert_eq!(counted(1, "client"), "1 client");
        assert_eq!(counted(0, "client"), "0 clients");
        let shares = [0.0, 0.000_012, 0.001, 0.0123, 0.5, 1.0].map(percent);
        assert_eq!(
            shares.join(", "),
            "0 %, 0.0012 %, 0.1 %, 1.23 %, 50 %, 100 %"
        );
    }
}
