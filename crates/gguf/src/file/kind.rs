//! How the numbers of a tensor are stored.

use candle_core::quantized::GgmlDType;

/// A kind of blocks that is read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    F32,
    F16,
    Bf16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q4K,
    Q5K,
    Q6K,
}

/// Kind, its number in files, its name, numbers of a block, bytes of a block.
const KINDS: [(Kind, u32, &str, usize, usize); 11] = [
    (Kind::F32, 0, "F32", 1, 4),
    (Kind::F16, 1, "F16", 1, 2),
    (Kind::Q4_0, 2, "Q4_0", 32, 18),
    (Kind::Q4_1, 3, "Q4_1", 32, 20),
    (Kind::Q5_0, 6, "Q5_0", 32, 22),
    (Kind::Q5_1, 7, "Q5_1", 32, 24),
    (Kind::Q8_0, 8, "Q8_0", 32, 34),
    (Kind::Q4K, 12, "Q4_K", 256, 144),
    (Kind::Q5K, 13, "Q5_K", 256, 176),
    (Kind::Q6K, 14, "Q6_K", 256, 210),
    (Kind::Bf16, 30, "BF16", 1, 2),
];

/// Names of kinds that are not read, for errors.
const OTHERS: [(u32, &str); 16] = [
    (9, "Q8_1"),
    (10, "Q2_K"),
    (11, "Q3_K"),
    (15, "Q8_K"),
    (16, "IQ2_XXS"),
    (17, "IQ2_XS"),
    (18, "IQ3_XXS"),
    (19, "IQ1_S"),
    (20, "IQ4_NL"),
    (21, "IQ3_S"),
    (22, "IQ2_S"),
    (23, "IQ4_XS"),
    (29, "IQ1_M"),
    (34, "TQ1_0"),
    (35, "TQ2_0"),
    (39, "MXFP4"),
];

impl Kind {
    /// The kind of a number in a file, or the name of what is not read.
    pub(crate) fn of(number: u32) -> Result<Self, String> {
        if let Some((kind, ..)) = KINDS.iter().find(|(_, n, ..)| *n == number) {
            return Ok(*kind);
        }
        let name = OTHERS.iter().find(|(n, _)| *n == number);
        Err(name.map_or_else(|| format!("type number {number}"), |(_, name)| (*name).to_owned()))
    }

    /// Its number in files.
    pub(crate) fn number(self) -> u32 {
        KINDS.iter().find(|(kind, ..)| *kind == self).map_or(0, |(_, number, ..)| *number)
    }

    fn row(self) -> (&'static str, usize, usize) {
        let row = KINDS.iter().find(|(kind, ..)| *kind == self);
        row.map_or(("F32", 1, 4), |(_, _, name, numbers, bytes)| (name, *numbers, *bytes))
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().0
    }

    /// Numbers of a block.
    pub(crate) fn block(self) -> usize {
        self.row().1
    }

    /// Bytes of so many numbers, which are whole blocks.
    pub(crate) fn bytes_of(self, n: usize) -> Option<u64> {
        let (_, numbers, bytes) = self.row();
        (n as u64 / numbers as u64).checked_mul(bytes as u64)
    }

    /// The same for candle.
    pub(crate) fn candle(self) -> GgmlDType {
        match self {
            Self::F32 => GgmlDType::F32,
            Self::F16 => GgmlDType::F16,
            Self::Bf16 => GgmlDType::BF16,
            Self::Q4_0 => GgmlDType::Q4_0,
            Self::Q4_1 => GgmlDType::Q4_1,
            Self::Q5_0 => GgmlDType::Q5_0,
            Self::Q5_1 => GgmlDType::Q5_1,
            Self::Q8_0 => GgmlDType::Q8_0,
            Self::Q4K => GgmlDType::Q4K,
            Self::Q5K => GgmlDType::Q5K,
            Self::Q6K => GgmlDType::Q6K,
        }
    }
}
