//! Numbers over time, as a line of blocks.

use crate::render::numbers::ratio;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A block for each number, as high as its share of `highest`. Only nothing has none.
pub(super) fn spark(numbers: &[u64], highest: u64) -> String {
    numbers
        .iter()
        .map(|number| block(*number, highest))
        .collect()
}

fn block(number: u64, highest: u64) -> char {
    if number == 0 {
        return ' ';
    }
    let height = ratio(number, highest) * 8.0;
    let mut heights = (1_u8..).zip(BLOCKS);
    let found = heights.find(|(top, _)| height <= f64::from(*top));
    found.map_or('█', |(_, block)| block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_request_is_seen_beside_millions() {
        assert_eq!(spark(&[0, 1, 500_000, 1_000_000], 1_000_000), " ▁▄█");
        assert_eq!(spark(&[u64::MAX], u64::MAX), "█");
    }
}
