//! The keys: short strings, the same for every limiter.

/// The key of client number `number`.
#[must_use]
pub fn name(number: usize) -> String {
    format!("user:{number:06}")
}

/// `count` keys, no two alike, in order.
#[must_use]
pub fn distinct(count: usize) -> Vec<String> {
    (0..count).map(name).collect()
}

/// Requests in the order in which they will be made: `length` uniform draws from `count` keys, the
/// same for the same `seed`.
///
/// Each request owns its key, next to the one before in memory, as a parsed request would: what
/// misses the cache is the limiter's memory, not the benchmark's.
#[must_use]
pub fn random(count: usize, length: usize, seed: u64) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..length).map(|_| name(random.usize(..count))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_order() {
        assert_eq!(random(100, 50, 7), random(100, 50, 7));
        assert_ne!(random(100, 50, 7), random(100, 50, 8));
    }
}
