//! A report as one page of HTML.

mod chart;
mod head;
mod input;
mod markup;
mod overview;
mod policy;
mod table;

use crate::report::Report;

use super::instant::common_day;
use markup::Markup;

/// A report as one page of HTML that needs nothing else: no network, no other file, no script to be
/// read.
///
/// It is light or dark as the reader's system is, fits a phone and a sheet of paper, and forbids
/// itself, by its Content-Security-Policy, whatever it does not bring along. Ends in a line's end.
#[must_use]
pub fn html(report: &Report) -> String {
    let mut page = Markup::default();
    head::write(&mut page, report);
    page.put("<body>\n");
    overview::header(&mut page, report);
    page.put("<main>\n");
    overview::warnings(&mut page, report);
    overview::traffic(&mut page, report);
    overview::policies(&mut page, report);
    let day = common_day(report.from.as_deref(), report.to.as_deref());
    for (index, policy) in report.policies.iter().enumerate() {
        policy::write(&mut page, report, policy, index + 1, day.as_deref());
    }
    input::write(&mut page, report);
    page.put("</main>\n<footer><p>Written by <code>tollgate replay</code>.</p></footer>\n");
    head::script(&mut page);
    page.put("</body>\n</html>\n");
    page.into_string()
}
