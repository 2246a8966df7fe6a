use proptest::prelude::*;

use super::*;
use crate::similarity::{Embedded, SimilarityMeasure};

fn rows() -> Vec<WordRow> {
    let row = |word: &str, vector: [f32; 4]| WordRow { word: word.into(), vector: vector.into() };
    vec![
        row("physician", [0.9, 0.1, 0.0, 0.0]),
        row("doctor", [1.0, 0.0, 0.0, 0.0]),
        row("prefer", [0.0, 0.0, 0.1, 0.0]),
        row("mother", [0.0, 1.0, 0.0, 0.3]),
    ]
}

#[test]
fn a_word_is_like_one_that_means_the_same() {
    let table = WordTable::read(&write(rows()).unwrap()).unwrap();
    let index = Embedded(std::rc::Rc::new(table)).index(&["mother", "prefer_doctor"]);
    let scores = index.scores("preferPhysician");
    assert!(scores[1] > 0.9 && scores[0] < 0.2, "{scores:?}");
}

#[test]
fn a_word_that_is_not_there_is_known_by_its_letters() {
    let table = WordTable::read(&write(rows()).unwrap()).unwrap();
    let index = Embedded(std::rc::Rc::new(table)).index(&["Quillhaven", "Brackwater", "doctor"]);
    let scores = index.scores("Quilhaven");
    assert!(scores[0] > 0.6 && scores[1] < 0.4 && scores[2] < 0.4, "{scores:?}");
    assert!((index.scores("quillhaven")[0] - 1.0).abs() < 1e-5);
}

#[test]
fn a_text_without_words_is_like_nothing() {
    let table = WordTable::read(&write(rows()).unwrap()).unwrap();
    assert!(table.embed(" -- ").iter().all(|x| *x == 0.0));
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let bytes = write(rows()).unwrap();
    let error = |bytes: &[u8]| WordTable::read(bytes).map(|_| ()).unwrap_err().to_string();
    assert!(error(b"\x89PNG").contains("begins with"));
    assert_eq!(
        error(&bytes[..bytes.len() - 1]),
        format!(
            "the table has {} bytes; expected {}, from what its head says",
            bytes.len() - 1,
            bytes.len()
        )
    );
    let mut odd = bytes.clone();
    odd[12] = 5;
    assert!(error(&odd).contains("dimensions = 5; expected an even number"));
    let mut swapped = bytes.clone();
    swapped[24] = b'z';
    assert!(error(&swapped).contains("word 2 of the table is \"mother\""));
    let mut twice = rows();
    twice.push(twice[0].clone());
    assert!(write(twice).unwrap_err().to_string().contains("each once"));
    let mut huge = START_OF_A_HUGE_TABLE.to_vec();
    assert!(error(&huge).contains("words = 4294967295; expected at most 1000000"));
    huge[8..12].copy_from_slice(&1_000_000_u32.to_le_bytes());
    assert!(error(&huge).contains("expected"), "it must not be believed before it is there");
}

const START_OF_A_HUGE_TABLE: &[u8; 24] =
    b"GGWORDS1\xff\xff\xff\xff\x60\x00\x00\x00\xff\xff\xff\xff\x00\x00\x80\x3f";

proptest! {
    #[test]
    fn any_bytes_are_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = WordTable::read(&bytes);
        let mut begun = b"GGWORDS1".to_vec();
        begun.extend(&bytes);
        let _ = WordTable::read(&begun);
    }

    #[test]
    fn a_byte_that_is_changed_is_no_panic(at in 8_usize..80, to in any::<u8>(), text in "\\PC{0,20}") {
        let mut bytes = write(rows()).unwrap();
        let at = at % bytes.len();
        bytes[at] = to;
        if let Ok(table) = WordTable::read(&bytes) {
            prop_assert_eq!(table.embed(&text).len(), table.n_dims() + SPELT);
        }
    }

    #[test]
    fn what_is_written_is_read_nearly_the_same(
        rows in prop::collection::btree_map("[a-zé]{1,12}", prop::collection::vec(-1.0_f32..1.0, 6), 1..20)
    ) {
        let given: Vec<WordRow> =
            rows.iter().map(|(w, v)| WordRow { word: w.clone(), vector: v.clone() }).collect();
        let table = WordTable::read(&write(given).unwrap()).unwrap();
        prop_assert_eq!(table.n_words(), rows.len());
        for (word, vector) in &rows {
            let i = table.find(word).unwrap();
            let mut back = vec![0.0; 6];
            table.add(i, &mut back);
            let most = vector.iter().fold(0.0_f32, |m, x| m.max(x.abs()));
            for (a, b) in vector.iter().zip(back) {
                // Half a step of the largest scale, a bit more where cutting off paid for all.
                prop_assert!((a - b).abs() <= most * 0.51, "{a} {b}");
            }
            let kept: f32 = {
                let mut v = vec![0.0; 6];
                table.add(i, &mut v);
                v.iter().zip(vector).map(|(a, b)| (a - b) * (a - b)).sum()
            };
            let all: f32 = vector.iter().map(|x| x * x).sum();
            prop_assert!(kept <= all * 0.02 + 1e-9, "{kept} of {all}");
        }
    }

    #[test]
    fn a_vector_has_length_one_or_none(text in "\\PC{0,40}") {
        let table = WordTable::read(&write(rows()).unwrap()).unwrap();
        let vector = table.embed(&text);
        let length: f32 = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        prop_assert!((length - 1.0).abs() < 1e-4 || length == 0.0);
    }
}
