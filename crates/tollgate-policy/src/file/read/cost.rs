//! `cost`, `count` and `local_share`.

use super::LimitPlace;
use super::attribute::{Role, attribute};
use crate::file::check::Fields;
use crate::file::document::{Node, Value};
use crate::file::fields::COST;
use crate::file::report::{Report, about};
use crate::file::suggestion::quoted;
use crate::file::text::Text;
use crate::{AttributeName, Cost, Count, Statuses};

/// Reads the cost; where it is wrong, `None`.
pub(super) fn cost(fields: &Fields<'_>, report: &mut Report) -> Option<Cost> {
    let Some(node) = fields.node("cost") else {
        return (!fields.has("cost")).then(Cost::default);
    };
    if let Value::Table(table) = &node.value {
        let before = report.errors();
        let inner = Fields::check(table, node.span.clone(), &COST, report);
        let text = inner.text("attribute");
        let name = text.and_then(|text| attribute(text.value(), text.span(), Role::Cost, report));
        let max: Option<u64> = inner.integer("max");
        let min: u64 = inner.integer("min").unwrap_or(1);
        let default = inner.integer("default").unwrap_or_else(|| min.max(1));
        if let Some(max) = max
            && min > max
        {
            report
                .error(
                    inner.span_of("min"),
                    format!("the least cost is {min}, above `max`, which is {max}"),
                )
                .help("lower `min`, or raise `max`");
        } else if let Some(max) = max
            && default > max
        {
            report
                .error(
                    inner.span_of("default"),
                    format!("the default cost is {default}, above `max`, which is {max}"),
                )
                .help("lower `default`, or raise `max`");
        }
        if let Some((name, text)) = name.as_ref().zip(text)
            && is_written_by_client(name)
        {
            report
                .warning(
                    text.span(),
                    about(&format!("the cost is `{name}`, which a client chooses freely, so that each request costs as little as it likes, which is {min}"), text.value()),
                )
                .help("use an attribute that your service sets");
        }
        let (name, max) = name.zip(max)?;
        return (report.errors() == before).then(|| Cost::Attribute {
            name: name.to_string(),
            min,
            max,
            default,
        });
    }
    let cost: u64 = fields.integer("cost")?;
    if cost == 0 {
        report
            .warning(
                node.span.clone(),
                "a cost of 0 only looks: nothing is ever counted, so that no limit ever denies",
            )
            .help("write a cost of at least 1, or leave `cost` out");
    }
    Some(Cost::Fixed(cost))
}

const fn is_written_by_client(name: &AttributeName) -> bool {
    matches!(name, AttributeName::Header(_) | AttributeName::Query(_))
}

/// Reports limits that a cost never fits into.
pub(super) fn check_fit(
    cost: &Cost,
    limits: &[LimitPlace],
    fields: &Fields<'_>,
    report: &mut Report,
) {
    let Cost::Fixed(cost) = cost else {
        return;
    };
    for place in limits {
        let quota = place.limit.quota();
        if *cost > quota {
            report
                .error(
                    fields.span_of("cost"),
                    format!(
                        "the cost {cost} is more than `{}` can ever admit",
                        place.limit
                    ),
                )
                .related(place.span.clone(), "the limit")
                .help(format!("lower the cost to {quota}, or raise the limit"));
        }
    }
}

/// Reads which requests count; where it is wrong, `None`.
pub(super) fn count(fields: &Fields<'_>, report: &mut Report) -> Option<Count> {
    if !fields.has("count") {
        return Some(Count::default());
    }
    let node = fields.node("count");
    match node.and_then(Node::text).map(Text::value) {
        Some("failures") => return Some(Count::Failures(Statuses::default())),
        Some(_) => return Some(Count::All),
        None => {}
    }
    if !fields.is_list("count") {
        return None;
    }
    let items = fields.items("count");
    if items.is_empty() {
        report
            .error(
                fields.span_of("count"),
                "`count` lists no status, so that nothing would count",
            )
            .help("list the statuses of failures, such as `[401]`");
    }
    // Each is looked at, also after one that is wrong.
    let ranges: Vec<_> = items
        .iter()
        .filter_map(|item| statuses(item, report))
        .collect();
    let are_right = node.is_some() && !items.is_empty() && ranges.len() == items.len();
    are_right.then(|| Count::Failures(Statuses::in_ranges(ranges)))
}

fn statuses(node: &Node, report: &mut Report) -> Option<std::ops::RangeInclusive<u16>> {
    if let Some(status) = node.integer() {
        let status = u16::try_from(status).ok()?;
        return Some(status..=status);
    }
    let text = node.text()?;
    let value = text.value();
    let class = value
        .strip_suffix("xx")
        .or_else(|| value.strip_suffix("XX"));
    let bounds = match class {
        Some(class) => class
            .parse::<u16>()
            .ok()
            .and_then(|class| class.checked_mul(100))
            .map(|first| (first, first.saturating_add(99))),
        None => {
            let (first, last) = value.split_once('-').unwrap_or((value, value));
            first.trim().parse().ok().zip(last.trim().parse().ok())
        }
    };
    let range = bounds.filter(|(first, last)| *first >= 100 && *last <= 599 && first <= last);
    if range.is_none() {
        report
            .error(
                text.span(),
                format!("{} is not a range of statuses", quoted(value)),
            )
            .help("write one such as `\"4xx\"` or `\"500-504\"`, from 100 to 599, the lower first");
    }
    range.map(|(first, last)| first..=last)
}
