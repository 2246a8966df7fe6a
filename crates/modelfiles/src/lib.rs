#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod download;
mod name;
mod words;

pub use download::{AnswerHead, DownloadPlan, Half, ask_for_rest, plan};
pub use name::{name_of, name_of_address};
pub use words::{FileAbout, FromModel, KeptFile, Speed, ToModel};

/// Which messages these are: other ones where a type that crosses may be another. A page that stays open
/// while its server gets a new one starts workers of that.
pub const VERSION: u32 = {
    let sources: [&[u8]; 2] =
        [include_bytes!("words.rs"), include_bytes!("../../llm/src/error.rs")];
    let (mut hash, mut i) = (0x811c_9dc5_u32, 0);
    while i < sources.len() {
        let mut at = 0;
        while at < sources[i].len() {
            hash = (hash ^ sources[i][at] as u32).wrapping_mul(0x0100_0193);
            at += 1;
        }
        i += 1;
    }
    hash
};

/// The memory of a module of WebAssembly, in bytes: browsers want to know the most at its start. A file
/// has to fit into it with its context.
pub const MEMORY_BYTES: u64 = 2 << 30;

/// The tokens of context that a model gets, where it was trained for as many and they fit.
pub const N_CTX: usize = 8192;

/// The fewest tokens of context with which a model is of use.
pub const LEAST_CTX: usize = 512;

/// Bytes in words: `98 MB`.
pub fn megabytes(bytes: f64) -> String {
    let mb = bytes / 1e6;
    if mb < 10.0 { format!("{mb:.1} MB") } else { format!("{mb:.0} MB") }
}

/// What is said of a file of `needs` bytes, of which the browser has room for the first `has` alone.
pub fn no_room(name: &str, needs: f64, has: f64) -> String {
    format!(
        "{name} was not added: it needs {} and there is room for {}, so {} are missing; delete a file or \
         kept runs, or free space on the disk",
        megabytes(needs),
        megabytes(has),
        megabytes((needs - has).max(0.0))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_room_is_reported_with_what_is_missing() {
        let words = no_room("small.gguf", 98.4e6, 20e6);
        let missing = "it needs 98 MB and there is room for 20 MB, so 78 MB are missing;";
        assert!(words.starts_with("small.gguf was not added: "), "{words}");
        assert!(words.contains(missing), "{words}");
    }
}
