//! Files that are no files.

use gguf::fixture::{self, Made};
use gguf::{File, LocalModel, LocalOptions};
use proptest::prelude::*;

fn options() -> LocalOptions {
    LocalOptions { n_ctx: 64, ..LocalOptions::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_bytes_break_the_reader(
        changes in prop::collection::vec((0..100_000_usize, any::<u8>()), 0..12),
        len in 0..200_000_usize,
        is_cut: bool,
    ) {
        let mut bytes = fixture::file(&Made::default()).unwrap();
        for (at, byte) in changes {
            // Most of the changes hit the head.
            let at = if at % 3 == 0 { at % 200 } else { at % 12_000 };
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(len);
        }
        if let Ok(file) = File::read(bytes)
            && let Ok(model) = LocalModel::load(file, options())
        {
            let _ = model.start(vec![1, 2], 1, Default::default()).map(|mut g| g.draw());
        }
    }

    #[test]
    fn bytes_of_chance_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(File::read(&bytes).is_err());
        let begun = [b"GGUF\x03\0\0\0".as_slice(), &bytes].concat();
        prop_assert!(File::read(begun).is_err());
    }
}
