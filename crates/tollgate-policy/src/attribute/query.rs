//! A parameter of the query as one value.

use std::borrow::Cow;

/// The values of a parameter in order, joined with a comma and a space as header lines are. `None`
/// if the query has none of that name. Names and values are decoded as browsers encode forms
/// (`%20` and `+` are spaces); bytes that are not UTF-8 become `U+FFFD`.
///
/// Letter case of `name` matters. A query is no longer than the target it is part of, and so is what
/// comes of it, but for each such byte, which becomes three.
///
/// ```
/// use tollgate_policy::query_value;
///
/// assert_eq!(query_value("a=1&b=x+y&a=2", "a").as_deref(), Some("1, 2"));
/// assert_eq!(query_value("a=1&b=x+y&a=2", "b").as_deref(), Some("x y"));
/// assert_eq!(query_value("a=1", "c"), None);
/// ```
#[must_use]
pub fn query_value<'q>(query: &'q str, name: &str) -> Option<Cow<'q, str>> {
    let pairs = form_urlencoded::parse(query.as_bytes());
    let mut values = pairs.filter(|(known, _)| known == name);
    let (_, mut value) = values.next()?;
    for (_, another) in values {
        let value = value.to_mut();
        value.push_str(", ");
        value.push_str(&another);
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_names_and_values() {
        let query = "a=1&%62+c=%C3%BC%3D&empty&a=&=x";
        let value = |name| query_value(query, name);
        assert_eq!(value("b c").as_deref(), Some("\u{fc}="));
        assert_eq!(value("empty").as_deref(), Some(""));
        assert_eq!(value("a").as_deref(), Some("1, "));
        assert_eq!(value("").as_deref(), Some("x"));
        assert_eq!(value("A"), None);
        assert_eq!(query_value("", "a"), None);
    }

    #[test]
    fn is_text_whatever_the_bytes() {
        assert_eq!(query_value("a=%ff%f", "a").as_deref(), Some("\u{fffd}%f"));
    }

    #[test]
    fn is_bounded_by_the_query() {
        let query = "a&".repeat(1_000);
        let value = query_value(&query, "a").unwrap();
        assert!(value.len() <= query.len());
        let query = format!("a={}", "%ff".repeat(1_000));
        assert!(query_value(&query, "a").unwrap().len() <= query.len());
    }

    #[test]
    fn borrows_a_plain_value() {
        assert!(matches!(
            query_value("page=7", "page"),
            Some(Cow::Borrowed("7"))
        ));
    }
}
