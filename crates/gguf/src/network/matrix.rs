//! Matrices of weights as they lie in memory: two layouts of blocks of 32 for what is quantised,
//! and plain numbers of 16 and 32 bits.

use candle_core::Device;
use candle_core::quantized::{QStorage, QTensor};
use half::{bf16, f16};

use crate::GgufError;
use crate::file::{Kind, TensorInfo};

/// Numbers of a block.
pub(crate) const BLOCK: usize = 32;

/// The numbers of a matrix, row by row.
#[derive(Debug)]
pub(crate) enum Numbers {
    /// Four bits each, times a scale, plus a least value. In a block of 16 bytes the low halves are
    /// its first 16 numbers. Holds Q4_0 and Q4_1 exactly, and Q4_K with scales rounded to 16 bits.
    Nibbles { quants: Vec<u8>, scales: Vec<u16>, mins: Vec<u16> },
    /// Eight bits each, times a scale. Holds Q8_0 and Q5_0 exactly; Q5_1, Q5_K and Q6_K are rounded
    /// to it, by at most 1/254 of the largest number of a block.
    Bytes { quants: Vec<i8>, scales: Vec<u16> },
    /// F16, and BF16 rounded to it.
    Halves(Vec<u16>),
    /// F32.
    Floats(Vec<f32>),
}

/// A matrix: each row gives one number of the result.
#[derive(Debug)]
pub(crate) struct Matrix {
    pub n_cols: usize,
    pub n_rows: usize,
    pub numbers: Numbers,
}

/// Bytes that a tensor takes once it is loaded.
pub(crate) fn bytes_in_memory(tensor: &TensorInfo) -> u64 {
    let n = (tensor.n_cols as u64).saturating_mul(tensor.n_rows as u64);
    match tensor.kind {
        Kind::F32 => n.saturating_mul(4),
        Kind::F16 | Kind::Bf16 => n.saturating_mul(2),
        Kind::Q4_0 | Kind::Q4_1 | Kind::Q4K => (n / 32).saturating_mul(20),
        _ => (n / 32).saturating_mul(34),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    match bytes.get(at..at + 2) {
        Some(&[a, b]) => u16::from_le_bytes([a, b]),
        _ => 0,
    }
}

fn f16_at(bytes: &[u8], at: usize) -> f32 {
    f16::from_bits(u16_at(bytes, at)).to_f32()
}

fn bits(x: f32) -> u16 {
    f16::from_f32(x.clamp(-65504.0, 65504.0)).to_bits()
}

impl Matrix {
    /// An empty matrix with room for a tensor.
    pub(crate) fn with_room(tensor: &TensorInfo) -> Self {
        let n = tensor.n_cols * tensor.n_rows;
        let n_blocks = n / BLOCK;
        let numbers = match tensor.kind {
            Kind::F32 => Numbers::Floats(Vec::with_capacity(n)),
            Kind::F16 | Kind::Bf16 => Numbers::Halves(Vec::with_capacity(n)),
            Kind::Q4_0 | Kind::Q4_1 | Kind::Q4K => Numbers::Nibbles {
                quants: Vec::with_capacity(n / 2),
                scales: Vec::with_capacity(n_blocks),
                mins: Vec::with_capacity(n_blocks),
            },
            _ => Numbers::Bytes {
                quants: Vec::with_capacity(n),
                scales: Vec::with_capacity(n_blocks),
            },
        };
        Self { n_cols: tensor.n_cols, n_rows: tensor.n_rows, numbers }
    }

    /// Puts whole blocks of a file behind those that are there.
    pub(crate) fn push(&mut self, kind: Kind, bytes: &[u8]) -> Result<(), GgufError> {
        match (&mut self.numbers, kind) {
            (Numbers::Floats(all), Kind::F32) => {
                all.extend(bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)));
            }
            (Numbers::Halves(all), Kind::F16) => {
                all.extend(bytes.as_chunks::<2>().0.iter().map(|b| u16::from_le_bytes(*b)));
            }
            (Numbers::Halves(all), _) => {
                let wide = bytes.as_chunks::<2>().0.iter().map(|b| u16::from_le_bytes(*b));
                all.extend(wide.map(|b| bits(bf16::from_bits(b).to_f32())));
            }
            (Numbers::Nibbles { quants, scales, mins }, Kind::Q4_0) => {
                for block in bytes.as_chunks::<18>().0 {
                    scales.push(u16_at(block, 0));
                    mins.push(bits(-8.0 * f16_at(block, 0)));
                    quants.extend_from_slice(&block[2..]);
                }
            }
            (Numbers::Nibbles { quants, scales, mins }, Kind::Q4_1) => {
                for block in bytes.as_chunks::<20>().0 {
                    scales.push(u16_at(block, 0));
                    mins.push(u16_at(block, 2));
                    quants.extend_from_slice(&block[4..]);
                }
            }
            (Numbers::Nibbles { quants, scales, mins }, _) => {
                for block in bytes.as_chunks::<144>().0 {
                    push_q4k(block, quants, scales, mins);
                }
            }
            (Numbers::Bytes { quants, scales }, Kind::Q8_0) => {
                for block in bytes.as_chunks::<34>().0 {
                    scales.push(u16_at(block, 0));
                    quants.extend(block[2..].iter().map(|b| *b as i8));
                }
            }
            (Numbers::Bytes { quants, scales }, Kind::Q5_0) => {
                for block in bytes.as_chunks::<22>().0 {
                    scales.push(u16_at(block, 0));
                    let high = u32::from(u16_at(block, 2)) | u32::from(u16_at(block, 4)) << 16;
                    let of = |i: usize| {
                        let byte = block[6 + i % 16];
                        let low = if i < 16 { byte & 15 } else { byte >> 4 };
                        (low | ((high >> i & 1) << 4) as u8) as i8 - 16
                    };
                    quants.extend((0..BLOCK).map(of));
                }
            }
            (Numbers::Bytes { quants, scales }, _) => {
                for block in unpack(kind, bytes)?.as_chunks::<BLOCK>().0 {
                    let most = block.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
                    let scale = bits(most / 127.0);
                    scales.push(scale);
                    let scale = f16::from_bits(scale).to_f32();
                    let by = if scale > 0.0 { 1.0 / scale } else { 0.0 };
                    quants
                        .extend(block.iter().map(|x| (x * by).round().clamp(-127.0, 127.0) as i8));
                }
            }
            (Numbers::Floats(_), _) => {
                return Err(GgufError::damaged("numbers of 32 bits were expected"));
            }
        }
        Ok(())
    }

    /// Writes the numbers of a row.
    pub(crate) fn row(&self, row: usize, into: &mut [f32]) {
        let first = row * self.n_cols;
        let of = |bits: u16| f16::from_bits(bits).to_f32();
        match &self.numbers {
            Numbers::Floats(all) => {
                for (x, from) in into.iter_mut().zip(all.iter().skip(first)) {
                    *x = *from;
                }
            }
            Numbers::Halves(all) => {
                for (x, from) in into.iter_mut().zip(all.iter().skip(first)) {
                    *x = of(*from);
                }
            }
            Numbers::Bytes { quants, scales } => {
                let blocks = quants.as_chunks::<BLOCK>().0.iter().zip(scales).skip(first / BLOCK);
                for (x, (q, s)) in into.as_chunks_mut::<BLOCK>().0.iter_mut().zip(blocks) {
                    let scale = of(*s);
                    for (x, q) in x.iter_mut().zip(q) {
                        *x = f32::from(*q) * scale;
                    }
                }
            }
            Numbers::Nibbles { quants, scales, mins } => {
                let blocks = quants.as_chunks::<16>().0.iter().zip(scales.iter().zip(mins));
                let blocks = blocks.skip(first / BLOCK);
                for (x, (q, (s, m))) in into.as_chunks_mut::<BLOCK>().0.iter_mut().zip(blocks) {
                    let (scale, min) = (of(*s), of(*m));
                    for (i, q) in q.iter().enumerate() {
                        x[i] = f32::from(q & 15) * scale + min;
                        x[i + 16] = f32::from(q >> 4) * scale + min;
                    }
                }
            }
        }
    }
}

