//! Conditions, and the values that they look at.

use tollgate_policy::file::PolicyFile;
use tollgate_policy::{AttributeName, When};

use super::any_of;
use crate::output::shown;

/// Stands for what is not shown.
const MASK: &str = "***";

/// What a condition asks for: `method is GET or HEAD, and path is /places/**`.
pub(crate) fn condition(file: &PolicyFile, when: &When) -> String {
    let tests: Vec<String> = when
        .tests()
        .map(|(name, values)| format!("{name} is {}", patterns(file, name, values)))
        .collect();
    if tests.is_empty() {
        return "every request".to_owned();
    }
    tests.join(", and ")
}

/// The values that an attribute may have.
pub(crate) fn patterns(file: &PolicyFile, name: &str, values: &[String]) -> String {
    let Some(name) = public(name) else {
        return MASK.to_owned();
    };
    let values = values.iter();
    let values: Vec<String> = values
        .map(|value| quoted(file.as_written(&name, value)))
        .collect();
    any_of(&values)
}

/// A value that an attribute may have, for programs.
pub(crate) fn public_value(file: &PolicyFile, name: &str, value: &str) -> String {
    let shown = public(name).map(|name| file.as_written(&name, value).to_owned());
    shown.unwrap_or_else(|| MASK.to_owned())
}

/// An attribute whose values are no secrets.
fn public(name: &str) -> Option<AttributeName> {
    let name: AttributeName = name.parse().ok()?;
    (!name.is_secret()).then_some(name)
}

/// The value that a request has for an attribute, unless it may be a secret. One that a file has
/// from the environment may be, and stands here as it does there.
pub(crate) fn value(file: &PolicyFile, name: &AttributeName, value: &str) -> String {
    if name.is_secret() {
        MASK.to_owned()
    } else {
        quoted(file.as_written(name, value))
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
    use tollgate_policy::Policy;

    fn file() -> PolicyFile {
        let text = "[[policy]]
name = 'api'
match = { 'header.x-plan' = '${PLAN}' }
shared = true
limits = '1/s'
";
        let environment = |_: &str| Some("hunter2".to_owned());
        PolicyFile::parse("test.toml", text, &environment).unwrap()
    }

    #[test]
    fn secrets_are_not_told() {
        let when = When::is("header.x-api-key", ["k1-secret", "k2-secret"]).and("user.plan", "pro");
        assert_eq!(
            condition(&file(), &when),
            "header.x-api-key is ***, and user.plan is pro"
        );
        let name = AttributeName::Header("authorization".into());
        assert_eq!(value(&file(), &name, "Bearer abc"), "***");
    }

    #[test]
    fn what_the_environment_says_is_not_told() {
        let file = file();
        let when = Policy::when(&file.policies.policies()[0]);
        assert_eq!(condition(&file, when), "header.x-plan is ${PLAN}");
        let name = AttributeName::Header("x-plan".into());
        assert_eq!(value(&file, &name, "hunter2"), "${PLAN}");
        assert_eq!(value(&file, &name, "hunter"), "hunter");
        assert_eq!(public_value(&file, "header.x-plan", "hunter2"), "${PLAN}");
    }

    #[test]
    fn values_are_told_apart_from_words() {
        let when = When::is("header.x-plan", ["a b", ""]).and("method", "GET");
        assert_eq!(
            condition(&file(), &when),
            "header.x-plan is `a b` or ``, and method is GET"
        );
        assert_eq!(condition(&file(), &When::always()), "every request");
    }
}
