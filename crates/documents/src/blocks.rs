//! Paragraphs, lists, tables and code, as they are written.

use crate::DocumentLimits;
use crate::inline::{Inline, Look};
use crate::out::{Out, one_line};
use crate::table::Table;

/// How many columns or rows one cell spans at most.
const SPAN: usize = 50;

/// What is open in a page, a text or a slide.
pub(crate) struct Blocks<'a> {
    out: &'a mut Out,
    limits: &'a DocumentLimits,
    inline: Inline,
    /// The level of the heading that is open, else 0.
    pub(crate) heading: usize,
    /// The lists that are open: the next number, where they are numbered.
    lists: Vec<Option<usize>>,
    /// Lists that are open beyond those, because they are too deep.
    deeper: usize,
    /// Whether the mark of an item is still to be written.
    has_mark: bool,
    quotes: usize,
    code: Option<String>,
    /// How many elements are open that make letters look otherwise.
    looks: [usize; 5],
    /// Tables that are open, the outermost counted.
    tables: usize,
    grid: Option<Grid>,
}

/// The outermost table that is open.
struct Grid {
    table: Table,
    row: Vec<String>,
    /// For how many further rows a column is taken by a cell above.
    taken: Vec<usize>,
    cell: Option<(String, usize, usize)>,
}

impl<'a> Blocks<'a> {
    /// Nothing is open.
    pub(crate) fn new(out: &'a mut Out, limits: &'a DocumentLimits) -> Self {
        Self {
            out,
            limits,
            inline: Inline::default(),
            heading: 0,
            lists: Vec::new(),
            deeper: 0,
            has_mark: false,
            quotes: 0,
            code: None,
            looks: [0; 5],
            tables: 0,
            grid: None,
        }
    }

    /// Whether nothing more has room.
    pub(crate) fn is_full(&self) -> bool {
        self.out.is_full()
            || self.inline.len() > self.out.room()
            || self.grid.as_ref().is_some_and(|grid| grid.table.is_full())
    }

    /// Whether a table is open.
    pub(crate) fn is_table(&self) -> bool {
        self.tables > 0
    }

    /// Appends a text where we are.
    pub(crate) fn text(&mut self, text: &str) {
        match &mut self.code {
            Some(code) => {
                if code.len() <= self.out.room() {
                    code.push_str(text);
                }
            }
            None => self.inline.push(text),
        }
    }

