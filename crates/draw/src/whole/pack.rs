//! Parts of a graph beside each other.

use super::Spot;

/// What lies between two parts, in edges.
const GAP: f32 = 2.0;

/// Moves parts, each a list of places, so that their boxes do not meet: in rows, the highest first, as
/// wide together as they are high.
///
/// O(n + c log c) for c parts.
pub(super) fn pack(parts: &mut [Vec<Spot>]) {
    let boxes: Vec<(Spot, f32, f32)> = parts
        .iter()
        .map(|part| {
            let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
            for place in part {
                for axis in 0..2 {
                    low[axis] = low[axis].min(place[axis]);
                    high[axis] = high[axis].max(place[axis]);
                }
            }
            (low, high[0] - low[0] + GAP, high[1] - low[1] + GAP)
        })
        .collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| boxes[b].2.total_cmp(&boxes[a].2).then(a.cmp(&b)));
    let area: f32 = boxes.iter().map(|(_, w, h)| w * h).sum();
    let widest = boxes.iter().map(|b| b.1).fold(0.0f32, f32::max);
    let width = (area * 1.3).sqrt().max(widest);
    let (mut x, mut y, mut row) = (0.0f32, 0.0f32, 0.0f32);
    for i in order {
        let (low, w, h) = boxes[i];
        if x > 0.0 && x + w > width {
            (x, y, row) = (0.0, y + row, 0.0);
        }
        for place in &mut parts[i] {
            *place = [place[0] - low[0] + x, place[1] - low[1] + y];
        }
        x += w;
        row = row.max(h);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn boxes_do_not_meet(
            parts in prop::collection::vec(
                prop::collection::vec(prop::array::uniform2(-20.0f32..20.0), 1..12), 1..30),
        ) {
            let mut parts = parts;
            pack(&mut parts);
            let boxes: Vec<[f32; 4]> = parts.iter().map(|part| {
                let of = |axis: usize| part.iter().map(move |p| p[axis]);
                [of(0).fold(f32::MAX, f32::min), of(0).fold(f32::MIN, f32::max),
                 of(1).fold(f32::MAX, f32::min), of(1).fold(f32::MIN, f32::max)]
            }).collect();
            for (i, a) in boxes.iter().enumerate() {
                for b in &boxes[..i] {
                    let beside = a[1] < b[0] || b[1] < a[0] || a[3] < b[2] || b[3] < a[2];
                    prop_assert!(beside, "{a:?} on {b:?}");
                }
            }
        }
    }
}
