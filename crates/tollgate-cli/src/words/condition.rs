//! Conditions, and the values that they look at.

use tollgate_policy::{AttributeName, When};

use super::any_of;
use crate::output::shown;

/// Stands for what is not shown.
const MASK: &str = "***";

/// What a condition asks for: `method is GET or HEAD, and path is /places/**`.
pub(crate) fn condition(when: &When) -> String {
    let tests: Vec<String> = when
        .tests()
        .map(|(name, values)| format!("{name} is {}", patterns(name, values)))
        .collect();
    if tests.is_empty() {
        return "every request".to_owned();
    }
    tests.join(", and ")
}

/// The values that an attribute may have.
pub(crate) fn patterns(name: &str, values: &[String]) -> String {
    if is_secret(name) {
        return MASK.to_owned();
    }
    let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
    any_of(&values)
}

/// A value that an attribute may have, for programs.
pub(crate) fn public_value(name: &str, value: &str) -> String {
    if is_secret(name) { MASK } else { value }.to_owned()
}

fn is_secret(name: &str) -> bool {
    let name = name.parse::<AttributeName>();
    name.is_ok_and(|name| name.is_secret())
}

/// The value of an attribute, unless it may be a secret.
pub(crate) fn value(name: &AttributeName, value: &str) -> String {
    if name.is_secret() {
        MASK.to_owned()
    } else {
        quoted(value)
    }
}

/// A value as it is, or in quotes where it would be taken for something else.
fn quoted(value: &str) -> String {
    let value = shown(value);
    if value.is_empty() || value.contains([' ', ',']) {
        format!("`{value}`")
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_told() {
        let when = When::is("header.x-api-key", ["k1-secret", "k2-secret"]).and("user.plan", "pro");
        assert_eq!(
            condition(&when),
            "header.x-api-key is ***, and user.plan is pro"
        );
        let name = AttributeName::Header("authorization".into());
        assert_eq!(value(&name, "Bearer abc"), "***");
    }

    #[test]
    fn values_are_told_apart_from_words() {
        let when = When::is("header.x-plan", ["a b", ""]).and("method", "GET");
        assert_eq!(
            condition(&when),
            "header.x-plan is `a b` or ``, and method is GET"
        );
        assert_eq!(condition(&When::always()), "every request");
    }
}
