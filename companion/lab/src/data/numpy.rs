//! Arrays of numpy and sparse matrices of scipy, out of pickles.

use anyhow::{Context as _, Result, bail};
use tasks::official::files::pickle::{Pickle, PickleId};

/// The most values that a byte of a pickle may become where it mentions values again; those that
/// numpy writes stay below one.
const MAX_MENTIONED: usize = 8;
/// Short pickles may mention this many.
const FREE_MENTIONS: usize = 100_000;

/// Reads the first pickle in some bytes, if all of it can be walked through in proportion to its
/// length.
pub(super) fn pickle(bytes: &[u8]) -> Result<Pickle> {
    let pickle = Pickle::read(bytes).context("a pickle")?;
    let most = bytes.len().saturating_mul(MAX_MENTIONED).saturating_add(FREE_MENTIONS);
    match pickle.n_mentioned() {
        Some(n) if n <= most => Ok(pickle),
        Some(_) => bail!("a pickle that mentions its values more than {most} times"),
        None => bail!("a pickle with a value within itself"),
    }
}

/// Numbers of an array, row by row.
pub(super) struct Array {
    pub(super) shape: Vec<usize>,
    pub(super) values: Vec<f64>,
}

/// A sparse matrix: of each row the columns with their values.
pub(super) struct Rows {
    pub(super) n_columns: usize,
    pub(super) rows: Vec<Vec<(u32, f32)>>,
}

/// An object whose class has that name.
fn object(pickle: &Pickle, id: PickleId, name: &str) -> Result<()> {
    match pickle.class(id) {
        Some((_, found)) if found == name => Ok(()),
        Some((module, found)) => bail!("expected {name}, found {module}.{found}"),
        None => bail!("expected {name}, found a plain value"),
    }
}

fn state(pickle: &Pickle, array: PickleId) -> Result<&[PickleId]> {
    object(pickle, array, "_reconstruct")?;
    let state = pickle.state(array).and_then(|state| pickle.items(state));
    state.context("an array without its state")
}

/// The elements of an array of objects.
pub(super) fn objects(pickle: &Pickle, array: PickleId) -> Result<&[PickleId]> {
    let list = state(pickle, array)?.get(4).and_then(|list| pickle.items(*list));
    list.context("an array of objects without its list")
}

fn length(pickle: &Pickle, id: PickleId) -> Result<usize> {
    pickle.int(id).and_then(|n| usize::try_from(n).ok()).context("a length")
}

/// An array of numbers.
pub(super) fn array(pickle: &Pickle, id: PickleId) -> Result<Array> {
    let &[_, shape, kind, is_fortran, bytes] = state(pickle, id)? else {
        bail!("an array's state has other parts than version, shape, type, order and bytes");
    };
    let shape = pickle.items(shape).context("an array without a shape")?;
    let shape: Vec<usize> = shape.iter().map(|n| length(pickle, *n)).collect::<Result<_>>()?;
    if shape.len() > 1 && pickle.int(is_fortran) == Some(1) {
        bail!("an array whose columns come first");
    }
    object(pickle, kind, "dtype")?;
    let name = pickle.arguments(kind).and_then(|all| pickle.text(*all.first()?));
    let name = name.context("a type without a name")?;
    let order = pickle.state(kind).and_then(|state| pickle.items(state)?.get(1).copied());
    if order.and_then(|order| pickle.text(order)) == Some(">") {
        bail!("an array whose largest byte comes first");
    }
    let values = numbers(name, &pickle.bytes(bytes).context("an array without bytes")?)?;
    let n = shape.iter().try_fold(1usize, |n, size| n.checked_mul(*size));
    if n != Some(values.len()) {
        bail!("an array of shape {shape:?} with {} numbers", values.len());
    }
    Ok(Array { shape, values })
}

fn numbers(kind: &str, bytes: &[u8]) -> Result<Vec<f64>> {
    fn each<const N: usize>(bytes: &[u8], of: impl Fn([u8; N]) -> f64) -> Vec<f64> {
        let parts = bytes.chunks_exact(N);
        parts.map(|p| of(p.try_into().unwrap_or([0; N]))).collect()
    }
    Ok(match kind.trim_start_matches(['<', '|', '=']) {
        "f8" => each(bytes, f64::from_le_bytes),
        "f4" => each(bytes, |b| f32::from_le_bytes(b).into()),
        "i8" => each(bytes, |b| i64::from_le_bytes(b) as f64),
        "i4" => each(bytes, |b| i32::from_le_bytes(b).into()),
        "i2" => each(bytes, |b| i16::from_le_bytes(b).into()),
        "u1" | "b1" => each(bytes, |[b]: [u8; 1]| b.into()),
        "i1" => each(bytes, |b| i8::from_le_bytes(b).into()),
        other => bail!("numbers of type {other:?}"),
    })
}

