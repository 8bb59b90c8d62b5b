//! Requests that are limited together.

use serde::Serialize;
use tollgate_policy::{MissingKey, Mode, Policy, PolicyBuilder};

/// The methods that read: what asks for nothing to be changed (RFC 9110, section 9.2.1).
pub(super) const READS: [&str; 3] = ["GET", "HEAD", "OPTIONS"];
/// The longest name that a policy may have, in bytes.
const LONGEST_NAME: usize = 64;

/// Requests that are limited together: what becomes a policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The name of its policy.
    pub name: String,
    /// Its paths, as a policy has them; none for all paths.
    pub path: Option<String>,
    /// Paths below that belong to other groups.
    pub except: Vec<String>,
    /// Its methods.
    pub methods: Methods,
}

/// The methods of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Methods {
    /// All.
    #[default]
    Any,
    /// `GET`, `HEAD` and `OPTIONS`.
    Reads,
    /// All but those.
    Writes,
}

impl Group {
    /// A group of paths, named after them.
    pub(super) fn of_path(path: &str) -> Self {
        Self {
            name: name_of(path),
            path: (!matches!(path, "/**" | "**")).then(|| path.to_owned()),
            except: Vec::new(),
            methods: Methods::Any,
        }
    }

    /// A policy of this group that has no limits yet.
    pub(super) fn policy(&self, key: &[String]) -> PolicyBuilder {
        let mut policy = Policy::builder(&self.name)
            .mode(Mode::Shadow)
            .missing_key(MissingKey::Skip);
        if let Some(path) = &self.path {
            policy = policy.path(path.as_str());
        }
        if self.methods == Methods::Reads {
            policy = policy.method(READS);
        }
        if !self.except.is_empty() {
            policy = policy.except("path", self.except.clone());
        }
        if self.methods == Methods::Writes {
            policy = policy.except("method", READS);
        }
        key.iter().fold(policy, |policy, part| policy.key(part))
    }

    /// Its requests in words: `GET, HEAD and OPTIONS of /boards/**`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let methods = match self.methods {
            Methods::Any => "",
            Methods::Reads => "GET, HEAD and OPTIONS of ",
            Methods::Writes => "everything but GET, HEAD and OPTIONS of ",
        };
        let path = self.path.as_deref().unwrap_or("all paths");
        let rest = if self.except.is_empty() {
            ""
        } else {
            ", but for what other policies here are about"
        };
        format!("{methods}{path}{rest}")
    }
}

/// A name made of the names in a path: `boards-cards` of `/boards/*/cards/**`.
fn name_of(path: &str) -> String {
    let words = path.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut name = words.join("-");
    // Suffixes have to find room.
    name.truncate(LONGEST_NAME - "-write-99".len());
    let name = name.trim_matches(['-', '_']);
    if name.is_empty() {
        "all".to_owned()
    } else {
        name.to_owned()
    }
}

/// Gives groups of one name numbers.
pub(super) fn make_names_differ(groups: &mut [Group]) {
    let mut known: Vec<String> = Vec::new();
    for group in groups {
        let mut numbers = 2_u32..;
        let base = group.name.clone();
        while known.contains(&group.name) {
            let number = numbers.next().unwrap_or_default();
            group.name = format!("{base}-{number}");
        }
        known.push(group.name.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_named_after_its_paths() {
        for (path, name) in [
            ("/auth/**", "auth"),
            ("/boards/*/cards/**", "boards-cards"),
            ("/api/v1/user_files", "api-v1-user_files"),
            ("/.well-known/**", "well-known"),
            ("/*/x", "x"),
            ("/_/**", "all"),
            ("/**", "all"),
            ("**", "all"),
        ] {
            let group = Group::of_path(path);
            assert_eq!(group.name, name, "{path}");
            let policy = group.policy(&["client.ip".to_owned()]).unlimited().build();
            assert!(policy.is_ok(), "{policy:?}");
        }
        let long = Group::of_path(&format!("/{}/**", "x".repeat(200)));
        assert!(long.name.len() <= LONGEST_NAME - 9);
    }

    #[test]
    fn groups_of_one_name_get_numbers() {
        let mut groups = ["/a/**", "/a/*", "/a", "/b"].map(Group::of_path);
        make_names_differ(&mut groups);
        assert_eq!(groups.map(|group| group.name), ["a", "a-2", "a-3", "b"]);
    }
}
