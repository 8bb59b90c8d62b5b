//! Numbers that people write.

/// The first digits of such numbers, in tenths: `1`, `1.2`, `1.5` and so on.
const DIGITS: [u64; 11] = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100];
/// Small numbers, of which nearly all are written.
const SMALL: [u64; 9] = [1, 2, 3, 4, 5, 6, 8, 10, 12];
/// No limit is suggested above this.
pub(super) const HIGHEST: u64 = 1_000_000;

/// All of them, the smallest first: 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40 and so on.
pub(super) fn all() -> impl Iterator<Item = u64> + Clone {
    let powers = (0..).map(|power| 10_u64.saturating_pow(power));
    let larger = powers.flat_map(|power| DIGITS.map(|digit| digit.saturating_mul(power)));
    let last = SMALL[SMALL.len() - 1];
    let larger = larger.scan(last, |last, number| {
        let is_new = number > *last;
        *last = number.max(*last);
        Some(is_new.then_some(number))
    });
    SMALL
        .into_iter()
        .chain(larger.flatten())
        .take_while(|number| *number <= HIGHEST)
}

/// The smallest of them that is not below `number`; the highest, if there is none.
pub(super) fn round_up(number: u64) -> u64 {
    all().find(|written| *written >= number).unwrap_or(HIGHEST)
}

/// Those between two numbers, with what both are rounded up to.
pub(super) fn between(low: u64, high: u64) -> Vec<u64> {
    let (low, high) = (round_up(low), round_up(high));
    all()
        .filter(|number| (low..=high).contains(number))
        .collect()
}

/// The number that lies so many steps above, or below if it is negative; `None` if there is none.
pub(super) fn step(from: u64, steps: i32) -> Option<u64> {
    let position = all().position(|number| number >= from)?;
    let position = i32::try_from(position).ok()?.checked_add(steps)?;
    all().nth(usize::try_from(position).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_those_that_people_write() {
        let first: Vec<u64> = all().take(24).collect();
        assert_eq!(
            first,
            [
                1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200,
                250, 300, 400
            ]
        );
        assert!(
            all()
                .zip(all().skip(1))
                .all(|(lower, higher)| lower < higher)
        );
        assert_eq!(all().last(), Some(HIGHEST));
    }

    #[test]
    fn rounds_up_and_steps() {
        assert_eq!(
            [0, 1, 7, 61, 2_000_000].map(round_up),
            [1, 1, 8, 80, HIGHEST]
        );
        assert_eq!(between(21, 45), [25, 30, 40, 50]);
        assert_eq!(step(20, 1), Some(25));
        assert_eq!(step(20, -1), Some(15));
        assert_eq!(step(1, -1), None);
        assert_eq!(step(HIGHEST, 1), None);
    }
}