/// A matrix of scipy in compressed rows.
pub(super) fn csr(pickle: &Pickle, id: PickleId) -> Result<Rows> {
    object(pickle, id, "csr_matrix")?;
    let state = pickle.state(id).context("a matrix without its state")?;
    let part =
        |name: &str| pickle.field(state, name).with_context(|| format!("a matrix without {name}"));
    let shape = pickle.items(part("_shape").or_else(|_| part("shape"))?).context("a shape")?;
    let &[n_rows, n_columns] = shape else { bail!("a matrix of {} dimensions", shape.len()) };
    let (n_rows, n_columns) = (length(pickle, n_rows)?, length(pickle, n_columns)?);
    let array = |name: &str| array(pickle, part(name)?);
    let (data, indices, starts) = (array("data")?, array("indices")?, array("indptr")?);
    if n_rows.checked_add(1) != Some(starts.values.len())
        || data.values.len() != indices.values.len()
    {
        bail!("a matrix of {n_rows} rows whose parts do not fit each other");
    }
    let mut rows = Vec::with_capacity(n_rows);
    for ends in starts.values.windows(2) {
        let (from, to) = (ends[0] as usize, ends[1] as usize);
        let cells = indices.values.get(from..to).zip(data.values.get(from..to));
        let (columns, values) = cells.context("a row outside of its matrix")?;
        let mut row: Vec<(u32, f32)> = columns
            .iter()
            .zip(values)
            .filter(|(_, v)| **v != 0.0)
            .map(|(c, v)| (*c as u32, *v as f32))
            .collect();
        if row.iter().any(|(c, _)| *c as usize >= n_columns) {
            bail!("a column beyond {n_columns}");
        }
        row.sort_by_key(|(c, _)| *c);
        rows.push(row);
    }
    Ok(Rows { n_columns, rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `pickle.dumps(numpy.array([[1, 0], [0, -2.5]], "f4"), p)` for p = 0, 2 and 4, with numpy 2.4,
    /// and the array `[1, 2]` as Python 2 wrote it, whose bytes are a `str`.
    const ARRAYS: [&[u8]; 4] = [
        b"\
        cnumpy._core.multiarray\n_reconstruct\np0\n(cnumpy\nndarray\np1\n(I0\ntp2\nc_codecs\nen\
        code\np3\n(Vb\np4\nVlatin1\np5\ntp6\nRp7\ntp8\nRp9\n(I1\n(I2\nI2\ntp10\ncnumpy\ndtype\n\
        p11\n(Vf4\np12\nI00\nI01\ntp13\nRp14\n(I3\nV<\np15\nNNNI-1\nI-1\nI0\ntp16\nbI00\ng3\n(V\
        \\u0000\\u0000\x80?\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u00\
        00 \xc0\np17\ng5\ntp18\nRp19\ntp20\nb.",
        b"\
        \x80\x02cnumpy._core.multiarray\n_reconstruct\nq\x00cnumpy\nndarray\nq\x01K\x00\x85q\
        \x02c_codecs\nencode\nq\x03X\x01\x00\x00\x00bq\x04X\x06\x00\x00\x00latin1q\x05\x86q\x06\
        Rq\x07\x87q\x08Rq\x09(K\x01K\x02K\x02\x86q\ncnumpy\ndtype\nq\x0bX\x02\x00\x00\x00f4q\
        \x0c\x89\x88\x87q\x0dRq\x0e(K\x03X\x01\x00\x00\x00<q\x0fNNNJ\xff\xff\xff\xffJ\xff\xff\
        \xff\xffK\x00tq\x10b\x89h\x03X\x12\x00\x00\x00\x00\x00\xc2\x80?\x00\x00\x00\x00\x00\x00\
        \x00\x00\x00\x00 \xc3\x80q\x11h\x05\x86q\x12Rq\x13tq\x14b.",
        b"\
        \x80\x04\x95\x9b\x00\x00\x00\x00\x00\x00\x00\x8c\x16numpy._core.multiarray\x94\x8c\x0c_\
        reconstruct\x94\x93\x94\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94C\x01b\
        \x94\x87\x94R\x94(K\x01K\x02K\x02\x86\x94h\x03\x8c\x05dtype\x94\x93\x94\x8c\x02f4\x94\
        \x89\x88\x87\x94R\x94(K\x03\x8c\x01<\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94\
        b\x89C\x10\x00\x00\x80?\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00 \xc0\x94t\x94b.",
        b"\
        \x80\x02cnumpy.core.multiarray\n_reconstruct\nq\x01cnumpy\nndarray\nq\x02K\x00\x85U\x01\
        bq\x03\x87Rq\x04(K\x01K\x02\x85cnumpy\ndtype\nq\x05U\x02f4q\x06K\x00K\x01\x87Rq\x07(K\
        \x03U\x01<q\x08NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89U\x08\x00\x00\x80?\x00\
        \x00\x00@tb.",
    ];

    /// `pickle.dumps(scipy.sparse.csr_matrix(numpy.array([[1, 0], [0, -2.5]], "f4")), 4)`.
    const CSR: &[u8] = b"\
        \x80\x04\x95d\x01\x00\x00\x00\x00\x00\x00\x8c\x11scipy.sparse._csr\x94\x8c\ncsr_matrix\
        \x94\x93\x94)\x81\x94}\x94(\x8c\x06_shape\x94K\x02K\x02\x86\x94\x8c\x08maxprint\x94K2\
        \x8c\x06indptr\x94\x8c\x16numpy._core.multiarray\x94\x8c\x0c_reconstruct\x94\x93\x94\
        \x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94C\x01b\x94\x87\x94R\x94(K\x01K\
        \x03\x85\x94h\x0c\x8c\x05dtype\x94\x93\x94\x8c\x02i4\x94\x89\x88\x87\x94R\x94(K\x03\x8c\
        \x01<\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94b\x89C\x0c\x00\x00\x00\x00\x01\
        \x00\x00\x00\x02\x00\x00\x00\x94t\x94b\x8c\x07indices\x94h\x0bh\x0eK\x00\x85\x94h\x10\
        \x87\x94R\x94(K\x01K\x02\x85\x94h\x18\x89C\x08\x00\x00\x00\x00\x01\x00\x00\x00\x94t\x94\
        b\x8c\x04data\x94h\x0bh\x0eK\x00\x85\x94h\x10\x87\x94R\x94(K\x01K\x02\x85\x94h\x15\x8c\
        \x02f4\x94\x89\x88\x87\x94R\x94(K\x03h\x19NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\
        \x94b\x89C\x08\x00\x00\x80?\x00\x00 \xc0\x94t\x94bub.";

    #[test]
    fn what_numpy_and_scipy_wrote_is_read() {
        for (i, bytes) in ARRAYS.iter().enumerate() {
            let file = pickle(bytes).unwrap();
            let Array { shape, values } = array(&file, file.root()).unwrap();
            match i {
                3 => assert_eq!((shape, values), (vec![2], vec![1.0, 2.0])),
                _ => assert_eq!((shape, values), (vec![2, 2], vec![1.0, 0.0, 0.0, -2.5])),
            }
        }
        let file = pickle(CSR).unwrap();
        let Rows { n_columns, rows } = csr(&file, file.root()).unwrap();
        assert_eq!((n_columns, rows), (2, vec![vec![(0, 1.0)], vec![(1, -2.5)]]));
        let error = array(&file, file.root()).err().unwrap().to_string();
        assert_eq!(error, "expected _reconstruct, found scipy.sparse._csr.csr_matrix");
    }

    /// A list in itself, lists that double fifty times, and a text that is mentioned often.
    #[test]
    fn what_would_never_end_is_refused() {
        let error = pickle(b"]q\x00h\x00a.").err().unwrap().to_string();
        assert_eq!(error, "a pickle with a value within itself");
        let mut bomb = b"](K\x01K\x01eq\x00".to_vec();
        for _ in 0..50 {
            bomb.extend(b"0](h\x00h\x00eq\x00");
        }
        bomb.push(b'.');
        let mut text = b"(X\x40\x42\x0f\x00".to_vec();
        text.extend(b"x".repeat(1_000_000));
        text.extend(b"q\x00");
        text.extend(b"h\x00".repeat(100_000));
        text.extend(b"l.");
        for bytes in [bomb, text] {
            let error = pickle(&bytes).err().unwrap().to_string();
            assert!(error.contains("mentions its values more than"), "{error}");
        }
    }
}
