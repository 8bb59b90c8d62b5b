//! Rows of cells under heads.

use textwrap::core::display_width;

use super::paint::Tone;
use super::paper::cut;

const GAP: usize = 2;
/// A column that gives way is not narrower than this.
const NARROWEST: usize = 14;

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// What a row has in one column.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    text: String,
    tone: Tone,
}

impl Cell {
    pub(super) fn new(tone: Tone, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { text, tone }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::new(Tone::Plain, text)
    }
}

#[derive(Clone, Debug)]
struct Column {
    head: &'static str,
    align: Align,
    /// The others are left out, the last first, where the paper is too narrow.
    is_needed: bool,
    /// Its texts are cut where the paper is too narrow.
    gives_way: bool,
}

/// Rows in columns that are as wide as what is in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Columns {
    /// A column that is left out last.
    pub(super) fn needed(self, head: &'static str, align: Align) -> Self {
        self.column(head, align, true, false)
    }

    /// A column that is left out where there is no room for it.
    pub(super) fn optional(self, head: &'static str, align: Align) -> Self {
        self.column(head, align, false, false)
    }

    /// A column whose texts are cut where there is no room for them.
    pub(super) fn yielding(self, head: &'static str) -> Self {
        self.column(head, Align::Left, true, true)
    }

    fn column(
        mut self,
        head: &'static str,
        align: Align,
        is_needed: bool,
        gives_way: bool,
    ) -> Self {
        self.columns.push(Column {
            head,
            align,
            is_needed,
            gives_way,
        });
        self
    }

    pub(super) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// The head and the rows, none of them wider than `width` if two columns can be.
    pub(super) fn lines(&self, width: usize, is_coloured: bool) -> Vec<String> {
        let mut widths = self.natural_widths();
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        while self.least(&shown, &widths) > width {
            let last = shown.iter().rposition(|at| !self.columns[*at].is_needed);
            // Where even those that are needed have no room, the first two say the most.
            match last {
                Some(last) => drop(shown.remove(last)),
                None if shown.len() > 2 => drop(shown.pop()),
                None => break,
            }
        }
        let natural: usize = total(&shown, &widths);
        if let Some(yielding) = shown.iter().find(|at| self.columns[**at].gives_way) {
            let too_wide = natural.saturating_sub(width);
            widths[*yielding] = widths[*yielding].saturating_sub(too_wide).max(1);
        }
        let heads = self.columns.iter();
        let heads = heads
            .map(|column| Cell::new(Tone::Faint, column.head))
            .collect();
        let has_heads = self.columns.iter().any(|column| !column.head.is_empty());
        has_heads
            .then_some(&heads)
            .into_iter()
            .chain(&self.rows)
            .map(|cells| self.line(cells, &shown, &widths, is_coloured))
            .collect()
    }

    fn natural_widths(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(at, column)| {
                let cells = self.rows.iter().filter_map(|row| row.get(at));
                let widest = cells.map(|cell| display_width(&cell.text)).max();
                widest.unwrap_or(0).max(display_width(column.head))
            })
            .collect()
    }

    /// The least width in which these columns fit.
    fn least(&self, shown: &[usize], widths: &[usize]) -> usize {
        let gives_way = |at: &&usize| self.columns[**at].gives_way;
        let given: usize = shown
            .iter()
            .filter(gives_way)
            .map(|at| widths[*at].saturating_sub(NARROWEST))
            .sum();
        total(shown, widths).saturating_sub(given)
    }

    fn line(&self, cells: &[Cell], shown: &[usize], widths: &[usize], is_coloured: bool) -> String {
        let mut line = String::new();
        for (index, at) in shown.iter().enumerate() {
            let (column, width) = (&self.columns[*at], widths[*at]);
            let Some(cell) = cells.get(*at) else { continue };
            let text = cut(&cell.text, width);
            let gap = " ".repeat(width.saturating_sub(display_width(&text)));
            if index > 0 {
                line.push_str(&" ".repeat(GAP));
            }
            let painted = cell.tone.paint(&text, is_coloured);
            match column.align {
                Align::Left => line.extend([painted, gap]),
                Align::Right => line.extend([gap, painted]),
            }
        }
        line.trim_end().to_owned()
    }
}

fn total(shown: &[usize], widths: &[usize]) -> usize {
    let gaps = shown.len().saturating_sub(1) * GAP;
    shown.iter().map(|at| widths[*at]).sum::<usize>() + gaps
}
