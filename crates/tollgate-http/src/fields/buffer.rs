//! Where a field is put together.

use arrayvec::ArrayString;

/// A text that is short as a rule, and then takes no allocation.
#[derive(Debug)]
pub(crate) enum Buffer {
    Short(ArrayString<192>),
    Long(String),
}

impl Buffer {
    pub(crate) const fn new() -> Self {
        Self::Short(ArrayString::new_const())
    }

    #[inline]
    pub(crate) fn push(&mut self, text: &str) {
        match self {
            Self::Short(short) => {
                if short.try_push_str(text).is_err() {
                    self.push_to_long(text);
                }
            }
            Self::Long(long) => long.push_str(text),
        }
    }

    /// Appends an integer in decimal digits.
    pub(crate) fn push_integer(&mut self, value: u64) {
        self.push(itoa::Buffer::new().format(value));
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Short(text) => text,
            Self::Long(text) => text,
        }
    }

    #[cold]
    fn push_to_long(&mut self, text: &str) {
        let mut long = String::with_capacity(2 * (self.as_str().len() + text.len()));
        long.push_str(self.as_str());
        long.push_str(text);
        *self = Self::Long(long);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_pushed_however_long_it_gets() {
        let mut buffer = Buffer::new();
        let mut expected = String::new();
        assert_eq!(buffer.as_str(), "");
        for number in 0..200 {
            buffer.push(", ");
            buffer.push_integer(number);
            expected.push_str(&format!(", {number}"));
            assert_eq!(buffer.as_str(), expected);
        }
    }
}
