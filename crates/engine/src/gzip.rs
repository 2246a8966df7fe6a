//! Files as texts: out of gzip, bounded.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// The text in a gzip file of one member, never larger than `limit` bytes.
///
/// # Errors
/// It is no such file, is broken, or holds too much.
pub fn gunzip(bytes: &[u8], limit: usize) -> Result<String, String> {
    let is_gzip = bytes.len() > 18 && bytes.starts_with(&[0x1f, 0x8b, 8]);
    if !is_gzip {
        return Err("it is not in gzip".into());
    }
    // RFC 1952: ten bytes of head, then what the flags say.
    let flags = bytes[3];
    let mut at = 10;
    let cut = || "its head breaks off".to_owned();
    if flags & 4 != 0 {
        let length = bytes.get(at..at + 2).ok_or_else(cut)?;
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    // A name and a comment, each ended by a zero.
    for flag in [8, 16] {
        if flags & flag != 0 {
            let rest = bytes.get(at..).ok_or_else(cut)?;
            at += rest.iter().position(|b| *b == 0).ok_or_else(cut)? + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    let body = bytes.get(at..bytes.len() - 8).ok_or_else(cut)?;
    let text = decompress_to_vec_with_limit(body, limit).map_err(|e| format!("{:?}", e.status))?;
    String::from_utf8(text).map_err(|_| "it is not UTF-8 text".to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::Write as _;

    use flate2::{Compression, GzBuilder};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_comes_out(text in ".{0,300}", named in any::<bool>(), extra in any::<bool>()) {
            let mut builder = GzBuilder::new();
            if named {
                builder = builder.filename("a.jsonl").comment("x");
            }
            if extra {
                builder = builder.extra(vec![1, 2, 3]);
            }
            let mut pack = builder.write(Vec::new(), Compression::default());
            pack.write_all(text.as_bytes()).unwrap();
            let bytes = pack.finish().unwrap();
            prop_assert_eq!(gunzip(&bytes, 10_000), Ok(text.clone()));
            prop_assert!(text.len() < 2 || gunzip(&bytes, text.len() - 1).is_err());
        }

        #[test]
        fn nothing_that_is_broken_panics(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut head = vec![0x1f, 0x8b, 8];
            head.extend(&bytes);
            let _ = gunzip(&bytes, 1_000);
            let _ = gunzip(&head, 1_000);
        }
    }
}
