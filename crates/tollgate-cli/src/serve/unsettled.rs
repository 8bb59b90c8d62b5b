//! Policies that the daemon cannot do all for.

use tollgate_engine::Engine;
use tollgate_policy::{Count, Policy};

/// Warns of policies that count failures only, once for each file that comes into force: whoever asks
/// the daemon does not say what came of the request, so that nothing is ever given back.
#[derive(Debug, Default)]
pub(super) struct Unsettled {
    /// The generation of the file that was looked at last.
    generation: u64,
}

impl Unsettled {
    /// Looks whether there is another file in force, whoever has it read. May wait for a reload.
    pub(super) fn look(&mut self, engine: &Engine) {
        let generation = engine.generation();
        if generation == self.generation {
            return;
        }
        self.generation = generation;
        let file = engine.file();
        let policies = file.policies.policies().iter();
        let unsettled = policies.filter(|policy| matches!(policy.count(), Count::Failures(_)));
        let names: Vec<&str> = unsettled.map(Policy::name).collect();
        if !names.is_empty() {
            tracing::warn!(
                policies = names.join(", "),
                "`count` says that only failures count, but the daemon is asked before there is a response: it counts every request; use the layer inside the service for these policies, or give them limits for all requests"
            );
        }
    }
}
