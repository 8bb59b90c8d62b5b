//! Which requests: tests of attributes.

pub(crate) mod cover;
mod facts;
mod glob;
mod matcher;
mod patterns;

pub use patterns::{Patterns, When};

pub(crate) use facts::Facts;
pub(crate) use glob::PathGlob;

use crate::{AttributeName, Attributes};
use matcher::Matcher;

/// Tests that a request must all pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Condition {
    tests: Box<[Test]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Test {
    attribute: AttributeName,
    matcher: Matcher,
}

/// A test that does not pass.
#[derive(Debug)]
pub(crate) struct FailedTest<'c> {
    /// Its place among the tests.
    pub(crate) position: usize,
    pub(crate) attribute: &'c AttributeName,
}

/// In which forms a path must pass: see [`normalize_path`](crate::normalize_path).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forms {
    /// For what must not be evaded.
    Any,
    /// For what must not be obtained by a spelling.
    All,
}

/// Why a condition cannot be understood, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConditionError {
    pub(crate) attribute: String,
    pub(crate) problem: String,
}

impl Condition {
    pub(crate) fn compile(when: &When) -> Result<Self, ConditionError> {
        let tests = when.tests().map(|(name, patterns)| {
            let error = |problem: String| ConditionError {
                attribute: name.to_owned(),
                problem,
            };
            let attribute: AttributeName = name
                .parse()
                .map_err(|problem| error(format!("{problem}")))?;
            let matcher = Matcher::compile(&attribute, patterns).map_err(error)?;
            Ok(Test { attribute, matcher })
        });
        Ok(Self {
            tests: tests.collect::<Result<_, _>>()?,
        })
    }

    /// True if every test passes. A test of an attribute that the request lacks fails.
    pub(crate) fn matches<A: Attributes + ?Sized>(
        &self,
        facts: &Facts<'_, A>,
        forms: Forms,
    ) -> bool {
        self.tests
            .iter()
            .all(|test| test.matcher.matches(&test.attribute, facts, forms))
    }

    /// The first test that does not pass, if there is one.
    pub(crate) fn failed_test<A: Attributes + ?Sized>(
        &self,
        facts: &Facts<'_, A>,
        forms: Forms,
    ) -> Option<FailedTest<'_>> {
        let fails = |test: &&Test| !test.matcher.matches(&test.attribute, facts, forms);
        let mut tests = (0..).zip(&self.tests);
        tests
            .find(|(_, test)| fails(test))
            .map(|(position, test)| FailedTest {
                position,
                attribute: &test.attribute,
            })
    }

    /// The attributes that are tested.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &AttributeName> {
        self.tests.iter().map(|test| &test.attribute)
    }

    /// The tests by which a policy can be found without being tried.
    pub(crate) fn handles(&self) -> impl Iterator<Item = Handle<'_>> {
        self.tests.iter().filter_map(|test| {
            if test.attribute == AttributeName::Path {
                return test.matcher.paths().map(Handle::Paths);
            }
            let values = test.matcher.values()?;
            Some(Handle::Values(&test.attribute, values))
        })
    }
}

/// A test that passes for few of all requests, which can be listed.
#[derive(Debug)]
pub(crate) enum Handle<'c> {
    /// The path matches one of these.
    Paths(&'c [PathGlob]),
    /// The attribute has one of these values.
    Values(&'c AttributeName, Vec<&'c str>),
}
