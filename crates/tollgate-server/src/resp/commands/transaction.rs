//! `MULTI`, `EXEC` and `DISCARD`: commands that are sent one by one and run together.
//!
//! Client libraries wrap pipelines so unless they are told otherwise. Here it changes when commands
//! are run, and nothing else: others may be served between them.

use tollgate_resp::Command;

use super::{Context, Then};
use crate::resp::transaction::Transaction;

/// `MULTI`.
pub(super) fn multi(context: &mut Context<'_>, _: &Command<'_>) -> Then {
    if context.session.transaction.is_some() {
        return context.error("ERR MULTI calls can not be nested");
    }
    context.session.transaction = Some(Transaction::default());
    context.ok()
}

/// `EXEC`: begins the answer. The connection runs what was queued, and answers it one by one.
pub(super) fn exec(context: &mut Context<'_>, _: &Command<'_>) -> Then {
    let Some(transaction) = &context.session.transaction else {
        return context.error("ERR EXEC without MULTI");
    };
    if transaction.is_aborted() {
        context.session.transaction = None;
        return context.error("EXECABORT Transaction discarded because of previous errors.");
    }
    context.batch.replies.array(transaction.commands());
    Then::RunQueued
}

/// `DISCARD`.
pub(super) fn discard(context: &mut Context<'_>, _: &Command<'_>) -> Then {
    if context.session.transaction.take().is_none() {
        return context.error("ERR DISCARD without MULTI");
    }
    context.ok()
}

/// Keeps a command until `EXEC`.
pub(super) fn queue(
    context: &mut Context<'_>,
    transaction: Transaction,
    command: &Command<'_>,
) -> Then {
    let mut transaction = transaction;
    let queued = transaction.queue(command);
    if queued.is_err() {
        transaction.abort();
    }
    context.session.transaction = Some(transaction);
    match queued {
        Ok(()) => {
            context.batch.replies.simple("QUEUED");
            Then::GoOn
        }
        Err(_) => context.error(&format!(
            "ERR a transaction has at most {} commands and {} bytes; send a pipeline without MULTI, \
             which has no such bound (transaction=False in redis-py, pipeline() in ioredis)",
            Transaction::MAX_COMMANDS,
            Transaction::MAX_BYTES
        )),
    }
}
