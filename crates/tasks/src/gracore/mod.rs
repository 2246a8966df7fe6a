//! Tasks of GraCoRe (arXiv 2407.02936), one file each.

pub(crate) mod coloring;
