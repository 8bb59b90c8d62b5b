//! What a decision costs as the number of policies grows.

use std::hint::black_box;

use anyhow::{Result, ensure};
use tollgate::MemoryStore;
use tollgate_policy::{AttributeMap, AttributeName, Policy, PolicyLimiter, PolicySet};

use crate::report::{Bound, Report, Table};
use crate::{statistics, stopwatch};

/// Odd, so that a median is a measurement.
const REPETITIONS: usize = 7;
const DECISIONS: u32 = 200_000;
const FEW: usize = 10;
const MANY: usize = 1_000;
/// Asked: a decision among many costs at most so many times that among few.
const AT_MOST: f64 = 3.0;

/// How the policies of a set differ.
#[derive(Clone, Copy, Debug)]
enum Differing {
    Path,
    PathBelowAPattern,
    Tenant,
}

impl Differing {
    const ALL: [Self; 3] = [Self::Path, Self::PathBelowAPattern, Self::Tenant];

    const fn name(self) -> &'static str {
        match self {
            Self::Path => "paths: /api/rN/**",
            Self::PathBelowAPattern => "paths and methods: /api/rN/*/edit, GET or POST",
            Self::Tenant => "one path, an attribute each",
        }
    }

    fn policy(self, number: usize) -> Result<Policy> {
        let policy = Policy::builder(&format!("p{number}"))
            .key("client.ip")
            .limit("1000000000/s".parse()?);
        Ok(match self {
            Self::Path => policy.path(format!("/api/r{number}/**")),
            Self::PathBelowAPattern => policy
                .method(["GET", "POST"])
                .path(format!("/api/r{number}/*/edit")),
            Self::Tenant => policy
                .path("/api/**")
                .matches("tenant", format!("t{number}")),
        }
        .build()?)
    }

    fn request(number: usize) -> Result<AttributeMap> {
        Ok(AttributeMap::new()
            .with_client_ip("198.51.100.7".parse()?)
            .with(AttributeName::Method, "GET")
            .with(AttributeName::Path, format!("/api/r{number}/x/edit"))
            .with("tenant".parse::<AttributeName>()?, format!("t{number}")))
    }
}

/// Measures a decision of which one policy in a set applies.
///
/// # Errors
///
/// If a set cannot be built, or does not find its policy.
pub fn run(report: &mut Report) -> Result<()> {
    let mut table = Table::new(
        "One of so many policies applies: ns a decision",
        ["policies differ by", "10", "1,000", "x"],
    );
    for differing in Differing::ALL {
        let (few, many) = (measure(differing, FEW)?, measure(differing, MANY)?);
        table.row([
            differing.name().to_owned(),
            format!("{few:.0}"),
            format!("{many:.0}"),
            format!("{:.2}", many / few),
        ]);
        report.goal(
            format!("1,000 policies against 10, {}", differing.name()),
            Bound::AtMost(AT_MOST),
            many / few,
        );
    }
    table.print()
}

fn measure(differing: Differing, policies: usize) -> Result<f64> {
    let set: Vec<Policy> = (0..policies)
        .map(|number| differing.policy(number))
        .collect::<Result<_>>()?;
    let limiter = PolicyLimiter::new(PolicySet::new(set)?, MemoryStore::default());
    let requests: Vec<AttributeMap> = (0..policies)
        .map(Differing::request)
        .collect::<Result<_>>()?;
    for request in &requests {
        let decision = limiter.decide_now(request);
        ensure!(
            decision.policies().count() == 1,
            "one policy applies, not {}",
            decision.policies().count()
        );
    }
    let samples: Vec<f64> = (0..REPETITIONS)
        .map(|_| {
            let begun = stopwatch::wall();
            // In another order than that of the policies, as requests come.
            for number in 0..DECISIONS as usize {
                let request = &requests[(number * 7_919) % requests.len()];
                black_box(limiter.decide_now(black_box(request)));
            }
            begun.elapsed().as_secs_f64() * 1e9 / f64::from(DECISIONS)
        })
        .collect();
    Ok(statistics::median(&samples))
}
