//! Heads of weights that lie, in every way that a head can.

use ml::MiniLm;
use ml::weights::{Array, ModelFile, write};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A file: a length, a head, and the numbers.
fn file(length: u64, head: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.extend_from_slice(head.as_bytes());
    bytes.extend_from_slice(data);
    bytes
}

fn whole(head: &Value, data: &[u8]) -> Vec<u8> {
    let head = head.to_string();
    file(head.len() as u64, &head, data)
}

fn tensor(kind: &str, shape: Value, from: u64, to: u64) -> Value {
    json!({ "dtype": kind, "shape": shape, "data_offsets": [from, to] })
}

/// What both readers say of bytes; neither may panic, whatever they are.
fn told(bytes: &[u8]) -> String {
    let words = ModelFile::read(bytes).map(|_| ()).map_err(|e| e.to_string());
    let other = MiniLm::new(
        bytes.to_vec(),
        &ml::minilm::fixture::tokenizer(),
        ml::minilm::fixture::config().to_string().as_bytes(),
    );
    let other = other.map(|_| ()).map_err(|e| e.to_string());
    assert!(other.is_err(), "no file here is that model");
    let words = words.unwrap_err();
    assert!(words.len() < 1_000, "a message of {} bytes", words.len());
    words
}

#[test]
fn lengths_that_lie_are_refused() {
    let head = json!({ "a": tensor("F32", json!([1]), 0, 4) }).to_string();
    for length in [0, 1, 7, 9, 1 << 20, 1 << 31, 1 << 32, 1 << 62, 1 << 63, u64::MAX - 8, u64::MAX]
    {
        let words = told(&file(length, &head, &[0; 4]));
        assert!(words.contains("head"), "{length}: {words}");
    }
    for n in 0..8 {
        assert!(told(&vec![255; n]).contains("too few"), "{n} bytes");
    }
}

#[test]
fn places_that_overlap_lie_beyond_the_end_or_overflow_are_refused() {
    let one = |from: u64, to: u64| json!({ "a": tensor("F32", json!([1]), from, to) });
    let (far, most) = (1_u64 << 61, u64::MAX);
    for (head, words) in [
        (one(4, 0), "invalid offset"),
        (one(4, 8), "invalid offset"),
        (one(0, 8), "invalid shape"),
        (one(far, far + 4), "invalid offset"),
        (one(0, most), "beyond the file"),
        (one(most - 3, most), "beyond the file"),
        (
            json!({ "a": tensor("F32", json!([1]), 0, 4), "b": tensor("F32", json!([1]), 2, 6) }),
            "invalid offset",
        ),
        (
            json!({ "a": tensor("F32", json!([1]), 0, 4), "b": tensor("F32", json!([1]), 0, 4) }),
            "invalid offset",
        ),
        (json!({ "a": tensor("F32", json!([2]), 0, 8) }), "cut off"),
        (json!({ "a": tensor("F32", json!([1_u64 << 32, 1_u64 << 32]), 0, 4) }), "head"),
        (json!({ "a": tensor("F32", json!([most, most]), 0, 4) }), "head"),
        (json!({ "a": tensor("F32", json!([1_u64 << 62]), 0, 4) }), "head"),
        (json!({ "a": tensor("F32", json!([-1]), 0, 4) }), "head"),
        (json!({ "a": tensor("F32", json!([1.5]), 0, 4) }), "head"),
        (json!({ "a": tensor("F99", json!([1]), 0, 4) }), "head"),
        (json!({ "a": tensor("F8_E4M3", json!([4]), 0, 4) }), "not read"),
        (json!({ "a": 7 }), "head"),
        (json!([1, 2]), "head"),
        (json!({ "__metadata__": { "a": 7 } }), "head"),
    ] {
        let told = told(&whole(&head, &[0; 4]));
        assert!(told.to_lowercase().contains(words), "{head}: {told}");
    }
}

/// Tensors as large as a shape may say, whose ends add up to the largest number that there is: a
/// reader that goes on adding breaks, or wraps round.
#[test]
fn ends_that_wrap_round_are_refused() {
    let each = (1_u64 << 61) - 1;
    let mut tensors = Map::new();
    for i in 0..8 {
        tensors.insert(format!("t{i}"), tensor("U8", json!([each]), i * each, (i + 1) * each));
    }
    for last in 0..8 {
        let mut tensors = tensors.clone();
        let (from, to) = (8 * each, 8 * each + last);
        tensors.insert("t8".into(), tensor("U8", json!([last]), from, to));
        let words = told(&whole(&Value::Object(tensors), &[]));
        assert!(words.contains("beyond the file"), "{words}");
    }
}

#[test]
fn a_name_that_is_there_twice_is_refused() {
    let entry = tensor("F32", json!([1]), 0, 4).to_string();
    let head = format!("{{\"a\":{entry},\"a\":{entry}}}");
    assert!(told(&file(head.len() as u64, &head, &[0; 4])).contains("a is there twice"));
}

