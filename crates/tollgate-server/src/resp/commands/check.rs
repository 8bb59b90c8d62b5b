//! `TG.CHECK` and `TG.PEEK`: the policies of the file.

use std::borrow::Cow;

use tollgate_policy::Question;
use tollgate_resp::Command;

use super::{Context, Then};
use crate::attributes::GivenAttributes;
use crate::resp::decided::{Decided, checked};

/// `TG.CHECK attribute value [attribute value …] [COST n]`.
pub(super) fn check(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    let engine = &context.surface.engine;
    let mut asked = match Asked::of(command, Cow::Borrowed) {
        Ok(asked) => asked,
        Err(error) => return context.error(&format!("ERR TG.CHECK: {error}")),
    };
    let in_force = engine.limiter().in_force();
    asked.given.identify(in_force.identity());
    match in_force
        .policies()
        .decide_question_at_once(&asked.question())
    {
        Ok(decision) => {
            let outcome = checked(engine, &decision, &mut context.batch.replies);
            context.decided(outcome)
        }
        Err(undecided) => {
            let (engine, policies) = (engine.clone(), in_force.policies().clone());
            context.wait_for(async move {
                let decision = policies.decide_later(undecided).await;
                Decided::Check(engine, decision)
            })
        }
    }
}

/// `TG.PEEK attribute value [attribute value …] [COST n]`: what `TG.CHECK` would answer, and nothing
/// is counted.
pub(super) fn peek(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    // The future that looks has to own what it asks.
    let mut asked = match Asked::of(command, |value| Cow::Owned(value.to_owned())) {
        Ok(asked) => asked,
        Err(error) => return context.error(&format!("ERR TG.PEEK: {error}")),
    };
    let engine = context.surface.engine.clone();
    let in_force = engine.limiter().in_force();
    asked.given.identify(in_force.identity());
    let policies = in_force.policies().clone();
    drop(in_force);
    context.wait_for(async move {
        let looking = policies.peek(&asked.question());
        let decision = looking.await;
        Decided::Check(engine, decision.into())
    })
}

/// What a command asks.
struct Asked<'g> {
    given: GivenAttributes<'g>,
    cost: u64,
}

impl<'g> Asked<'g> {
    /// Reads a command, with values that are kept as `keep` says.
    fn of<'c>(
        command: &Command<'c>,
        keep: impl Fn(&'c str) -> Cow<'g, str>,
    ) -> Result<Self, String> {
        let mut asked = Self {
            given: GivenAttributes::default(),
            cost: 1,
        };
        let mut arguments = command.from(1);
        while let Some(name) = arguments.next() {
            let name = text("the name of an attribute", name)?;
            let Some(value) = arguments.next() else {
                return Err(format!(
                    "the attribute `{name}` has no value; write `{name} VALUE`"
                ));
            };
            let value = text(&format!("the value of the attribute `{name}`"), value)?;
            // An attribute of this name can be given too: not as the last one.
            if name.eq_ignore_ascii_case("COST") && arguments.len() == 0 {
                asked.cost = cost(value)?;
                break;
            }
            let added = asked.given.add(name, keep(value));
            added.map_err(|error| error.to_string())?;
        }
        Ok(asked)
    }

    fn question(&self) -> Question<'_, GivenAttributes<'g>> {
        Question::new(&self.given).cost(self.cost)
    }
}

/// Text that must be UTF-8, as all that policies compare.
fn text<'c>(what: &str, bytes: &'c [u8]) -> Result<&'c str, String> {
    std::str::from_utf8(bytes).map_err(|_| format!("{what} is not UTF-8"))
}

fn cost(text: &str) -> Result<u64, String> {
    let cost = text.parse().ok().filter(|_| !text.starts_with('+'));
    cost.ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        format!("COST is `{shown}`; it is a whole number, at least 0")
    })
}
