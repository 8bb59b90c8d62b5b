//! The last minute that was read: nearly every line is of the same minute as the line before.

/// The text of a minute and its offset, and what they came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastMinute {
    minute: [u8; Self::MINUTE],
    offset: [u8; Self::OFFSET],
    minute_length: usize,
    offset_length: usize,
    seconds: i64,
}

impl LastMinute {
    const MINUTE: usize = 17;
    const OFFSET: usize = 6;

    /// Seconds from the epoch to the begin of this minute, if it is the one that was kept.
    pub(crate) fn get(&self, minute: &[u8], offset: &[u8]) -> Option<i64> {
        let same = self.minute.get(..self.minute_length) == Some(minute)
            && self.offset.get(..self.offset_length) == Some(offset);
        (same && self.minute_length > 0).then_some(self.seconds)
    }

    /// Keeps a minute, unless its text is longer than they are.
    pub(crate) fn keep(&mut self, minute: &[u8], offset: &[u8], seconds: i64) {
        if minute.len() > Self::MINUTE || offset.len() > Self::OFFSET {
            return;
        }
        for (kept, byte) in self.minute.iter_mut().zip(minute) {
            *kept = *byte;
        }
        for (kept, byte) in self.offset.iter_mut().zip(offset) {
            *kept = *byte;
        }
        self.minute_length = minute.len();
        self.offset_length = offset.len();
        self.seconds = seconds;
    }
}
