//! What only some may know: out of a file, or of a variable, never of an option, which would be seen
//! in the list of processes.

use std::env::{self, VarError};
use std::error::Error;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use anyhow::Context;
use tollgate_server::{AdminToken, Password};

use crate::arguments::Serve;

/// No secret is longer, in bytes.
const LONGEST: u64 = 4_096;

/// What administrators must carry over HTTP.
pub(super) fn admin_token(arguments: &Serve) -> anyhow::Result<Option<AdminToken>> {
    let file = arguments.admin_token_file.as_deref();
    read(
        "the admin token",
        file,
        "TOLLGATE_ADMIN_TOKEN",
        AdminToken::new,
    )
}

/// What clients of the Redis protocol must give.
pub(super) fn redis_password(arguments: &Serve) -> anyhow::Result<Option<Password>> {
    let file = arguments.redis_password_file.as_deref();
    read(
        "the password of the Redis protocol",
        file,
        "TOLLGATE_REDIS_PASSWORD",
        Password::new,
    )
}

/// The text of a file that is one, and no device or pipe that never ends.
fn read_bounded(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let length = File::open(path)?
        .take(LONGEST + 1)
        .read_to_string(&mut text)?;
    if u64::try_from(length).is_ok_and(|length| length <= LONGEST) {
        return Ok(text);
    }
    Err(io::Error::new(
        ErrorKind::FileTooLarge,
        format!("it is longer than {LONGEST} bytes"),
    ))
}

fn read<T, E: Error + Send + Sync + 'static>(
    what: &str,
    file: Option<&Path>,
    variable: &str,
    secret: impl Fn(&str) -> Result<T, E>,
) -> anyhow::Result<Option<T>> {
    if let Some(path) = file {
        let shown = path.display();
        let text =
            read_bounded(path).with_context(|| format!("cannot read {what} from {shown}"))?;
        let secret = secret(&text).with_context(|| format!("{shown} cannot be used"))?;
        return Ok(Some(secret));
    }
    match env::var(variable) {
        Ok(text) => {
            let secret = secret(&text).with_context(|| format!("{variable} cannot be used"))?;
            Ok(Some(secret))
        }
        Err(VarError::NotPresent) => Ok(None),
        // Its bytes are not told.
        Err(VarError::NotUnicode(_)) => anyhow::bail!("{variable} is not UTF-8"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_never_ends_is_not_read_for_ever() {
        let error = read_bounded(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    }
}
