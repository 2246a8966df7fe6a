//! Many numbers, which cross as bytes: a list of a hundred thousand values of JavaScript would take
//! longer to read than to compute.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number of four bytes.
pub trait Number: Copy {
    /// Its bytes, the lowest first.
    fn bytes(self) -> [u8; 4];
    /// The number of these bytes.
    fn of(bytes: [u8; 4]) -> Self;
}

impl Number for f32 {
    fn bytes(self) -> [u8; 4] {
        self.to_le_bytes()
    }

    fn of(bytes: [u8; 4]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Number for u32 {
    fn bytes(self) -> [u8; 4] {
        self.to_le_bytes()
    }

    fn of(bytes: [u8; 4]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

/// PackedNumbers that cross as bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackedNumbers<T>(pub Vec<T>);

impl<T: Number> PackedNumbers<T> {
    /// All bytes, for a buffer beside a message.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|number| number.bytes()).collect()
    }

    /// The numbers of such bytes.
    ///
    /// # Errors
    /// The last number is cut off.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(format!("{} bytes are no numbers of four bytes each", bytes.len()));
        }
        Ok(Self(numbers.iter().map(|&bytes| T::of(bytes)).collect()))
    }
}

impl<T: Number> Serialize for PackedNumbers<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.to_bytes())
    }
}

impl<'de, T: Number> Deserialize<'de> for PackedNumbers<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Bytes<T>(PhantomData<T>);
        impl<'de, T: Number> Visitor<'de> for Bytes<T> {
            type Value = PackedNumbers<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes of numbers")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
                PackedNumbers::of_bytes(bytes).map_err(E::custom)
            }

            /// JSON has bytes as a list.
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = list.next_element::<u8>()? {
                    bytes.push(byte);
                }
                PackedNumbers::of_bytes(&bytes).map_err(A::Error::custom)
            }
        }
        from.deserialize_byte_buf(Bytes(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_survive_bytes_and_json(places in prop::collection::vec(any::<u32>(), 0..50)) {
            let numbers = PackedNumbers(places.clone());
            prop_assert_eq!(PackedNumbers::of_bytes(&numbers.to_bytes()), Ok(numbers.clone()));
            let text = serde_json::to_string(&numbers).unwrap();
            prop_assert_eq!(serde_json::from_str::<PackedNumbers<u32>>(&text).unwrap(), numbers);
            let floats = PackedNumbers(places.into_iter().map(|x| x as f32 / 3.0).collect());
            prop_assert_eq!(PackedNumbers::of_bytes(&floats.to_bytes()), Ok(floats));
        }
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        assert!(PackedNumbers::<u32>::of_bytes(&[1, 2, 3]).is_err());
        assert!(serde_json::from_str::<PackedNumbers<f32>>("[0, 0, 128]").is_err());
        assert!(serde_json::from_str::<PackedNumbers<f32>>("[0, 0, 128, 256]").is_err());
    }
}
