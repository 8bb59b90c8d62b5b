//! What a client may send, field by field. Every message names the field.

use examples_common::validate::{Invalid, line, text};
pub use examples_common::validate::{email, password};

const NAME_MAX: usize = 100;
const TITLE_MAX: usize = 200;
const CONTACT_MAX: usize = 200;
const TEXT_MAX: usize = 5000;
const TAGS_MAX: usize = 10;
const TAG_MAX: usize = 30;
const PRICE_MAX: i64 = 100_000_000;

/// The name of a user or a place; surrounding space is dropped.
///
/// # Errors
///
/// It is empty, too long, or not one line of text.
pub fn name(name: &str) -> Result<String, Invalid> {
    line("name", name, NAME_MAX)
}

/// The title of a service.
///
/// # Errors
///
/// It is empty, too long, or not one line of text.
pub fn title(title: &str) -> Result<String, Invalid> {
    line("title", title, TITLE_MAX)
}

/// How to reach who offers a service: one line, whatever it is.
///
/// # Errors
///
/// It is empty, too long, or not one line of text.
pub fn contact(contact: &str) -> Result<String, Invalid> {
    line("contact", contact, CONTACT_MAX)
}

/// The description of a place.
///
/// # Errors
///
/// It is too long, or holds a character that a database cannot store.
pub fn description(description: String) -> Result<String, Invalid> {
    text("description", description, TEXT_MAX)
}

/// The text of a review.
///
/// # Errors
///
/// It is too long, or holds a character that a database cannot store.
pub fn review_text(review: String) -> Result<String, Invalid> {
    text("text", review, TEXT_MAX)
}

/// Stars.
///
/// # Errors
///
/// Fewer than one or more than five.
pub fn rating(rating: i64) -> Result<i64, Invalid> {
    match rating {
        1..=5 => Ok(rating),
        _ => Err(Invalid::new("rating: must be from 1 to 5")),
    }
}

/// A price in cents.
///
/// # Errors
///
/// It is negative or too large.
pub fn price_cents(price: i64) -> Result<i64, Invalid> {
    match price {
        0..=PRICE_MAX => Ok(price),
        _ => Err(Invalid::new(format!(
            "price_cents: must be from 0 to {PRICE_MAX}"
        ))),
    }
}

/// The tags of a place, in lower case, sorted, each once.
///
/// # Errors
///
/// There are too many, or one of them is no tag.
pub fn tags(tags: &[String]) -> Result<Vec<String>, Invalid> {
    let mut tags = tags
        .iter()
        .map(|text| tag("tags", text))
        .collect::<Result<Vec<_>, _>>()?;
    tags.sort();
    tags.dedup();
    if tags.len() > TAGS_MAX {
        return Err(Invalid::new(format!(
            "tags: there must be at most {TAGS_MAX}"
        )));
    }
    Ok(tags)
}

/// A tag: letters and digits of any alphabet, and hyphens between them. No comma, on which the
/// schema relies where it lists the tags of a place.
///
/// # Errors
///
/// It is empty, too long, or has other characters.
pub fn tag(field: &str, text: &str) -> Result<String, Invalid> {
    let tag = text.trim().to_lowercase();
    let well_formed = (1..=TAG_MAX).contains(&tag.chars().count())
        && tag.chars().all(|c| c.is_alphanumeric() || c == '-')
        && !tag.starts_with('-')
        && !tag.ends_with('-');
    if well_formed {
        Ok(tag)
    } else {
        Err(Invalid::new(format!(
            "{field}: a tag has 1 to {TAG_MAX} letters, digits and hyphens, such as golden-hour"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(tags: &[&str]) -> Vec<String> {
        tags.iter().map(|&tag| tag.to_owned()).collect()
    }

    #[test]
    fn tags_are_folded_and_sorted_and_each_is_there_once() {
        let tags = tags(&owned(&["Sunset", " beach ", "sunset", "Über"]));
        assert_eq!(tags.unwrap(), ["beach", "sunset", "über"]);
    }

    #[test]
    fn refuses_what_is_no_tag() {
        for text in ["", " ", "a,b", "a b", "-a", "a-", "a\0", &"x".repeat(31)] {
            let error = tags(&owned(&[text])).unwrap_err();
            assert!(error.to_string().starts_with("tags: "), "{text:?}");
        }
        let many: Vec<_> = (0..11).map(|n| n.to_string()).collect();
        assert!(tags(&many).is_err());
        assert!(tags(&many[1..]).is_ok());
    }

    #[test]
    fn numbers_have_their_bounds() {
        for (value, fits) in [(0, false), (1, true), (5, true), (6, false)] {
            assert_eq!(rating(value).is_ok(), fits, "{value}");
        }
        for (value, fits) in [
            (-1, false),
            (0, true),
            (PRICE_MAX, true),
            (PRICE_MAX + 1, false),
        ] {
            assert_eq!(price_cents(value).is_ok(), fits, "{value}");
        }
    }
}
