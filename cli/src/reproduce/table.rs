//! A table for people and for programs.

use std::fmt::Write;

/// A table with its name, and with notes on what its figures mean.
pub struct ResultTable {
    pub name: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<TableCell>>,
    pub notes: Vec<String>,
}

/// The head of a column; neighbours of the same group share a line above them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub group: &'static str,
    pub name: &'static str,
}

/// What stands in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableCell {
    Text(String),
    /// A number, with how many of its decimals are shown to people.
    Number(f64, usize),
}

impl TableCell {
    /// A time, with enough digits to tell it from nothing.
    pub fn seconds(seconds: f64) -> TableCell {
        TableCell::Number(seconds, if seconds < 1.0 { 5 } else { 2 })
    }

    /// A count.
    pub fn count(count: usize) -> TableCell {
        TableCell::Number(count as f64, 0)
    }

    /// A figure as somebody printed it: a number if it is one.
    pub fn printed(text: &str) -> TableCell {
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        text.parse().map_or_else(|_| TableCell::Text(text.to_owned()), |number| TableCell::Number(number, decimals))
    }

    fn json(&self) -> serde_json::Value {
        match self {
            TableCell::Text(text) => text.as_str().into(),
            TableCell::Number(number, 0) => (*number as i64).into(),
            // More digits than this were not measured.
            TableCell::Number(number, _) => ((number * 1e8).round() / 1e8).into(),
        }
    }
}

impl std::fmt::Display for TableCell {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            TableCell::Text(text) => f.write_str(text),
            TableCell::Number(number, decimals) => write!(f, "{number:.decimals$}"),
        }
    }
}

impl Column {
    /// A column that says what its row is about.
    pub fn label(name: &'static str) -> Column {
        Column { group: "", name }
    }

    fn full_name(&self) -> String {
        if self.group.is_empty() { self.name.to_owned() } else { format!("{} {}", self.group, self.name) }
    }
}

impl ResultTable {
    /// The table as one JSON object.
    pub fn json(&self) -> serde_json::Value {
        let rows: Vec<Vec<serde_json::Value>> =
            self.rows.iter().map(|row| row.iter().map(TableCell::json).collect()).collect();
        let columns: Vec<String> = self.columns.iter().map(Column::full_name).collect();
        serde_json::json!({ "name": self.name, "columns": columns, "rows": rows, "notes": self.notes })
    }

    /// The table for a terminal.
    pub fn text(&self) -> String {
        let (bold, dim) = (anstyle::Style::new().bold(), anstyle::Style::new().dimmed());
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(TableCell::to_string).collect()).collect();
        let widths = self.widths(&rows);
        let mut text = format!("{bold}{}{bold:#}\n", self.name);
        let head = [self.group_line(&widths), self.line(&widths, self.columns.iter().map(|column| column.name))];
        for line in head.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()) {
            let _ = writeln!(text, "{dim}{line}{dim:#}");
        }
        for row in &rows {
            let _ = writeln!(text, "{}", self.line(&widths, row.iter().map(String::as_str)).trim_end());
        }
        for note in &self.notes {
            let _ = writeln!(text, "{dim}{note}{dim:#}");
        }
        text
    }

    fn line<'a>(&self, widths: &[usize], cells: impl Iterator<Item = &'a str>) -> String {
        let mut line = String::new();
        for ((column, width), cell) in self.columns.iter().zip(widths).zip(cells) {
            let gap = if line.is_empty() { "" } else { "  " };
            let _ = match column.group {
                "" => write!(line, "{gap}{cell:<width$}"),
                _ => write!(line, "{gap}{cell:>width$}"),
            };
        }
        line
    }

    /// The runs of columns with the same group.
    fn groups(&self) -> impl Iterator<Item = &[Column]> {
        self.columns.chunk_by(|a, b| a.group == b.group)
    }

    fn widths(&self, rows: &[Vec<String>]) -> Vec<usize> {
        let widest = |(at, column): (usize, &Column)| {
            rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0).max(column.name.len())
        };
        let mut widths: Vec<usize> = self.columns.iter().enumerate().map(widest).collect();
        let mut first = 0;
        for group in self.groups() {
            let columns = &mut widths[first..first + group.len()];
            let width = columns.iter().sum::<usize>() + 2 * (group.len() - 1);
            // A long title makes room for itself.
            columns[0] += group[0].group.len().saturating_sub(width);
            first += group.len();
        }
        widths
    }

    fn group_line(&self, widths: &[usize]) -> String {
        let mut parts = Vec::new();
        let mut first = 0;
        for group in self.groups() {
            let width = widths[first..first + group.len()].iter().sum::<usize>() + 2 * (group.len() - 1);
            parts.push(format!("{:>width$}", group[0].group));
            first += group.len();
        }
        parts.join("  ")
    }
}
