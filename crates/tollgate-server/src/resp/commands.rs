//! The commands there are.

mod about;
mod check;
mod client;
mod hello;
mod table;
mod throttle;
mod transaction;
mod unknown;

use std::sync::Arc;

use tollgate_resp::Command;

use super::Resp;
use super::batch::Batch;
use super::decided::Decided;
use super::session::Session;
use crate::metrics::Outcome;
use table::COMMANDS;

/// What a command is run with.
pub(super) struct Context<'c> {
    pub(super) surface: &'c Resp,
    pub(super) session: &'c mut Session,
    pub(super) batch: &'c mut Batch,
    /// True once the command is counted by how it ended.
    pub(super) is_counted: bool,
}

/// What is answered where too many decisions are waited for.
const OVERLOADED: &str = "ERR too many requests wait for the store; try again in a second, or start \
    the daemon with a larger --max-requests";

/// What becomes of the connection after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    GoOn,
    /// What was queued is run now, each with an answer of its own.
    RunQueued,
    /// It is closed when the answers are written.
    Close,
}

/// What a command does: it writes one answer, or says who will.
type Run = fn(&mut Context<'_>, &Command<'_>) -> Then;

impl Context<'_> {
    /// Runs a command.
    pub(super) fn run(&mut self, command: &Command<'_>) -> Then {
        let Some(name) = command.get(0) else {
            // An empty line asks for nothing.
            return Then::GoOn;
        };
        self.batch.replies.set_version(self.session.version);
        let known = COMMANDS
            .iter()
            .find(|known| known.name.as_bytes().eq_ignore_ascii_case(name));
        let Some(known) = known else {
            self.abort_transaction();
            return unknown::run(self, command);
        };
        if !known.takes(command.len()) {
            let name = known.name.to_ascii_lowercase();
            self.abort_transaction();
            return self.error(&format!(
                "ERR wrong number of arguments for '{name}' command"
            ));
        }
        if !self.session.is_known && !known.is_open {
            self.abort_transaction();
            return self.error("NOAUTH Authentication required.");
        }
        if let Some(transaction) = self
            .session
            .transaction
            .take_if(|_| !known.is_run_in_transaction)
        {
            return transaction::queue(self, transaction, command);
        }
        self.is_counted = false;
        let then = (known.run)(self, command);
        if !self.is_counted {
            self.batch.tally.add(Outcome::Other);
        }
        then
    }

    /// After a command that cannot be queued, `EXEC` runs none.
    fn abort_transaction(&mut self) {
        if let Some(transaction) = &mut self.session.transaction {
            transaction.abort();
        }
    }

    /// A decision was made, and is answered.
    const fn decided(&mut self, outcome: Outcome) -> Then {
        self.count(outcome);
        Then::GoOn
    }

    const fn count(&mut self, outcome: Outcome) {
        self.batch.tally.add(outcome);
        self.is_counted = true;
    }

    /// Answers when a decision has been made for which the store must be waited for.
    fn wait_for(&mut self, decision: impl Future<Output = Decided> + Send + 'static) -> Then {
        // It is counted by itself, or as one too many.
        self.is_counted = true;
        let Ok(request) = self.surface.surface.begin() else {
            self.batch.replies.error(OVERLOADED);
            return Then::GoOn;
        };
        let places = Arc::clone(&self.surface.places);
        self.batch.wait_for(Box::pin(async move {
            // There is an error only once the places are closed, which they never are.
            let _place = places.acquire().await;
            let decided = decision.await;
            request.end(decided.outcome());
            decided
        }));
        Then::GoOn
    }

    fn ok(&mut self) -> Then {
        self.batch.replies.simple("OK");
        Then::GoOn
    }

    fn error(&mut self, text: &str) -> Then {
        self.count(Outcome::Invalid);
        self.batch.replies.error(text);
        Then::GoOn
    }
}

/// An argument as a word of the protocol: in lower case, and cut, since it may be anything.
fn word(argument: &[u8]) -> String {
    const LONGEST: usize = 64;
    let cut = argument.get(..LONGEST).unwrap_or(argument);
    String::from_utf8_lossy(cut).to_ascii_lowercase()
}

/// Whether an argument is a word, in any case.
fn is_word(argument: Option<&[u8]>, word: &str) -> bool {
    argument.is_some_and(|argument| argument.eq_ignore_ascii_case(word.as_bytes()))
}