/// A block of 256, whose eight parts have scales and least values of six bits each.
fn push_q4k(block: &[u8; 144], quants: &mut Vec<u8>, scales: &mut Vec<u16>, mins: &mut Vec<u16>) {
    let (d, dmin) = (f16_at(block, 0), f16_at(block, 2));
    let packed = &block[4..16];
    for i in 0..8 {
        let (scale, min) = if i < 4 {
            (packed[i] & 63, packed[i + 4] & 63)
        } else {
            (packed[i + 4] & 15 | packed[i - 4] >> 6 << 4, packed[i + 4] >> 4 | packed[i] >> 6 << 4)
        };
        scales.push(bits(d * f32::from(scale)));
        mins.push(bits(-dmin * f32::from(min)));
        let bytes = &block[16 + i / 2 * 32..][..32];
        let of = |byte: u8| if i % 2 == 0 { byte & 15 } else { byte >> 4 };
        quants.extend((0..16).map(|k| of(bytes[k]) | of(bytes[k + 16]) << 4));
    }
}

/// The numbers of whole blocks of a file, by candle.
pub(crate) fn unpack(kind: Kind, bytes: &[u8]) -> Result<Vec<f32>, GgufError> {
    let row = kind.bytes_of(kind.block()).unwrap_or(1) as usize;
    let n = bytes.len() / row * kind.block();
    // A copy of its own is aligned as candle wants it.
    let bytes = bytes[..bytes.len() / row * row].to_vec();
    let unpacked = QStorage::from_data(bytes.into(), &Device::Cpu, kind.candle())
        .and_then(|blocks| QTensor::new(blocks, n))
        .and_then(|tensor| tensor.dequantize(&Device::Cpu)?.to_vec1::<f32>());
    unpacked.map_err(|error| GgufError::damaged(format!("blocks of {}: {error}", kind.name())))
}
