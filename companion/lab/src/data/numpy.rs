//! Arrays of numpy and sparse matrices of scipy, out of pickles.

use anyhow::{Context as _, Result, bail};

use super::pickle::{Object, Py};

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

fn object<'p>(value: &'p Py, class: &str) -> Result<&'p Object> {
    match value {
        Py::Object(object) if object.class.contains(class) => Ok(object),
        Py::Object(object) => bail!("expected {class}, found {}", object.class),
        _ => bail!("expected {class}, found a plain value"),
    }
}

/// The elements of an array of objects.
pub(super) fn objects(value: &Py) -> Result<&[Py]> {
    let state = object(value, "_reconstruct")?.state.as_ref().and_then(Py::elements);
    let list = state.and_then(|s| s.get(4)).and_then(Py::elements);
    list.context("an array of objects without its list")
}

/// An array of numbers.
pub(super) fn array(value: &Py) -> Result<Array> {
    let state = object(value, "_reconstruct")?.state.as_ref().and_then(Py::elements);
    let [_, shape, kind, is_fortran, bytes] = state.context("an array without its state")? else {
        bail!("an array's state has other parts than version, shape, type, order and bytes");
    };
    let shape: Vec<usize> = shape
        .elements()
        .context("an array without a shape")?
        .iter()
        .map(|n| n.int().and_then(|n| usize::try_from(n).ok()).context("a length"))
        .collect::<Result<_>>()?;
    if shape.len() > 1 && is_fortran.int() == Some(1) {
        bail!("an array whose columns come first");
    }
    let kind = object(kind, "dtype")?;
    let name = kind.arguments.first().and_then(Py::text).context("a type without a name")?;
    let order = kind.state.as_ref().and_then(Py::elements).and_then(|s| s.get(1));
    if order.and_then(Py::text).as_deref() == Some(">") {
        bail!("an array whose largest byte comes first");
    }
    let Py::Bytes(bytes) = bytes else { bail!("an array without bytes") };
    let values = numbers(&name, bytes)?;
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
pub(super) fn csr(value: &Py) -> Result<Rows> {
    let object = object(value, "csr_matrix")?;
    let state = object.state.as_ref().context("a matrix without its state")?;
    let part = |name: &str| state.get(name).with_context(|| format!("a matrix without {name}"));
    let shape = part("_shape").or_else(|_| part("shape"))?.elements().context("a shape")?;
    let size = |i: usize| {
        shape.get(i).and_then(Py::int).and_then(|n| usize::try_from(n).ok()).context("a length")
    };
    let (n_rows, n_columns) = (size(0)?, size(1)?);
    let (data, indices, starts) =
        (array(part("data")?)?, array(part("indices")?)?, array(part("indptr")?)?);
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
