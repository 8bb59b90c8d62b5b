//! Positions on the earth, and how far they are apart.
//!
//! The earth is a sphere here, which is off by half a percent at most. Distances are by the
//! haversine formula. The database cannot compute that, but it can compute the chord: the straight
//! line through the earth between two points of the unit sphere. Its square is four times the
//! haversine of the angle between them, so it sorts and bounds as the distance does, and near a
//! pole or the antimeridian it needs no care at all.

use examples_common::validate::Invalid;

/// The mean radius of the earth, in km (IUGG).
const EARTH_RADIUS_KM: f64 = 6371.0088;
/// A little more than half way round.
const REACH_MAX_KM: f64 = 20_040.0;
/// More than rounding moves a coordinate, and less than a millimetre on the ground.
const SLACK: f64 = 1e-12;

/// A place on the earth, in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    latitude: f64,
    longitude: f64,
}

impl Position {
    /// Latitude from −90 to 90, longitude from −180 to 180.
    ///
    /// # Errors
    ///
    /// Out of range, or no number.
    pub fn new(latitude: f64, longitude: f64) -> Result<Self, Invalid> {
        if !(-90.0..=90.0).contains(&latitude) {
            return Err(Invalid::new("latitude: must be from -90 to 90"));
        }
        if !(-180.0..=180.0).contains(&longitude) {
            return Err(Invalid::new("longitude: must be from -180 to 180"));
        }
        Ok(Self {
            latitude,
            longitude,
        })
    }

    /// Reads `LATITUDE,LONGITUDE`.
    ///
    /// # Errors
    ///
    /// It has another form, or a number is out of range.
    pub fn parse(field: &str, text: &str) -> Result<Self, Invalid> {
        let wrong = || {
            Invalid::new(format!(
                "{field}: must be LATITUDE,LONGITUDE, such as 48.86,2.29"
            ))
        };
        let (latitude, longitude) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse().map_err(|_| wrong());
        Self::new(number(latitude)?, number(longitude)?)
            .map_err(|Invalid(problem)| Invalid::new(format!("{field}: {problem}")))
    }

    /// Degrees north of the equator.
    #[must_use]
    pub const fn latitude(self) -> f64 {
        self.latitude
    }

    /// Degrees east of Greenwich.
    #[must_use]
    pub const fn longitude(self) -> f64 {
        self.longitude
    }

    /// The point on the unit sphere: x towards (0, 0), y towards (0, 90), z towards the north pole.
    #[must_use]
    pub fn unit(self) -> [f64; 3] {
        let (sin_latitude, cos_latitude) = self.latitude.to_radians().sin_cos();
        let (sin_longitude, cos_longitude) = self.longitude.to_radians().sin_cos();
        [
            cos_latitude * cos_longitude,
            cos_latitude * sin_longitude,
            sin_latitude,
        ]
    }

    /// The way over the ground, in km.
    #[must_use]
    pub fn distance_km(self, other: Self) -> f64 {
        let latitudes = (other.latitude - self.latitude).to_radians();
        let longitudes = (other.longitude - self.longitude).to_radians();
        let cosines = self.latitude.to_radians().cos() * other.latitude.to_radians().cos();
        let haversine =
            (latitudes / 2.0).sin().powi(2) + cosines * (longitudes / 2.0).sin().powi(2);
        2.0 * EARTH_RADIUS_KM * haversine.sqrt().min(1.0).asin()
    }
}

/// All that is at most so far from a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    center: [f64; 3],
    chord: f64,
}

impl Area {
    /// `within` is in km; without it the area is the whole earth.
    ///
    /// # Errors
    ///
    /// `within` is negative, or further than the other side of the earth.
    pub fn new(center: Position, within: Option<f64>) -> Result<Self, Invalid> {
        let reach = within.unwrap_or(REACH_MAX_KM);
        if !(0.0..=REACH_MAX_KM).contains(&reach) {
            return Err(Invalid::new(format!(
                "within: must be from 0 to {REACH_MAX_KM} km"
            )));
        }
        let half_angle = (reach / EARTH_RADIUS_KM / 2.0).min(std::f64::consts::FRAC_PI_2);
        Ok(Self {
            center: center.unit(),
            chord: 2.0 * half_angle.sin(),
        })
    }

    /// The middle, on the unit sphere.
    #[must_use]
    pub const fn center(self) -> [f64; 3] {
        self.center
    }

    /// The square of the longest chord from the middle.
    #[must_use]
    pub fn squared_chord(self) -> f64 {
        (self.chord + SLACK).powi(2)
    }

    /// The box around the area: least and greatest x, y and z, which an index can look up.
    #[must_use]
    pub fn bounding_box(self) -> [(f64, f64); 3] {
        let reach = self.chord + 2.0 * SLACK;
        self.center.map(|middle| (middle - reach, middle + reach))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(latitude: f64, longitude: f64) -> Position {
        Position::new(latitude, longitude).unwrap()
    }

    #[track_caller]
    fn assert_near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} {expected}");
    }

    #[test]
    fn known_distances_are_right() {
        let half_way = std::f64::consts::PI * EARTH_RADIUS_KM;
        // A degree of a great circle.
        assert_near(
            at(0.0, 0.0).distance_km(at(0.0, 1.0)),
            half_way / 180.0,
            1e-9,
        );
        assert_near(
            at(89.5, 0.0).distance_km(at(89.5, 180.0)),
            half_way / 180.0,
            1e-9,
        );
        assert_near(
            at(10.0, 179.5).distance_km(at(10.0, -179.5)),
            at(10.0, 0.0).distance_km(at(10.0, 1.0)),
            1e-9,
        );
        assert_near(at(90.0, 0.0).distance_km(at(-90.0, 77.0)), half_way, 1e-9);
        assert_near(at(45.0, 180.0).distance_km(at(45.0, -180.0)), 0.0, 1e-9);
        // Paris to London, by any atlas.
        assert_near(
            at(48.8566, 2.3522).distance_km(at(51.5074, -0.1278)),
            343.5,
            0.5,
        );
    }

    #[test]
    fn the_square_of_the_chord_is_four_haversines() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut position = || at(random.f64() * 180.0 - 90.0, random.f64() * 360.0 - 180.0);
        for _ in 0..1000 {
            let (here, there) = (position(), position());
            let pairs = here.unit().into_iter().zip(there.unit());
            let squared: f64 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
            let angle = here.distance_km(there) / EARTH_RADIUS_KM;
            assert_near(squared, 4.0 * (angle / 2.0).sin().powi(2), 1e-12);
        }
    }

    #[test]
    fn a_position_is_in_range_or_names_the_field() {
        assert_eq!(
            Position::parse("near", " 48.86, -2.29").unwrap(),
            at(48.86, -2.29)
        );
        for text in [
            "", "1", "1,", "1,2,3", "a,b", "91,0", "-90.1,0", "0,180.1", "NaN,0", "0,inf",
        ] {
            let error = Position::parse("near", text).unwrap_err();
            assert!(error.to_string().starts_with("near: "), "{text}: {error}");
        }
        assert!(Position::new(f64::NAN, 0.0).is_err());
    }

    #[test]
    fn an_area_reaches_at_most_around_the_earth() {
        for (within, fits) in [
            (0.0, true),
            (20_040.0, true),
            (20_040.1, false),
            (-1.0, false),
            (f64::NAN, false),
        ] {
            assert_eq!(
                Area::new(at(0.0, 0.0), Some(within)).is_ok(),
                fits,
                "{within}"
            );
        }
    }
}
