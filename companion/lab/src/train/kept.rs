//! A checkpoint of what learns by AdamW: three lists of numbers, whose they are, and how far it is.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use companion::{input, limits, output};

/// What the file begins with.
const MAGIC: &[u8] = b"graphground checkpoint 1\n";
const HASH: usize = 32;

/// What is kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept<P> {
    pub(crate) n_steps: u64,
    /// What learned, and the means of its gradients and of their squares.
    pub(crate) lists: [Vec<f32>; 3],
    pub(crate) progress: P,
}

#[derive(Serialize, Deserialize)]
struct Head<O, P> {
    of: O,
    n_steps: u64,
    n_numbers: usize,
    progress: P,
}

/// Writes it, so that there is the old one or the new one, whenever the program ends. `of` says what
/// makes the training this one.
pub(crate) fn write<P: Serialize>(
    path: &Path,
    of: &Value,
    n_steps: u64,
    lists: [&[f32]; 3],
    progress: &P,
) -> Result<()> {
    let mut bytes = MAGIC.to_vec();
    let head = Head { of, n_steps, n_numbers: lists[0].len(), progress };
    serde_json::to_writer(&mut bytes, &head)?;
    bytes.push(b'\n');
    for list in lists {
        bytes.extend(list.iter().flat_map(|x| x.to_le_bytes()));
    }
    let hash = Sha256::digest(&bytes);
    bytes.extend(hash);
    output::write(path, bytes)
}

/// Reads it, if it is one of the same training; `wants` says whether the person asked to go on with it.
/// None where there is no file.
pub(crate) fn read<P: DeserializeOwned>(
    path: &Path,
    of: &Value,
    wants: bool,
) -> Result<Option<Kept<P>>> {
    if !path.exists() {
        return Ok(None);
    }
    let place = path.display();
    if !wants {
        bail!(
            "{place}: a training stopped there; --resume goes on with it, and without that file it \
             begins anew"
        );
    }
    let bytes = input::bytes(path, limits::CHECKPOINT)?;
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        bail!("{place}: this is no checkpoint of such a training; --resume needs one");
    };
    let fault = || format!("{place}: the checkpoint is cut off or damaged; begin anew without it");
    let end = bytes.len().checked_sub(HASH).with_context(fault)?;
    if end < MAGIC.len() || Sha256::digest(&bytes[..end]).as_slice() != &bytes[end..] {
        bail!(fault());
    }
    let rest = &rest[..rest.len() - HASH];
    let line = rest.iter().position(|b| *b == b'\n').with_context(fault)?;
    let head: Head<Value, P> = serde_json::from_slice(&rest[..line]).with_context(fault)?;
    if head.of != *of {
        bail!(
            "{place}: that training had other settings, data, tokens or another seed: {}; this one has {of}",
            head.of
        );
    }
    let (numbers, left) = rest[line + 1..].as_chunks::<4>();
    if numbers.len() != head.n_numbers.saturating_mul(3) || !left.is_empty() {
        bail!(fault());
    }
    let part = |i: usize| -> Vec<f32> {
        let part = &numbers[i * head.n_numbers..(i + 1) * head.n_numbers];
        part.iter().map(|x| f32::from_le_bytes(*x)).collect()
    };
    let lists = [part(0), part(1), part(2)];
    Ok(Some(Kept { n_steps: head.n_steps, lists, progress: head.progress }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn place(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("kept-{name}-{}.checkpoint", std::process::id()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn what_is_written_is_read_and_a_byte_more_or_less_is_found(
            list in proptest::collection::vec(any::<f32>(), 0..30),
            at in any::<prop::sample::Index>(),
        ) {
            let (path, of) = (place("bytes"), json!({"seed": 1}));
            write(&path, &of, 7, [&list, &list, &list], &"half").unwrap();
            let kept: Kept<String> = read(&path, &of, true).unwrap().unwrap();
            let bits = |list: &[f32]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!((kept.n_steps, kept.progress.as_str()), (7, "half"));
            prop_assert!(kept.lists.iter().all(|l| bits(l) == bits(&list)));
            let mut bytes = std::fs::read(&path).unwrap();
            let at = at.index(bytes.len());
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            prop_assert!(read::<String>(&path, &of, true).is_err());
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes[..at]).unwrap();
            prop_assert!(read::<String>(&path, &of, true).is_err());
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn only_the_same_training_goes_on_and_only_if_asked() {
        let (path, of) = (place("same"), json!({"seed": 1}));
        assert_eq!(read::<u8>(&path, &of, false).unwrap(), None);
        write(&path, &of, 1, [&[1.0], &[2.0], &[3.0]], &5_u8).unwrap();
        let why = |of: &Value, wants| read::<u8>(&path, of, wants).unwrap_err().to_string();
        assert!(why(&of, false).contains("--resume"));
        assert!(why(&json!({"seed": 2}), true).contains("another seed: {\"seed\":1}"));
        std::fs::remove_file(path).unwrap();
    }
}
