//! Lists in pieces: `?limit=…&offset=…`.

use serde::Serialize;

use crate::error::AppError;

const LIMIT_DEFAULT: u32 = 20;
const LIMIT_MAX: u32 = 100;
/// The database must walk past what is skipped.
const OFFSET_MAX: u32 = 10_000;

/// Which piece of a list.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    limit: u32,
    offset: u32,
}

/// A piece of a list.
#[derive(Debug, Serialize)]
pub struct Listing<T> {
    /// What is in it.
    pub items: Vec<T>,
    /// The offset of the next piece; none if this is the last that can be had.
    pub next_offset: Option<u32>,
}

impl Page {
    /// The piece that a query asks for; what it does not say has a default.
    ///
    /// # Errors
    ///
    /// A number out of bounds.
    pub fn new(limit: Option<u32>, offset: Option<u32>) -> Result<Self, AppError> {
        let limit = limit.unwrap_or(LIMIT_DEFAULT);
        let offset = offset.unwrap_or(0);
        if !(1..=LIMIT_MAX).contains(&limit) {
            return Err(AppError::validation(format!(
                "limit: must be from 1 to {LIMIT_MAX}"
            )));
        }
        if offset > OFFSET_MAX {
            return Err(AppError::validation(format!(
                "offset: must be at most {OFFSET_MAX}"
            )));
        }
        Ok(Self { limit, offset })
    }

    /// How many rows to ask for: one more than is shown, which says whether there are more.
    #[must_use]
    pub fn rows(self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// How many rows to skip.
    #[must_use]
    pub fn offset(self) -> i64 {
        self.offset.into()
    }

    /// The piece, of the rows that were asked for.
    #[must_use]
    pub fn listing<T>(self, mut rows: Vec<T>) -> Listing<T> {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let is_last = rows.len() <= limit;
        rows.truncate(limit);
        let next = self.offset.saturating_add(self.limit);
        Listing {
            items: rows,
            next_offset: Some(next).filter(|next| !is_last && *next <= OFFSET_MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_bounds() {
        for (limit, offset, fits) in [
            (1, 0, true),
            (100, OFFSET_MAX, true),
            (0, 0, false),
            (101, 0, false),
            (1, OFFSET_MAX + 1, false),
        ] {
            assert_eq!(Page::new(Some(limit), Some(offset)).is_ok(), fits);
        }
    }

    #[test]
    fn the_next_page_is_told_if_there_is_one() {
        let page = Page::new(Some(2), Some(4)).unwrap();
        let more = page.listing(vec!['a', 'b', 'c']);
        assert_eq!((more.items, more.next_offset), (vec!['a', 'b'], Some(6)));
        assert_eq!(page.listing(vec!['a', 'b']).next_offset, None);
        let end = Page::new(Some(2), Some(OFFSET_MAX)).unwrap();
        assert_eq!(end.listing(vec!['a', 'b', 'c']).next_offset, None);
    }
}
