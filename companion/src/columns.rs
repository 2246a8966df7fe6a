//! Which columns of a table are what, as options of commands.

use graph::formats::{FormatError, TableColumns};

/// Which columns of a table have what, by what its first row calls them or by their places from 1.
#[derive(Clone, Default, clap::Args)]
pub(crate) struct Columns {
    /// The column of a table that an edge starts at: its name in the first row, or its place from 1.
    #[arg(long, value_name = "COLUMN")]
    source: Option<String>,
    /// The column that an edge ends at.
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
    /// The column of what an edge is called.
    #[arg(long, value_name = "COLUMN")]
    relation: Option<String>,
}

impl Columns {
    /// The columns that were named.
    pub(crate) fn chosen(&self) -> TableColumns {
        let Self { source, target, relation } = self.clone();
        TableColumns { source, target, relation, weight: None }
    }

    /// The same as a command line has them.
    pub(crate) fn as_args(&self) -> Vec<String> {
        let named = [
            ("--source", &self.source),
            ("--target", &self.target),
            ("--relation", &self.relation),
        ];
        named
            .into_iter()
            .filter_map(|(option, name)| Some([option.to_owned(), name.clone()?]))
            .flatten()
            .collect()
    }
}

/// An error with the options that help.
pub(crate) fn worded(error: &FormatError) -> String {
    let options = if error.table.is_some() { " with --source and --target" } else { "" };
    format!("{error}{options}")
}
