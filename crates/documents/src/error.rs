//! What can be wrong with a file.

use crate::DocumentKind;

/// Why a file is not read: what is wrong, in which part, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// The file is larger than [`crate::DocumentLimits::file_bytes`].
    #[error("the file has {bytes} bytes, and at most {limit} are read: take a smaller file")]
    TooLarge {
        /// How many bytes it has.
        bytes: usize,
        /// How many it may have.
        limit: usize,
    },
    /// The file is of a kind that is not read here.
    #[error("\"{name}\" is {what}, which is not read here: {advice}")]
    NotReadable {
        /// The name of the file, as it was given.
        name: String,
        /// What it is, as far as its bytes tell.
        what: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// A password is needed.
    #[error("the {kind} file is protected by a password: save it without one")]
    Protected {
        /// What kind of file it is.
        kind: DocumentKind,
    },
    /// Bytes that a file of its kind cannot have.
    #[error("the {kind} file cannot be read: {place}: {problem}: {advice}")]
    Broken {
        /// What kind of file it is.
        kind: DocumentKind,
        /// Where: a line, a page, a sheet, a part.
        place: String,
        /// What is wrong there.
        problem: String,
        /// What to do.
        advice: &'static str,
    },
    /// More comes out of the file than may.
    #[error("the {kind} file grows too large: {place}: {problem}")]
    Grows {
        /// What kind of file it is.
        kind: DocumentKind,
        /// Where: an entry, a page, an object.
        place: String,
        /// What grows, and how far it may.
        problem: String,
    },
    /// A zip holds too many entries.
    #[error("the zip holds {entries} entries, and at most {limit} are read: pack fewer files")]
    TooManyEntries {
        /// How many the zip says it has, or how many were seen.
        entries: u64,
        /// How many it may have.
        limit: usize,
    },
    /// One entry of a zip is wrong.
    #[error("the zip is refused: entry \"{entry}\": {problem}")]
    Entry {
        /// The entry's path, as far as it can be shown, or its place.
        entry: String,
        /// What is wrong with it.
        problem: EntryProblem,
    },
}

/// Why an entry makes a zip be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryProblem {
    /// The path leaves the folder, or means different things on different systems.
    #[error(
        "its path must be relative, with / between names, without .., drive letters, backslashes and control characters"
    )]
    Path,
    /// The path is no UTF-8.
    #[error("its path must be text in UTF-8")]
    NotText,
    /// A symbolic link, a device or a pipe.
    #[error("it is a link or a device, and only files and folders are read")]
    Link,
    /// Encrypted.
    #[error("it is encrypted: pack it without a password")]
    Encrypted,
    /// Two entries have one path, or paths that differ in case only.
    #[error("another entry has the same path, capital letters aside: keep one")]
    Twice,
    /// Two entries share bytes of the file.
    #[error("it shares bytes with another entry, as bombs do")]
    Overlaps,
    /// A method of compression that is not read.
    #[error("it is packed by method {0}: pack it by deflate (8) or store it (0)")]
    Method(u16),
    /// It unpacks to more than may come out of the file in all.
    #[error("with it, more than {0} bytes come out of the file in all")]
    Unpacked(usize),
    /// It unpacks to too many times its size.
    #[error("it unpacks to more than {0} times its size, as bombs do")]
    Ratio(usize),
    /// What comes out is not as long as the directory says.
    #[error("it does not unpack to the size that the zip says")]
    Size,
    /// What comes out is not what went in.
    #[error("its checksum is wrong: the file is damaged")]
    Checksum,
    /// The header or the compressed bytes make no sense.
    #[error("its bytes cannot be unpacked: the file is damaged or cut off")]
    Damaged,
}

impl DocumentError {
    /// Shorthand for [`DocumentError::Broken`].
    pub(crate) fn broken(
        kind: DocumentKind,
        place: impl Into<String>,
        problem: impl Into<String>,
        advice: &'static str,
    ) -> Self {
        Self::Broken { kind, place: place.into(), problem: problem.into(), advice }
    }
}
