//! What only some may know: out of a file, or of a variable, never of an option, which would be seen
//! in the list of processes.

use std::env::{self, VarError};
use std::error::Error;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tollgate_server::{AdminToken, Password};

use crate::arguments::Serve;

/// No secret is longer, in bytes.
const LONGEST: u64 = 4_096;

/// Secrets out of files, which may change while the daemon runs. Those out of variables cannot.
#[derive(Default)]
pub(super) struct Secrets(Vec<SecretFile>);

impl Secrets {
    /// What administrators must carry over HTTP.
    pub(super) fn admin_token(&mut self, arguments: &Serve) -> anyhow::Result<Option<AdminToken>> {
        self.read(
            "the admin token",
            arguments.admin_token_file.as_deref(),
            "TOLLGATE_ADMIN_TOKEN",
            AdminToken::new,
            AdminToken::replace,
        )
    }

    /// What clients of the Redis protocol must give.
    pub(super) fn redis_password(&mut self, arguments: &Serve) -> anyhow::Result<Option<Password>> {
        self.read(
            "the password of the Redis protocol",
            arguments.redis_password_file.as_deref(),
            "TOLLGATE_REDIS_PASSWORD",
            Password::new,
            Password::replace,
        )
    }

    /// Looks whether the files have become others, and uses what is in them. What is found for the
    /// first time may still be written to, and is used by the next look, unless it is asked for. What
    /// cannot be used changes nothing, and is logged. Blocks.
    pub(super) fn look(&mut self, is_asked_for: bool) {
        for file in &mut self.0 {
            file.look(is_asked_for);
        }
    }

    fn read<T, E>(
        &mut self,
        what: &'static str,
        file: Option<&Path>,
        variable: &str,
        secret: fn(&str) -> Result<T, E>,
        replace: fn(&T, &T),
    ) -> anyhow::Result<Option<T>>
    where
        T: Clone + Send + 'static,
        E: Error + Send + Sync + 'static,
    {
        let Some(path) = file else {
            return from_variable(variable, secret);
        };
        let shown = path.display();
        let text =
            read_bounded(path).with_context(|| format!("cannot read {what} from {shown}"))?;
        let used = secret(&text).with_context(|| format!("{shown} cannot be used"))?;
        let current = used.clone();
        self.0.push(SecretFile {
            what,
            path: path.to_owned(),
            tried: Ok(text),
            seen: None,
            replace: Box::new(move |text| {
                let other = secret(text).map_err(|error| error.to_string())?;
                replace(&current, &other);
                Ok(())
            }),
        });
        Ok(Some(used))
    }
}

/// One of them. It is not shown.
struct SecretFile {
    what: &'static str,
    path: PathBuf,
    /// What is in use, or was found to be wrong.
    tried: Result<String, String>,
    /// What the last look has found, which may still be written to.
    seen: Option<Result<String, String>>,
    replace: Replace,
}

/// Puts into use what a text says, or tells why it cannot.
type Replace = Box<dyn Fn(&str) -> Result<(), String> + Send>;

impl SecretFile {
    fn look(&mut self, is_asked_for: bool) {
        let found = read_bounded(&self.path).map_err(|error| error.to_string());
        let is_same = found == self.tried;
        if !is_asked_for {
            if is_same {
                self.seen = None;
                return;
            }
            if self.seen.as_ref() != Some(&found) {
                self.seen = Some(found);
                return;
            }
        }
        let file = self.path.display();
        match found
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|text| (self.replace)(text))
        {
            Ok(()) if is_same => {}
            Ok(()) => tracing::info!(%file, "{} was read again", self.what),
            Err(error) => {
                tracing::error!(%file, error, "{} cannot be used; what was in use stays", self.what);
            }
        }
        self.tried = found;
        self.seen = None;
    }
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

fn from_variable<T, E: Error + Send + Sync + 'static>(
    variable: &str,
    secret: fn(&str) -> Result<T, E>,
) -> anyhow::Result<Option<T>> {
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
