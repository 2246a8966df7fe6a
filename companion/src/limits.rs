//! How much of what others wrote is read: every bound in one place, each with its reason.
//!
//! A bound is on bytes as they are read, unpacked, never on what a file says of itself: sizes in
//! heads and in a file system's tables lie.

/// A text that is held whole while it is read: graphs, pairs, results. Parsing one takes some times
/// its size in memory, so that this fits a machine of 8 GB.
pub const TEXT: usize = 500_000_000;
/// A file of composed functions: forty of them, each of some kilobytes.
pub(crate) const PROPOSALS: usize = 4_000_000;
/// A file of WordNet's; the largest has 16 MB.
pub const WORDNET: usize = 64_000_000;
/// The playground as one file, which has 10 MB.
pub(crate) const APP: usize = 100_000_000;
/// A data set as `data pack` writes it; the largest of the public ones has 130 MB.
pub const PACK: usize = 400_000_000;
/// A file of a public data set, and each file of a package.
pub const DATA_FILE: usize = 500_000_000;
/// All files of a data set together, which are in memory at once.
pub const DATA_SET: usize = 1_000_000_000;
/// A file that a call names (`GL("roads.csv")`): a model may name any of the folder, one after the
/// other, and ten are remembered.
pub(crate) const CALLED_FILE: usize = 50_000_000;
/// All of them that are kept so that the next call finds them read.
pub(crate) const CALLED_FILES: usize = 200_000_000;
/// A table of words; the one that ships has 2 MB.
pub(crate) const WORD_TABLE: usize = 200_000_000;
/// A feature file of a compatibility kit; the largest has 200 KB.
pub const FEATURE: usize = 10_000_000;
/// A snapshot of a property graph, which is some times as large in memory.
pub(crate) const SNAPSHOT: usize = 200_000_000;
/// A file that belongs to a task: with its bytes as base64 the task is a line of a runs file.
pub(crate) const ATTACHED: usize = 35_000_000;
/// All files of the tasks of one benchmark, which are in memory at once, several times.
pub(crate) const ATTACHED_ALL: usize = 300_000_000;
/// One line of logged answers: a question with its graph and the answer.
pub(crate) const LINE: usize = 20_000_000;

/// How many times larger than itself a gzip file may become. Runs grow seventeen
/// times and pairs made of templates twenty-five, one letter over and over a thousand times.
pub(crate) const RATIO: u64 = 50;
/// A file may become so large whatever its ratio: small files of one line over and over are common
/// and harmless.
pub(crate) const RATIO_FREE: u64 = 20_000_000;

/// The letters of one message: what is longer quotes the input, and only its ends say something.
pub(crate) const MESSAGE: usize = 600;
/// What is left of a message that is longer.
pub(crate) const MESSAGE_LEFT: usize = 200;

/// Milliseconds after which somebody who gave a pipe is told that nothing comes out of it.
pub(crate) const PATIENCE_MS: u64 = 1_000;
/// A JSON file of a folder in Hugging Face's form, and the head of a file of weights: a tokenizer of
/// 256,000 tokens has 33 MB.
pub(crate) const HUGGING: usize = 100_000_000;
/// The checkpoint of a training of our own model.
pub const CHECKPOINT: usize = 400_000_000;
