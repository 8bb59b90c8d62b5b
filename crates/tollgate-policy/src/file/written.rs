//! How values stand in a file that it takes from the environment.

use std::collections::BTreeMap;
use std::fmt;

use super::text::Text;
use crate::AttributeName;

/// For each value of a test that the environment fills, what stands in the file for it.
#[derive(Clone, Default)]
pub(super) struct Written(BTreeMap<AttributeName, BTreeMap<String, String>>);

impl Written {
    /// Remembers a value of a test, if the environment fills it.
    pub(super) fn insert(&mut self, attribute: &AttributeName, text: &Text) {
        if text.shown() != text.value() {
            let values = self.0.entry(attribute.clone()).or_default();
            values.insert(text.value().to_owned(), text.shown().to_owned());
        }
    }

    pub(super) fn of(&self, attribute: &AttributeName, value: &str) -> Option<&str> {
        self.0.get(attribute)?.get(value).map(String::as_str)
    }
}

/// Without the values, which may be secrets.
impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = self.0.iter().map(|(name, values)| (name, values.values()));
        f.debug_map()
            .entries(written.map(|(name, values)| (name, values.collect::<Vec<_>>())))
            .finish()
    }
}
