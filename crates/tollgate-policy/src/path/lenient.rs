//! Paths as lenient routers take them.

use super::{ascii, encoded, push_byte, resolve_last};

/// The form in which a lenient router takes a path, unless it is the normal one.
pub(super) fn lenient_of(path: &str) -> Option<String> {
    may_differ(path.as_bytes()).then(|| lenient(path))
}

/// A path or a pattern in that form: its encoded slashes and its backslashes are slashes, what
/// follows a `;` is no part of a segment, and letters are small.
pub(crate) fn lenient(path: &str) -> String {
    let path = path.strip_suffix('/').unwrap_or(path);
    let mut form = Vec::with_capacity(path.len() + 1);
    let mut start = 0;
    let mut is_parameter = false;
    let mut rest = path.strip_prefix('/').unwrap_or(path).as_bytes();
    form.push(b'/');
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let byte = match (byte, encoded(after)) {
            (b'%', Some(decoded)) => {
                rest = after.get(2..).unwrap_or_default();
                Some(decoded)
            }
            (b'/' | b'\\', _) => None,
            _ => Some(byte),
        };
        match byte {
            None | Some(b'/' | b'\\') => {
                resolve_last(&mut form, start);
                start = form.len();
                form.push(b'/');
                is_parameter = false;
            }
            Some(b';') => is_parameter = true,
            Some(_) if is_parameter => {}
            Some(byte) => push_byte(&mut form, byte.to_ascii_lowercase()),
        }
    }
    resolve_last(&mut form, start);
    if form.is_empty() {
        form.push(b'/');
    }
    ascii(form)
}

/// True if the path has an encoded slash, a backslash, a parameter or a capital letter.
fn may_differ(path: &[u8]) -> bool {
    let mut rest = path;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let byte = match (byte, encoded(after)) {
            (b'%', Some(decoded)) => {
                // The digits may be capital letters.
                rest = after.get(2..).unwrap_or_default();
                match decoded {
                    b'/' => return true,
                    decoded => decoded,
                }
            }
            _ => byte,
        };
        if matches!(byte, b'\\' | b';' | b'A'..=b'Z') {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::normalize_path;

    #[test]
    fn slashes_in_all_disguises_separate_and_parameters_and_capital_letters_are_nothing() {
        for (path, expected) in [
            ("/auth%2flogin", "/auth/login"),
            ("/auth%2Flogin", "/auth/login"),
            ("/auth\\login", "/auth/login"),
            ("/auth%5clogin", "/auth/login"),
            ("/auth;x/login", "/auth/login"),
            ("/auth;x=1;y/login;jsessionid=1", "/auth/login"),
            ("/auth%3Bx/login", "/auth/login"),
            ("/AUTH/Login", "/auth/login"),
            ("/%41UTH/login", "/auth/login"),
            ("/x/..;/auth/login", "/auth/login"),
            ("/x%2f..%2fauth/login", "/auth/login"),
            ("/x/.%2e%5Cauth//login/", "/auth/login"),
            ("/%2fauth/login", "/auth/login"),
            ("%2f", "/"),
            ("/;x", "/"),
            ("\\", "/"),
            ("/..;/..", "/"),
        ] {
            assert_eq!(lenient_of(path).as_deref(), Some(expected), "{path}");
        }
    }

    #[test]
    fn ordinary_paths_have_no_other_form() {
        for path in [
            "/",
            "*",
            "/auth/login",
            "//auth/../x/",
            "/%C3%BCber",
            "/%61",
            "/a%20b",
            "/%",
            "/%2",
        ] {
            assert_eq!(lenient_of(path), None, "{path}");
        }
    }

    proptest! {
        #[test]
        fn is_the_normal_form_where_the_path_has_nothing_of_that(path in "[/a-z.%0-9~]{0,24}") {
            prop_assume!(lenient_of(&path).is_none());
            prop_assert_eq!(lenient(&path), normalize_path(&path));
        }

        #[test]
        fn is_the_same_again(path in "[/\\\\a-cA-C.;%25fF~]{0,24}") {
            let once = lenient(&path);
            // What was decoded must not be decoded again.
            prop_assume!(!once.contains('%'));
            prop_assert_eq!(lenient(&once), once);
        }
    }
}