#[test]
fn what_is_no_number_is_refused_in_every_width() {
    let cases: [(&str, Vec<u8>); 8] = [
        ("F32", f32::NAN.to_le_bytes().to_vec()),
        ("F32", f32::NEG_INFINITY.to_le_bytes().to_vec()),
        ("F64", f64::NAN.to_le_bytes().to_vec()),
        // Finite, but not as a single.
        ("F64", 1e300_f64.to_le_bytes().to_vec()),
        ("F16", 0x7c00_u16.to_le_bytes().to_vec()),
        ("F16", 0xfe01_u16.to_le_bytes().to_vec()),
        ("BF16", 0x7f80_u16.to_le_bytes().to_vec()),
        ("BF16", 0xffff_u16.to_le_bytes().to_vec()),
    ];
    for (kind, bytes) in cases {
        let n = bytes.len();
        let data = [vec![0; n], bytes].concat();
        let head = json!({ "a": tensor(kind, json!([2]), 0, 2 * n as u64) });
        let words = told(&whole(&head, &data));
        assert!(words.contains("number 1 of a is no finite number"), "{kind}: {words}");
    }
}

#[test]
fn a_hundred_thousand_tensors_and_no_more_are_read() {
    let many = |n: u64| {
        let all = (0..n).map(|i| (format!("t{i}"), tensor("F32", json!([1]), 4 * i, 4 * i + 4)));
        whole(&Value::Object(all.collect()), &vec![0; 4 * n as usize])
    };
    // As many as are read, which are no model of ours.
    assert!(told(&many(100_000)).contains("says nothing of a graphground-model"));
    assert!(told(&many(100_001)).contains("more than 100000 tensors"));
}

/// What may stand where a head has a number.
fn number() -> impl Strategy<Value = Value> {
    let whole = prop::sample::select(vec![
        0_u64,
        1,
        2,
        3,
        4,
        7,
        8,
        12,
        16,
        24,
        1 << 31,
        (1 << 32) - 1,
        1 << 32,
        (1 << 53) + 1,
        1 << 61,
        1 << 63,
        u64::MAX - 7,
        u64::MAX,
    ]);
    prop_oneof![
        8 => whole.prop_map(Value::from),
        1 => Just(json!(-1)), 1 => Just(json!(0.5)), 1 => Just(json!("4")), 1 => Just(Value::Null),
        1 => Just(json!([])), 1 => Just(json!({})),
    ]
}

fn entry() -> impl Strategy<Value = Value> {
    let kind =
        prop::sample::select(vec!["F32", "F16", "BF16", "F64", "I64", "U8", "BOOL", "F4", "X"]);
    let shape = prop::collection::vec(number(), 0..4);
    (kind, shape, number(), number()).prop_map(|(kind, shape, from, to)| {
        json!({ "dtype": kind, "shape": shape, "data_offsets": [from, to] })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever a head says, it is an error or a whole file, and never a panic.
    #[test]
    fn no_head_breaks_a_reader(
        entries in prop::collection::vec(("[a-c]", entry()), 0..5),
        more in prop::option::of(-9_i64..9),
        data in prop::collection::vec(any::<u8>(), 0..40),
        about in prop::option::of("[a-z{}\"]{0,20}"),
    ) {
        let mut head: Vec<String> =
            entries.iter().map(|(name, entry)| format!("\"{name}\":{entry}")).collect();
        head.extend(about.map(|a| format!("\"__metadata__\":{}", json!({ "graphground": a }))));
        let head = format!("{{{}}}", head.join(","));
        let length = (head.len() as u64).wrapping_add_signed(more.unwrap_or(0));
        told(&file(length, &head, &data));
    }

    /// A whole file with one thing of its head changed.
    #[test]
    fn no_change_of_a_whole_file_breaks_the_reader(
        at in 0_usize..2, what in 0_usize..3, with in number(), flip in 0_usize..300, to in any::<u8>()
    ) {
        let tensors = [
            ("a".to_owned(), Array::new(&[2, 3], vec![1.0; 6])),
            ("b".to_owned(), Array::new(&[1], vec![7.0])),
        ];
        let bytes = write("transe", "toy", &json!({ "n_dims": 3 }), &tensors).unwrap();
        let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        let mut head: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
        let name = ["a", "b"][at];
        match what {
            0 => head[name]["shape"][0] = with,
            1 => head[name]["data_offsets"][0] = with,
            _ => head[name]["data_offsets"][1] = with,
        }
        let changed = whole(&head, &bytes[8 + length..]);
        if let Ok(mut read) = ModelFile::read(&changed) {
            prop_assert!(read.take("a", &[2, 3]).is_ok());
        }
        let mut flipped = bytes;
        let n = flipped.len();
        flipped[flip % n] = to;
        let _ = ModelFile::read(&flipped);
    }
}
