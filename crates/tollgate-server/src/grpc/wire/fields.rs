//! The fields of an encoded message.

/// Reads the fields of a message in their order. An item is `None` where something is malformed, or a
/// group, which nobody sends any more; what comes after it means nothing.
pub(super) struct Fields<'m>(pub(super) &'m [u8]);

/// The value of a field.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value<'m> {
    /// A varint.
    Number(u64),
    /// What is preceded by its length: bytes, text or a message.
    Bytes(&'m [u8]),
    /// Four or eight bytes, which none of our fields has.
    Fixed,
}

impl<'m> Fields<'m> {
    fn field(&mut self) -> Option<(u64, Value<'m>)> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                let (bytes, rest) = self.0.split_at_checked(length)?;
                self.0 = rest;
                Value::Bytes(bytes)
            }
            1 => self.fixed(8)?,
            5 => self.fixed(4)?,
            _ => return None,
        };
        Some((key >> 3, value))
    }

    fn fixed(&mut self, length: usize) -> Option<Value<'m>> {
        let (_, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(Value::Fixed)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            // Of the tenth byte there is room for one bit.
            if shift == 63 && bits > 1 {
                return None;
            }
            number |= bits << shift;
            if *byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

impl<'m> Iterator for Fields<'m> {
    type Item = Option<(u64, Value<'m>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        Some(self.field())
    }
}