    /// Ends the paragraph.
    pub(crate) fn flush(&mut self) {
        if self.inline.is_empty() {
            self.inline.take();
            return;
        }
        let text = self.inline.take();
        if let Some(grid) = &mut self.grid {
            if let Some((cell, ..)) = &mut grid.cell {
                if !cell.is_empty() {
                    cell.push('\n');
                }
                cell.push_str(&text);
            } else {
                grid.table.push(vec![text]);
            }
            return;
        }
        if self.heading > 0 {
            self.out.heading(self.heading, &text);
            return;
        }
        let quotes = "> ".repeat(self.quotes);
        if self.lists.is_empty() {
            self.out.gap();
            for line in text.lines() {
                self.out.line(&format!("{quotes}{line}"));
            }
            self.out.gap();
            return;
        }
        let mut indent = "  ".repeat(self.lists.len() - 1);
        for line in text.lines() {
            if std::mem::take(&mut self.has_mark) {
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number = number.saturating_add(1);
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                };
                self.out.line(&format!("{quotes}{indent}{mark}{line}"));
                indent.push_str("  ");
            } else {
                self.out.line(&format!("{quotes}{indent}{line}"));
            }
        }
    }

    /// The title of the page: its first heading.
    pub(crate) fn title(&mut self) {
        let text = self.inline.take();
        if !text.is_empty() && self.grid.is_none() {
            self.out.line(&format!("Title: {}", one_line(&text)));
            self.out.gap();
        }
    }

    /// Opens a list, numbered from `start` if there is one.
    pub(crate) fn open_list(&mut self, start: Option<usize>) {
        self.flush();
        if self.lists.len() < self.limits.depth {
            if self.lists.is_empty() && self.grid.is_none() {
                self.out.gap();
            }
            self.lists.push(start.map(|start| start.min(1_000_000_000)));
        } else {
            self.deeper += 1;
            self.out.note(format!("Lists deeper than {} are shown flat.", self.limits.depth));
        }
    }

    /// Closes the innermost list.
    pub(crate) fn close_list(&mut self) {
        self.flush();
        self.has_mark = false;
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if self.lists.pop().is_some() && self.lists.is_empty() && self.grid.is_none() {
            self.out.gap();
        }
    }

    /// Begins an item.
    pub(crate) fn item(&mut self) {
        self.flush();
        if self.lists.is_empty() {
            self.open_list(None);
        }
        self.has_mark = true;
    }

    /// Begins an item of a list `level` deep, from 0, with its number if it has one.
    pub(crate) fn item_at(&mut self, level: usize, number: Option<usize>) {
        self.flush();
        if self.lists.is_empty() && self.grid.is_none() {
            self.out.gap();
        }
        self.lists.resize(level.min(self.limits.depth) + 1, None);
        if let Some(last) = self.lists.last_mut() {
            *last = number;
        }
        self.has_mark = true;
    }

    /// Closes all lists.
    pub(crate) fn no_list(&mut self) {
        self.flush();
        self.has_mark = false;
        if !self.lists.is_empty() {
            self.lists.clear();
            if self.grid.is_none() {
                self.out.gap();
            }
        }
    }

    /// Opens or closes a quotation.
    pub(crate) fn quote(&mut self, opens: bool) {
        self.flush();
        self.quotes = if opens {
            (self.quotes + 1).min(self.limits.depth)
        } else {
            self.quotes.saturating_sub(1)
        };
    }

    /// Begins code of several lines.
    pub(crate) fn open_pre(&mut self) {
        if self.code.is_none() {
            self.flush();
            self.code = Some(String::new());
        }
    }

    /// Ends it.
    pub(crate) fn close_pre(&mut self) {
        let Some(code) = self.code.take() else { return };
        if code.trim().is_empty() {
            return;
        }
        if self.grid.is_some() {
            self.inline.push(&code);
            self.flush();
            return;
        }
        let fence = "`".repeat(2 + longest_run(&code, '`').max(1));
        self.out.gap();
        self.out.line(&fence);
        for line in code.trim_matches('\n').lines() {
            self.out.line(line.trim_end());
        }
        self.out.line(&fence);
        self.out.gap();
    }

    /// Ends the line, not the paragraph.
    pub(crate) fn line_break(&mut self) {
        match &mut self.code {
            Some(code) => code.push('\n'),
            None => self.inline.line_break(),
        }
    }

    /// A line across the page.
    pub(crate) fn rule(&mut self) {
        self.flush();
        if self.grid.is_none() {
            self.out.paragraph("---");
        }
    }

    /// How what comes looks.
    pub(crate) fn set_look(&mut self, look: Look) {
        self.inline.set(look);
    }

    /// Begins (1) or ends (-1) bold, italics, struck text, and letters above or below the line:
    /// the first to the fifth style.
    pub(crate) fn style(&mut self, which: usize, by: isize) {
        self.looks[which] = self.looks[which].saturating_add_signed(by);
        let [bold, italic, struck, above, below] = self.looks.map(|n| n > 0);
        let script = if above { Some('^') } else { below.then_some('_') };
        let look = Look { is_bold: bold, is_italic: italic, is_struck: struck, script };
        if self.code.is_none() {
            self.inline.set(look);
        }
    }

    /// Begins or ends code within a line.
    pub(crate) fn code(&mut self) {
        if self.code.is_none() {
            self.inline.push_raw("`");
        }
    }

    /// Opens a link.
    pub(crate) fn open_link(&mut self, to: &str) {
        if self.code.is_none() {
            self.inline.open_link(to);
        }
    }

    /// Closes it.
    pub(crate) fn close_link(&mut self) {
        self.inline.close_link();
    }

    /// Opens a table; one within another becomes text of its cell.
    pub(crate) fn open_table(&mut self) {
        self.flush();
        self.tables += 1;
        if self.tables == 1 {
            let table = Table::new(self.out, self.limits.cells);
            self.grid = Some(Grid { table, row: Vec::new(), taken: Vec::new(), cell: None });
        }
    }

    /// Closes the innermost table.
    pub(crate) fn close_table(&mut self) {
        if self.tables == 1 {
            self.close_row();
            if let Some(grid) = self.grid.take() {
                grid.table.write(self.out, "A table");
            }
        }
        self.tables = self.tables.saturating_sub(1);
    }

    /// Begins a row.
    pub(crate) fn row(&mut self) {
        if self.tables == 1 {
            self.close_row();
        } else {
            self.flush();
        }
    }

    /// Ends the row.
    pub(crate) fn close_row(&mut self) {
        if self.tables != 1 {
            self.flush();
            return;
        }
        self.close_cell();
        if let Some(grid) = &mut self.grid {
            grid.below();
            let row = std::mem::take(&mut grid.row);
            grid.table.push(row);
        }
    }

    /// Begins a cell that spans columns and rows.
    pub(crate) fn cell(&mut self, columns: usize, rows: usize) {
        if self.tables != 1 {
            self.inline.push(" ");
            return;
        }
        self.close_cell();
        if let Some(grid) = &mut self.grid {
            grid.below();
            grid.cell = Some((String::new(), columns.clamp(1, SPAN), rows.clamp(1, SPAN)));
        }
    }

    /// Ends the cell.
    pub(crate) fn close_cell(&mut self) {
        if self.tables != 1 {
            self.inline.push(" ");
            return;
        }
        self.flush();
        if let Some(grid) = &mut self.grid
            && let Some((text, columns, rows)) = grid.cell.take()
        {
            let start = grid.row.len();
            grid.row.push(text);
            grid.row.resize(start + columns, String::new());
            if rows > 1 {
                if grid.taken.len() < start + columns {
                    grid.taken.resize(start + columns, 0);
                }
                grid.taken[start..start + columns].fill(rows);
            }
        }
    }

    /// Writes what is still open.
    pub(crate) fn finish(mut self) {
        self.close_pre();
        self.flush();
        if self.grid.is_some() {
            self.tables = 1;
            self.close_table();
        }
    }
}

impl Grid {
    /// Leaves cells empty that are taken from above, at the place where the row is.
    fn below(&mut self) {
        while let Some(taken) = self.taken.get_mut(self.row.len())
            && *taken > 1
        {
            *taken -= 1;
            self.row.push(String::new());
        }
    }
}

/// The longest row of a character.
fn longest_run(text: &str, wanted: char) -> usize {
    let (mut best, mut run) = (0, 0);
    for char in text.chars() {
        run = if char == wanted { run + 1 } else { 0 };
        best = best.max(run);
    }
    best
}
