//! Benchmarks: systems on problems, as runs that resume, reports, tables and pages.
#![warn(missing_docs)]
