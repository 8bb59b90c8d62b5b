//! The program itself, as a process.

use std::ops::{Deref, DerefMut};
use std::process::{Command, Stdio};
use std::sync::Arc;

use tempfile::TempDir;

use super::{Client, PATIENCE};

/// The command that runs the program with these variables and no others.
pub(crate) fn taskflow(variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taskflow"));
    command.env_clear().envs(variables.iter().copied());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The program, running over a database of its own.
#[derive(Debug)]
pub(crate) struct Program {
    program: examples_common::testing::Program,
    dir: Arc<TempDir>,
}

impl Program {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// With these variables too.
    pub(crate) fn start_with(variables: &[(&str, &str)]) -> Self {
        Self::start_over(Arc::new(tempfile::tempdir().unwrap()), variables)
    }

    /// Another one, over the same database.
    pub(crate) fn start_again(&self, variables: &[(&str, &str)]) -> Self {
        Self::start_over(Arc::clone(&self.dir), variables)
    }

    /// Waits until it can count in its Redis, to which it has to connect first: who asks meanwhile may
    /// be told that the limiter is away.
    pub(crate) async fn finds_redis(&self) {
        let client = Client::new(self.api().to_owned());
        let finds = async {
            while client.get("/health").await.expect(200)["status"] != "ok" {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, finds).await.unwrap();
    }

    fn start_over(dir: Arc<TempDir>, variables: &[(&str, &str)]) -> Self {
        let url = format!("sqlite://{}/test.db", dir.path().display());
        let mut command = taskflow(variables);
        command.envs([
            ("DATABASE_URL", url.as_str()),
            ("APP_PORT", "0"),
            ("RUST_LOG", "debug"),
        ]);
        let program = examples_common::testing::Program::start(command);
        Self { program, dir }
    }
}

impl Deref for Program {
    type Target = examples_common::testing::Program;

    fn deref(&self) -> &Self::Target {
        &self.program
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.program
    }
}
