//! Places, as Neo4j has them.

use serde_json::{Map, Value, json};

/// A place on the earth or in a plane, with a height or without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PropertyPoint {
    /// Whether `x` is a longitude and `y` a latitude, in degrees (WGS 84).
    pub is_geographic: bool,
    /// The first coordinate.
    pub x: f64,
    /// The second.
    pub y: f64,
    /// The third, where there is one: a height in metres if it is a place on the earth.
    pub z: Option<f64>,
}

/// The names and numbers of Neo4j's systems of coordinates: on the earth or not, with two coordinates
/// or three.
const SYSTEMS: [(&str, u64, bool, bool); 4] = [
    ("wgs-84", 4326, true, false),
    ("wgs-84-3d", 4979, true, true),
    ("cartesian", 7203, false, false),
    ("cartesian-3d", 9157, false, true),
];

impl PropertyPoint {
    /// The name of its system of coordinates, and the number.
    pub fn system(&self) -> (&'static str, u64) {
        let is_it =
            |s: &&(&str, u64, bool, bool)| (s.2, s.3) == (self.is_geographic, self.z.is_some());
        SYSTEMS.iter().find(is_it).map_or(("cartesian", 7203), |s| (s.0, s.1))
    }

    /// Its coordinates under the names of its system.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let names = match self.is_geographic {
            true => ["longitude", "latitude", "height"],
            false => ["x", "y", "z"],
        };
        names
            .into_iter()
            .zip([Some(self.x), Some(self.y), self.z])
            .filter_map(|(n, v)| Some((n, v?)))
    }

    /// As APOC writes it.
    pub fn to_json(&self) -> Value {
        let mut object = Map::from_iter([("crs".to_owned(), json!(self.system().0))]);
        object.extend(self.parts().map(|(name, value)| (name.to_owned(), json!(value))));
        Value::Object(object)
    }

    /// As Well-Known Text writes it: `POINT(2 1)`.
    pub fn to_wkt(&self) -> String {
        match self.z {
            Some(z) => format!("POINT Z({} {} {z})", self.x, self.y),
            None => format!("POINT({} {})", self.x, self.y),
        }
    }

    /// The place that an object is: as APOC writes it (`crs` with coordinates), as GeoJSON, or as
    /// Neo4j's Query API types it (`$type` and `_value`).
    pub fn of_json(object: &Map<String, Value>) -> Option<Self> {
        if object.get("$type").and_then(Value::as_str) == Some("Point") {
            return Self::of_text(object.get("_value")?.as_str()?);
        }
        let crs = object.get("crs").or_else(|| object.get("srid"))?;
        let system = |value: &Value| {
            let of_name = |name: &str| SYSTEMS.iter().find(|s| s.0.eq_ignore_ascii_case(name));
            let of_number = |number: u64| SYSTEMS.iter().find(|s| s.1 == number);
            value.as_str().and_then(of_name).or_else(|| value.as_u64().and_then(of_number))
        };
        let (.., is_geographic, _) = system(crs)
            .or_else(|| system(crs.get("name").or_else(|| crs.get("srid"))?))
            .copied()?;
        if let Some(Value::Array(values)) = object.get("coordinates") {
            let values: Option<Vec<f64>> = values.iter().map(Value::as_f64).collect();
            return Self::of_values(is_geographic, &values?);
        }
        let part = |names: [&str; 2]| names.iter().find_map(|n| object.get(*n)?.as_f64());
        let (x, y) = (part(["longitude", "x"])?, part(["latitude", "y"])?);
        Some(Self { is_geographic, x, y, z: part(["height", "z"]) })
    }

    /// `SRID=4326;POINT (2 1)`
    fn of_text(text: &str) -> Option<Self> {
        let (srid, text) = text.strip_prefix("SRID=")?.split_once(';')?;
        let (.., is_geographic, _) = SYSTEMS.iter().find(|s| srid.parse() == Ok(s.1))?;
        let inner = text.split_once('(')?.1.strip_suffix(')')?;
        let values: Option<Vec<f64>> = inner.split_whitespace().map(|v| v.parse().ok()).collect();
        Self::of_values(*is_geographic, &values?)
    }

    fn of_values(is_geographic: bool, values: &[f64]) -> Option<Self> {
        match *values {
            [x, y] => Some(Self { is_geographic, x, y, z: None }),
            [x, y, z] => Some(Self { is_geographic, x, y, z: Some(z) }),
            _ => None,
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.parts().all(|(_, value)| value.is_finite())
    }
}
