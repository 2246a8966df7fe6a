use ownmodel::{Draw, OwnModel, OwnOptions};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_break_the_reader(
        changes in prop::collection::vec((0..400_000_usize, any::<u8>()), 0..12),
        len in 0..400_000_usize,
        is_cut: bool,
    ) {
        let mut bytes = crate::file();
        for (at, byte) in changes {
            // Most of the changes hit the head.
            let at = if at % 3 == 0 { at % 250 } else { at % bytes.len() };
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(len);
        }
        if let Ok(model) = OwnModel::load(&bytes, OwnOptions::default()) {
            let _ = model.start(vec![1, 2], 1, Draw::LIKELIEST).map(|mut g| g.draw());
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let refused = |bytes: &[u8]| {
        OwnModel::load(bytes, OwnOptions::default()).err().map(|e| e.to_string()).unwrap()
    };
    assert!(refused(b"GGUF").contains("GGOWN001"));
    let whole = crate::file();
    assert!(refused(&whole[..whole.len() - 1]).contains("bytes of weights"));
    let text = String::from_utf8_lossy(&whole).replace("\"heads\":4", "\"heads\":5");
    assert!(refused(&text.as_bytes()[..200]).contains("no file of the model"));
    let mut nan = whole;
    let n = nan.len();
    nan[n - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(refused(&nan).contains("finite"));
}

#[test]
fn tokens_beyond_the_table_are_refused() {
    let model = crate::model(OwnOptions::default());
    assert!(model.start(vec![1, 99_999], 1, Draw::LIKELIEST).is_err());
    assert!(model.start(Vec::new(), 1, Draw::LIKELIEST).is_err());
    assert!(model.start(vec![1; 4096], 1, Draw::LIKELIEST).is_err());
}
