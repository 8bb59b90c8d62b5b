//! A drawing of offered and admitted units over time.

use std::fmt::Write;

use tollgate::Limit;

use super::answer::Answer;
use super::labels::{self, rounded};
use super::scales::Scale;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = 44.0;

/// More points than a screen has columns show nothing more.
const MAX_POINTS: usize = 8_192;

const STYLE: &str = "
  text { font: 12px system-ui, sans-serif; fill: #333 }
  .title { font-size: 14px; font-weight: 600 }
  .grid { stroke: #ddd } .axis { stroke: #888 }
  .offered { stroke: #888; stroke-dasharray: 5 3 } .admitted { stroke: #0a6e3c }
  .offered, .admitted { fill: none; stroke-width: 2 }
  .denied { stroke: #b3261e; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    svg { background: #16181c } text { fill: #ddd } .grid { stroke: #333 }
    .offered { stroke: #999 } .admitted { stroke: #58c98b } .denied { stroke: #ff8a80 }
  }
";

/// Sums over the requests so far.
#[derive(Clone, Copy, Debug)]
struct Point {
    seconds: f64,
    offered: f64,
    admitted: f64,
}

/// Collects what is drawn: two steps that climb, and a tick for each denial.
#[derive(Debug)]
pub(super) struct Plot {
    title: String,
    points: Vec<Point>,
    denials: Vec<f64>,
    /// Of so many requests one point is kept.
    stride: u64,
    seen: u64,
    last: Point,
}

impl Plot {
    pub(super) fn new(limits: &[Limit]) -> Self {
        let limits: Vec<_> = limits.iter().map(Limit::to_string).collect();
        Self {
            title: limits.join(" and "),
            points: Vec::new(),
            denials: Vec::new(),
            stride: 1,
            seen: 0,
            last: Point {
                seconds: 0.0,
                offered: 0.0,
                admitted: 0.0,
            },
        }
    }

    pub(super) fn add(&mut self, answer: &Answer<'_>) {
        let cost = float(answer.request.cost);
        let is_allowed = answer.outcome.verdict.is_allow();
        // A clock that steps back does not make a line go back.
        let seconds = float(answer.request.at.as_micros()) / 1e6;
        let seconds = if self.seen == 0 {
            seconds
        } else {
            seconds.max(self.last.seconds)
        };
        self.last = Point {
            seconds,
            offered: self.last.offered + cost,
            admitted: self.last.admitted + if is_allowed { cost } else { 0.0 },
        };
        if self.seen.is_multiple_of(self.stride) {
            self.points.push(self.last);
            if !is_allowed {
                self.denials.push(seconds);
            }
        }
        self.seen += 1;
        if self.points.len() > MAX_POINTS {
            self.stride *= 2;
            keep_every_second(&mut self.points);
            keep_every_second(&mut self.denials);
        }
    }

    /// The drawing, which looks right on light and on dark pages.
    pub(super) fn svg(&self) -> String {
        let first = self.points.first().map_or(0.0, |point| point.seconds);
        let time = Scale::new((first, self.last.seconds), (LEFT, WIDTH - RIGHT));
        let units = Scale::new((0.0, self.last.offered), (HEIGHT - BOTTOM, TOP));
        let mut svg = String::new();
        self.draw(&mut svg, time, units)
            .map_or_else(|_| String::new(), |()| svg)
    }

    fn draw(&self, svg: &mut String, time: Scale, units: Scale) -> std::fmt::Result {
        let title = escape(&self.title);
        write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-label=\"{title}: offered {}, admitted {}\">\n<style>{STYLE}</style>\n",
            self.last.offered, self.last.admitted,
        )?;
        let (shown, size) = labels::title(&self.title, WIDTH - RIGHT - LEFT);
        let size = size.map_or_else(String::new, |size| {
            format!(" style=\"font-size:{size:.1}px\"")
        });
        writeln!(
            svg,
            "<text class=\"title\" x=\"{LEFT}\" y=\"22\"{size}>{}</text>",
            escape(&shown)
        )?;
        let (offered, admitted) = (
            format!("offered: {}", self.last.offered),
            format!("admitted: {}", self.last.admitted),
        );
        // Each begins where the one before it has room for ordinary numbers, or ends.
        let second = LEFT + 170_f64.max(30.0 + labels::width(&offered) + 16.0);
        let third = second + 182_f64.max(30.0 + labels::width(&admitted) + 16.0);
        writeln!(
            svg,
            "<path class=\"offered\" d=\"M{LEFT} 38h24\"/><text x=\"{}\" y=\"42\">{offered}</text>\n<path class=\"admitted\" d=\"M{} 38h24\"/><text x=\"{}\" y=\"42\">{admitted}</text>\n<path class=\"denied\" d=\"M{} 33v10\"/><text x=\"{}\" y=\"42\">a denial</text>",
            LEFT + 30.0,
            second,
            second + 30.0,
            third,
            third + 10.0,
        )?;
        let floor = HEIGHT - BOTTOM;
        for mark in units.marks(1.0) {
            let y = units.pixel(mark);
            writeln!(
                svg,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 8.0,
                y + 4.0,
                labels::units(mark),
            )?;
        }
        for mark in time.marks(1e-6) {
            let x = time.pixel(mark);
            let label = format!("{} s", rounded(mark));
            // The last one stays on the drawing.
            let middle = x.min(WIDTH - labels::width(&label) / 2.0);
            writeln!(
                svg,
                "<path class=\"axis\" d=\"M{x:.1} {floor}v5\"/><text x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
                floor + 20.0,
            )?;
        }
        writeln!(
            svg,
            "<path class=\"axis\" d=\"M{LEFT} {floor}H{}\"/>",
            WIDTH - RIGHT
        )?;
        for denial in &self.denials {
            let x = time.pixel(*denial);
            writeln!(
                svg,
                "<path class=\"denied\" d=\"M{x:.1} {}v8\"/>",
                floor - 8.0
            )?;
        }
        self.draw_steps(svg, "offered", time, units, |point| point.offered)?;
        self.draw_steps(svg, "admitted", time, units, |point| point.admitted)?;
        writeln!(svg, "</svg>")
    }

    fn draw_steps(
        &self,
        svg: &mut String,
        class: &str,
        time: Scale,
        units: Scale,
        value: impl Fn(&Point) -> f64,
    ) -> std::fmt::Result {
        let first = self.points.first().map_or(0.0, |point| point.seconds);
        write!(
            svg,
            "<path class=\"{class}\" d=\"M{:.1} {:.1}",
            time.pixel(first),
            units.pixel(0.0)
        )?;
        let mut drawn = 0.0;
        for point in self.points.iter().chain([&self.last]) {
            if value(point) > drawn {
                drawn = value(point);
                write!(
                    svg,
                    "H{:.1}V{:.1}",
                    time.pixel(point.seconds),
                    units.pixel(drawn)
                )?;
            }
        }
        writeln!(svg, "H{:.1}\"/>", time.pixel(self.last.seconds))
    }
}

fn keep_every_second<T>(list: &mut Vec<T>) {
    let mut keep = false;
    list.retain(|_| {
        keep = !keep;
        keep
    });
}

/// For a drawing, the nearest float will do.
#[expect(clippy::cast_precision_loss, reason = "a pixel is coarser")]
const fn float(number: u64) -> f64 {
    number as f64
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::trace::Request;
    use super::*;
    use tollgate::{Charge, ManualClock, MemoryStore, Timestamp};

    fn plot(count: u64) -> Plot {
        let limit: Limit = "10/min".parse().unwrap();
        let clock = ManualClock::new(Timestamp::EPOCH);
        let store = MemoryStore::with_clock(clock.clone());
        let mut plot = Plot::new(std::slice::from_ref(&limit));
        for second in 0..count {
            let request = Request {
                at: Timestamp::from_secs(second),
                cost: 1,
                key: String::new(),
            };
            clock.set(request.at);
            let outcomes = store.decide_now(&[Charge::new(&limit, "", 1)]).unwrap();
            plot.add(&Answer::new(&request, &outcomes, None).unwrap());
        }
        plot
    }

    #[test]
    fn tells_the_sums() {
        let svg = plot(60).svg();
        assert!(svg.contains(">offered: 60<"), "{svg}");
        assert!(svg.contains(">admitted: 19<"), "{svg}");
        assert_eq!(
            svg.matches("class=\"denied\" d=\"M").count(),
            1 + 41,
            "{svg}"
        );
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn keeps_a_bounded_number_of_points() {
        let plot = plot(100_000);
        assert!(plot.points.len() <= MAX_POINTS, "{}", plot.points.len());
        assert!(plot.svg().contains(">offered: 100000<"));
    }

    #[test]
    fn draws_a_single_instant_and_nothing_at_all() {
        for count in [0, 1] {
            let svg = plot(count).svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
