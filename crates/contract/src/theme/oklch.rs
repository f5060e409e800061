//! Colours in OKLCH: perceived lightness, chroma and hue, so that a colour can be made lighter or darker without changing its
//! hue. Formulas: Björn Ottosson, "A perceptual color space for image processing" (public domain).

/// A colour. Lightness 0–1, chroma 0–0.4, hue in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oklch {
    /// 0 is black, 1 is white.
    pub lightness: f64,
    /// 0 is grey.
    pub chroma: f64,
    /// Degrees; 25 is red, 145 green, 260 blue.
    pub hue: f64,
}

/// White.
pub const WHITE: Oklch = Oklch::new(1.0, 0.0, 0.0);
/// Black.
pub const BLACK: Oklch = Oklch::new(0.0, 0.0, 0.0);

impl Oklch {
    /// A colour from its components.
    #[must_use]
    pub const fn new(lightness: f64, chroma: f64, hue: f64) -> Self {
        Self { lightness, chroma, hue }
    }

    /// Parses `#rgb` or `#rrggbb`.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        let wide: String = match digits.len() {
            3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
            6 => digits.to_owned(),
            _ => return None,
        };
        let channel = |at: usize| u8::from_str_radix(&wide[at..at + 2], 16).ok().map(|value| linear(f64::from(value) / 255.0));
        Some(Self::from_linear([channel(0)?, channel(2)?, channel(4)?]))
    }

    /// Formats as `#rrggbb`. Reduces the chroma to what a screen can show at this lightness.
    #[must_use]
    pub fn to_hex(self) -> String {
        let [red, green, blue] = self.in_gamut().to_linear().map(|value| (gamma(value.clamp(0.0, 1.0)) * 255.0).round() as u8);
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// The same colour with another lightness.
    #[must_use]
    pub fn at(self, lightness: f64) -> Self {
        Self { lightness: lightness.clamp(0.0, 1.0), ..self }
    }

    /// Mixes in another colour, linearly in `OKLab`. 0 is this colour, 1 the other.
    #[must_use]
    pub fn mix(self, other: Self, part: f64) -> Self {
        let (from, to) = (self.lab(), other.lab());
        Self::from_lab([0, 1, 2].map(|at| (to[at] - from[at]).mul_add(part, from[at])))
    }

    /// The WCAG contrast ratio between two colours, 1–21.
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance() + 0.05, other.luminance() + 0.05);
        if one > two { one / two } else { two / one }
    }

    /// The nearest lightness at which the colour has at least this contrast with every background. `None` if there is none.
    #[must_use]
    pub fn standing_out(self, grounds: &[Self], ratio: f64) -> Option<Self> {
        // Pages get colours of eight bits. Dark ones are changed most by that.
        let written = |colour: &Self| Self::from_hex(&colour.to_hex()).unwrap_or(*colour);
        let enough = |colour: &Self| {
            let stands =
                |ground: &Self| colour.contrast(*ground) >= ratio + 0.03 && written(colour).contrast(written(ground)) >= ratio;
            grounds.iter().all(stands)
        };
        (0..=100u8)
            .flat_map(|step| [f64::from(step) / 100.0, -f64::from(step) / 100.0])
            .map(|step| self.at(self.lightness + step))
            .find(enough)
    }

    /// Relative luminance (WCAG), 0–1.
    #[must_use]
    pub fn luminance(self) -> f64 {
        let [red, green, blue] = self.in_gamut().to_linear().map(|value| value.clamp(0.0, 1.0));
        0.2126f64.mul_add(red, 0.7152f64.mul_add(green, 0.0722 * blue))
    }

    /// Lightness, green–red and blue–yellow (`OKLab`): distances are perceived differences.
    #[must_use]
    pub fn lab(self) -> [f64; 3] {
        let angle = self.hue.to_radians();
        [self.lightness, self.chroma * angle.cos(), self.chroma * angle.sin()]
    }

    fn from_lab([lightness, a, b]: [f64; 3]) -> Self {
        Self { lightness, chroma: a.hypot(b), hue: b.atan2(a).to_degrees().rem_euclid(360.0) }
    }

    fn in_gamut(self) -> Self {
        let fits = |colour: &Self| colour.to_linear().iter().all(|value| (-0.0005..=1.0005).contains(value));
        (0..=50u8).map(|step| Self { chroma: self.chroma * (1.0 - f64::from(step) / 50.0), ..self }).find(fits).unwrap_or(self)
    }

    /// Linear-light sRGB.
    pub(super) fn to_linear(self) -> [f64; 3] {
        let [lightness, a, b] = self.lab();
        let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
        [
            4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
            -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
            -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
        ]
    }

    pub(super) fn from_linear([red, green, blue]: [f64; 3]) -> Self {
        let l = (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
        let m = (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
        let s = (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
        Self::from_lab([
            0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s,
        ])
    }
}

fn linear(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn gamma(value: f64) -> f64 {
    if value <= 0.003_130_8 { 12.92 * value } else { 1.055f64.mul_add(value.powf(1.0 / 2.4), -0.055) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_survives_the_round_trip() {
        for hex in ["#000000", "#ffffff", "#0b5fff", "#ff0000", "#123456", "#fedcba"] {
            assert_eq!(Oklch::from_hex(hex).expect("a colour").to_hex(), hex);
        }
        assert_eq!(Oklch::from_hex("#fa0").expect("a colour").to_hex(), "#ffaa00");
    }

    #[test]
    fn what_is_not_a_hex_colour_is_none() {
        for text in ["", "#", "red", "#12", "#12345", "#1234567", "#ggg", "url(x)", "#éab", "#fff;}"] {
            assert_eq!(Oklch::from_hex(text), None, "{text}");
        }
    }

    #[test]
    fn black_on_white_is_twenty_one_to_one() {
        assert!((BLACK.contrast(WHITE) - 21.0).abs() < 0.01);
    }

    #[test]
    fn standing_out_moves_lightness_and_keeps_hue() {
        let yellow = Oklch::from_hex("#ffe000").expect("a colour");
        let mark = yellow.standing_out(&[WHITE], 3.0).expect("possible");
        assert!(Oklch::from_hex(&mark.to_hex()).expect("a colour").contrast(WHITE) >= 3.0);
        assert!((mark.hue - yellow.hue).abs() < 1e-9);
        assert_eq!(yellow.standing_out(&[WHITE, BLACK], 8.0), None);
    }
}
