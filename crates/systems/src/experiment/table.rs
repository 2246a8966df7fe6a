//! The tables of papers as data: which runs, which rows, which columns, and the paper's own figures.

use std::collections::BTreeMap;

use super::{Case, Score, Setup};

/// A way to part cases that is neither their group nor their level.
#[derive(Clone, Copy)]
pub struct PartSpec {
    /// What a part is called, as the head of its column.
    pub title: &'static str,
    /// The part that a case is in; empty where it is not known.
    pub of: fn(&Case) -> String,
    /// The parts in their order; others come behind them.
    pub order: &'static [&'static str],
}

/// What a row of a table is about, beside its labels.
#[derive(Clone, Copy)]
pub enum TableRows {
    /// One row for each setup, or for setups with the same labels.
    Setups,
    /// One for each of these and each group of cases.
    Groups,
    /// One for each of these and each level.
    Levels,
    /// One for each of these and each part.
    Parts(PartSpec),
}

impl TableRows {
    /// The title of the column that tells the part; none where rows have no part.
    pub fn title(self) -> Option<&'static str> {
        match self {
            Self::Setups => None,
            Self::Groups => Some("Cases"),
            Self::Levels => Some("Level"),
            Self::Parts(spec) => Some(spec.title),
        }
    }

    /// The part that a case counts in.
    pub fn part(self, case: &Case) -> String {
        match self {
            Self::Setups => String::new(),
            Self::Groups => case.group.clone(),
            Self::Levels => case.level.clone(),
            Self::Parts(spec) => (spec.of)(case),
        }
    }
}

/// Counts added up over runs, for figures that are no means.
pub type Sums = BTreeMap<String, u64>;

/// How the values of many runs become one figure.
#[derive(Clone, Copy)]
pub enum Aggregate {
    /// The share of cases with the verdict `Correct`.
    Correct,
    /// The share of runs in which a measure is 1, of those that have it.
    Share(&'static str),
    /// The mean of a measure over the runs that have it.
    Mean(&'static str),
    /// Computed from the sums of counts.
    Of(fn(&Sums) -> Option<f64>),
}

/// A column of figures.
#[derive(Clone, Copy)]
pub struct Column {
    /// The title of the column.
    pub title: &'static str,
    /// What stands in it, from 0 to 1.
    pub value: Aggregate,
    /// Whether a second column has the 95 % interval: Wilson's for shares, else that of the mean.
    pub has_interval: bool,
}

impl Column {
    /// A share without its interval.
    pub const fn share(title: &'static str, measure: &'static str) -> Self {
        Self { title, value: Aggregate::Share(measure), has_interval: false }
    }

    /// A mean without its interval.
    pub const fn mean(title: &'static str, measure: &'static str) -> Self {
        Self { title, value: Aggregate::Mean(measure), has_interval: false }
    }

    /// A figure that is computed from sums of counts.
    pub const fn of_sums(title: &'static str, of: fn(&Sums) -> Option<f64>) -> Self {
        Self { title, value: Aggregate::Of(of), has_interval: false }
    }

    /// The same with its interval in a column beside it.
    #[must_use]
    pub const fn with_interval(self) -> Self {
        Self { has_interval: true, ..self }
    }
}

/// A row of somebody else's figures.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRow {
    /// The texts of the label columns.
    pub labels: Vec<String>,
    /// The group of cases that it stands beside; empty for all.
    pub group: String,
    /// How many cases, where that is known.
    pub n: Option<u32>,
    /// A figure for each column, from 0 to 1.
    pub values: Vec<Option<f64>>,
}

/// The name of a label column, and its text for a setup.
pub type Label = (&'static str, fn(&Setup) -> String);

/// The way of counting of a paper's public code.
pub const COMPAT: &str = "compat";

/// A table of a report, as data.
pub struct TableSpec {
    /// What the table shows.
    pub title: &'static str,
    /// What a reader needs to know beside it.
    pub note: &'static str,
    /// Which setups it counts.
    pub keep: fn(&Setup) -> bool,
    /// The label columns, each with its name and its text for a setup.
    pub labels: &'static [Label],
    /// What a row is.
    pub rows: TableRows,
    /// The columns of figures.
    pub columns: &'static [Column],
    /// Rows with the figures of the paper for these cases: none where the paper reports nothing of
    /// such cases.
    pub published: fn(&[&Case]) -> Vec<PublishedRow>,
    /// Where these are from; empty where there are none.
    pub source: &'static str,
    /// By which way of counting it is drawn: empty for the usual, [`COMPAT`] for that of a paper's
    /// public code where it differs.
    pub variant: &'static str,
}

/// A table of how many times as much one system takes as another: dollars and time, pair by pair.
///
/// A pair is a case that both answered. The figure is the geometric mean of the pairs' ratios, so
/// that twice as much and half as much make one.
pub struct RatioSpec {
    /// What the table shows.
    pub title: &'static str,
    /// What a reader needs to know beside it.
    pub note: &'static str,
    /// The id of the system whose figures are divided.
    pub of: &'static str,
    /// The id of the system by whose figures they are divided.
    pub by: &'static str,
    /// Dollars for a million input and output tokens.
    pub prices: (f64, f64),
    /// How cases are parted into rows.
    pub parts: PartSpec,
    /// What a paper reports for these cases: a label, the ratio of dollars, that of times.
    pub published: fn(&[&Case]) -> Option<[&'static str; 3]>,
    /// Where these are from.
    pub source: &'static str,
}

/// What a paper reports for a group of cases, as rows of the table of correct answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// A label, how many cases, how many right, and the average time in seconds.
    pub rows: Vec<(&'static str, u32, u32, Option<f64>)>,
    /// Where they are from.
    pub source: &'static str,
}

/// A run as tables see it.
#[derive(Clone, Copy)]
pub struct Counted<'a> {
    /// How it was made.
    pub setup: &'a Setup,
    /// The case of the run.
    pub case: &'a Case,
    /// How good it was.
    pub score: &'a Score,
}
