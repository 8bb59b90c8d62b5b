//! Marks on an axis, and which of them there is room for.

use super::scale::Scale;

/// A mark, between 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: String,
    /// True if it is left out on narrow screens.
    pub(super) is_minor: bool,
}

/// Marks at the round numbers of a scale.
pub(super) fn ticks(scale: Scale, apart: Apart, label: impl Fn(f64) -> String) -> Vec<Tick> {
    // What is counted has no halves.
    let numbers = scale.round_numbers().into_iter();
    thinned(
        numbers
            .filter(|number| number.fract().abs() < 1e-9)
            .map(|number| (scale.at(number), label(number))),
        apart,
    )
}

/// How far apart marks are at least, as a part of the axis: on wide screens, and on narrow ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apart(pub(super) f64, pub(super) f64);

impl Apart {
    /// On an axis from left to right.
    pub(super) const ACROSS: Self = Self(0.115, 0.22);
    /// On an axis upwards, which is as high on all screens.
    pub(super) const UP: Self = Self(0.12, 0.12);
}

/// Marks in their order, without those for which there is no room.
pub(super) fn thinned(marks: impl Iterator<Item = (f64, String)>, apart: Apart) -> Vec<Tick> {
    let mut ticks: Vec<Tick> = Vec::new();
    let (mut last, mut last_major) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (at, label) in marks {
        if at - last < apart.0 {
            continue;
        }
        last = at;
        let is_minor = at - last_major < apart.1;
        if !is_minor {
            last_major = at;
        }
        ticks.push(Tick {
            at,
            label,
            is_minor,
        });
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_do_not_run_into_each_other() {
        let marks = (0..=20).map(|n| (f64::from(n) / 20.0, n.to_string()));
        let ticks = thinned(marks, Apart(0.09, 0.19));
        let labels: Vec<_> = ticks.iter().map(|tick| tick.label.as_str()).collect();
        assert_eq!(
            labels,
            ["0", "2", "4", "6", "8", "10", "12", "14", "16", "18", "20"]
        );
        let major = ticks.iter().filter(|tick| !tick.is_minor).count();
        assert_eq!(major, 6);
    }
}
