//! What would be denied if policies in shadow were enforced.

use super::*;

fn set(modes: [&str; 2]) -> PolicySet {
    let [one, other] = modes;
    policies(&format!(
        concat!(
            "[[policy]]\nname = \"two\"\nmode = \"{}\"\nkey = [\"client.ip\"]\nlimits = [\"2/h fixed-window\"]\n",
            "[[policy]]\nname = \"four\"\nmode = \"{}\"\nkey = [\"client.ip\"]\nlimits = [\"4/h fixed-window\"]\n"
        ),
        one, other
    ))
}

/// Clients that send one request a second each: 1, 3 and 6 of them.
fn traffic() -> Input {
    let clients = [("11.0.0.1", 1), ("11.0.0.2", 3), ("11.0.0.3", 6)];
    let lines = (0..6).flat_map(|second| {
        let those = clients.iter().filter(move |(_, count)| second < *count);
        those.map(move |(client, _)| combined(second, client, "/", 200))
    });
    text(lines)
}

fn denied(modes: [&str; 2]) -> (u64, u64, Option<u64>, Option<u64>, Vec<u64>) {
    let report = run(set(modes), vec![traffic()]);
    let totals = report.totals;
    (
        totals.denied,
        totals.denied_in_shadow,
        totals.clients_denied,
        totals.clients_denied_in_shadow,
        report.timeline.denied_in_shadow,
    )
}

#[test]
fn clients_denied_in_shadow_are_those_that_are_denied_nothing_else() {
    // Both deny of the third client; the first policy also of the second.
    let over_time = vec![0, 0, 2, 1, 1, 1];
    assert_eq!(
        denied(["shadow", "shadow"]),
        (0, 5, Some(0), Some(2), over_time)
    );
    // What is enforced denies the third client twice.
    let over_time = vec![0, 0, 2, 1, 0, 0];
    assert_eq!(
        denied(["shadow", "enforce"]),
        (2, 3, Some(1), Some(1), over_time)
    );
    assert_eq!(
        denied(["enforce", "shadow"]),
        (5, 0, Some(2), Some(0), vec![0; 6])
    );
    assert_eq!(
        denied(["enforce", "enforce"]),
        (5, 0, Some(2), Some(0), vec![0; 6])
    );
}
