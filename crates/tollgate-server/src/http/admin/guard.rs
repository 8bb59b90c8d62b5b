//! Who is an administrator.

use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};

use crate::http::Shared;
use crate::http::problem::Problem;

/// Nothing, for a request that carries the admin token.
///
/// # Errors
///
/// It does not (401), or there is no token that it could carry (403).
pub(super) fn admit(shared: &Shared, headers: &HeaderMap) -> Result<(), Problem> {
    let Some(token) = &shared.admin_token else {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "there is no administrator: start the daemon with `--admin-token-file FILE`, or with \
             the variable `TOLLGATE_ADMIN_TOKEN`",
        ));
    };
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let is_it = match (given.next(), given.next()) {
        (Some(given), None) => bearer(given.as_bytes()).is_some_and(|given| token.is(given)),
        _ => false,
    };
    if is_it {
        return Ok(());
    }
    let problem = Problem::new(
        StatusCode::UNAUTHORIZED,
        "this is for administrators: send `Authorization: Bearer TOKEN` with the admin token",
    );
    Err(problem.field(WWW_AUTHENTICATE, "Bearer realm=\"tollgate\""))
}

/// The token of RFC 6750, section 2.1; the scheme in any case.
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked(7)?;
    scheme
        .eq_ignore_ascii_case(b"Bearer ")
        .then(|| token.trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_token_of_the_scheme_and_no_other() {
        assert_eq!(bearer(b"Bearer abc"), Some(&b"abc"[..]));
        assert_eq!(bearer(b"bearer  abc"), Some(&b"abc"[..]));
        assert_eq!(bearer(b"Basic abc"), None);
        assert_eq!(bearer(b"Bearer"), None);
        assert_eq!(bearer(b"abc"), None);
    }
}
