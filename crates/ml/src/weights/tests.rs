use proptest::prelude::*;
use serde_json::json;

use super::*;

fn small() -> Vec<u8> {
    let tensors = [
        ("a".to_owned(), Array::new(&[2, 3], vec![1.0, -2.0, 0.5, 0.0, 3.0, 9.0])),
        ("b".to_owned(), Array::new(&[1], vec![7.0])),
    ];
    // A config that says it is of another model does not make it one.
    write("transe", "toy", &json!({"n_dims": 3, "model": "bpr"}), &tensors).unwrap()
}

#[test]
fn what_is_written_is_read_and_is_the_same_bytes_every_time() {
    let bytes = small();
    assert_eq!(bytes, small());
    let mut file = ModelFile::read(&bytes).unwrap();
    assert_eq!((file.head.model.as_str(), file.head.dataset.as_str()), ("transe", "toy"));
    assert_eq!(file.config["n_dims"], 3);
    assert_eq!(file.take("a", &[2, 3]).unwrap(), [1.0, -2.0, 0.5, 0.0, 3.0, 9.0]);
    assert!(matches!(file.end(), Err(FileError::Extra { .. })));
    assert_eq!(file.take_all("b")[0].1.data, [7.0]);
    assert!(file.end().is_ok());
}

#[test]
fn errors_name_the_tensor() {
    let mut file = ModelFile::read(&small()).unwrap();
    let told = file.take("c", &[1]).unwrap_err().to_string();
    assert_eq!(told, "the tensor \"c\" is missing; the file has a, b");
    let told = file.take("a", &[3, 2]).unwrap_err().to_string();
    assert_eq!(told, "the tensor \"a\" is [2, 3]; by the config it is [3, 2]");
    let told = file.config::<Value>("bpr").unwrap_err().to_string();
    assert_eq!(told, "these are weights of \"transe\", and \"bpr\" was to be made of them");
    let mut bytes = small();
    let n = bytes.len();
    bytes[n - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    let told = ModelFile::read(&bytes).unwrap_err().to_string();
    assert!(told.contains("number 0 of b is no finite number"), "{told}");
    let told = ModelFile::read(&small()[..n - 2]).unwrap_err().to_string();
    assert!(told.contains("inside b") && told.contains("cut off"), "{told}");
}

#[test]
fn other_files_are_refused() {
    let data = [0_u8; 4];
    let view = TensorView::new(Dtype::F32, vec![1], &data).unwrap();
    let foreign = safetensors::serialize([("x", view)], None).unwrap();
    assert!(matches!(ModelFile::read(&foreign), Err(FileError::Foreign { .. })));
    let text = String::from_utf8_lossy(&small()).into_owned();
    let at = text.find("version").unwrap();
    let mut later = small();
    // `\"version\":1` within the head's own quotes.
    let one = later[at..].iter().position(|b| *b == b'1').unwrap() + at;
    later[one] = b'9';
    assert_eq!(ModelFile::read(&later).unwrap_err(), FileError::Version { found: 9 });
    assert!(Names::try_from(vec!["a".to_owned(), "a".to_owned()]).is_err());
    assert!(Names::try_from(vec!["a\n".to_owned()]).is_err());
}

proptest! {
    /// Whatever is done to the bytes, there is an error or a whole file, and no panic.
    #[test]
    fn no_bytes_break_the_reader(cut in 0..400_usize, at in 0..400_usize, to in any::<u8>()) {
        let mut bytes = small();
        let n = bytes.len();
        if let Some(byte) = bytes.get_mut(at) { *byte = to; }
        bytes.truncate(n - cut.min(n));
        if let Ok(file) = ModelFile::read(&bytes) {
            prop_assert!(cut == 0);
            let all = file.tensors.values().flat_map(|t| &t.data);
            prop_assert!(all.clone().all(|x| x.is_finite()));
            prop_assert_eq!(all.count(), 7);
        }
    }

    #[test]
    fn no_noise_is_a_model(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(ModelFile::read(&bytes).is_err());
    }
}
