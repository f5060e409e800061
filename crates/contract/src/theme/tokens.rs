//! The colours that a theme defines, as CSS custom properties and as a chart's colours.

use super::{
    Density, Theme,
    oklch::{BLACK, Oklch, WHITE},
};

/// The colours of series on light and on dark backgrounds, in order. They can be told apart with red-green colour blindness.
const LIGHT: [&str; 10] =
    ["#2563eb", "#de773c", "#429688", "#b7219f", "#476b0b", "#7e2bc9", "#a46c18", "#ec4d80", "#338ec6", "#6d81a1"];
const DARK: [&str; 10] =
    ["#5b8def", "#d7713b", "#3edfc1", "#d564ac", "#84dc22", "#9a95fd", "#cfad48", "#ed6368", "#38bdf8", "#94a3b8"];

/// The minimum contrast of text with its background.
const TEXT_CONTRAST: f64 = 4.5;
/// The minimum contrast of a mark with its background.
const MARK_CONTRAST: f64 = 3.0;

/// The colours of charts and cards. Every colour is `#rrggbb`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartTheme {
    /// Whether the background is dark.
    pub dark: bool,
    /// The page's background.
    pub surface: String,
    /// The background of cards, which charts are drawn on.
    pub raised: String,
    /// Text.
    pub text: String,
    /// Axis labels and legends.
    pub muted: String,
    /// Grid lines and borders.
    pub line: String,
    /// The colour of a single series and of the focus.
    pub accent: String,
    /// Text on `accent`.
    pub accent_text: String,
    /// An improvement.
    pub positive: String,
    /// A decline.
    pub negative: String,
    /// A warning.
    pub warning: String,
    /// The colours of series, in order.
    pub palette: [String; 10],
    /// A ramp from almost the background to a deep accent, for heatmaps and maps.
    pub ramp: [String; 5],
    /// Font families, unquoted and safe in CSS and SVG attributes.
    pub font: String,
}

impl Default for ChartTheme {
    fn default() -> Self {
        Theme::default().chart()
    }
}

impl Theme {
    /// The theme for white paper: its accent, palette and font with the default background and text.
    #[must_use]
    pub fn on_paper(&self) -> Self {
        Self { background: None, text: None, ..self.clone() }
    }

    /// The colours of charts and cards for this theme.
    #[must_use]
    pub fn chart(&self) -> ChartTheme {
        let surface = read(self.background.as_deref()).unwrap_or(WHITE);
        let dark = surface.luminance() < 0.18;
        let raised = match () {
            () if dark => surface.at(surface.lightness + 0.035),
            () if surface.lightness > 0.93 => WHITE,
            () => surface.mix(WHITE, 0.5),
        };
        let grounds = [surface, raised];
        let away = |colour: Oklch, ratio| colour.standing_out(&grounds, ratio).unwrap_or(if dark { WHITE } else { BLACK });
        let ink = if dark { Oklch::new(0.95, 0.005, 260.0) } else { Oklch::new(0.24, 0.02, 260.0) };
        let text = away(read(self.text.as_deref()).unwrap_or(ink), TEXT_CONTRAST);
        let accent = away(
            read(self.primary.as_deref()).or_else(|| read(Some(if dark { DARK[0] } else { LIGHT[0] }))).unwrap_or(ink),
            MARK_CONTRAST,
        );
        let role = |light: Oklch, lightness| away(if dark { light.at(lightness) } else { light }, TEXT_CONTRAST).to_hex();
        ChartTheme {
            dark,
            surface: surface.to_hex(),
            raised: raised.to_hex(),
            text: text.to_hex(),
            muted: away(text.mix(raised, 0.36), TEXT_CONTRAST).to_hex(),
            line: raised.mix(text, if dark { 0.14 } else { 0.1 }).to_hex(),
            accent: accent.to_hex(),
            accent_text: on(accent).to_hex(),
            positive: role(Oklch::new(0.53, 0.13, 155.0), 0.75),
            negative: role(Oklch::new(0.55, 0.2, 25.0), 0.7),
            warning: role(Oklch::new(0.54, 0.12, 70.0), 0.8),
            palette: self.series_colours(accent, dark, &grounds).map(Oklch::to_hex),
            ramp: ramp(accent, raised, dark),
            font: font_families(self.font.as_deref()),
        }
    }

    /// The page's custom properties, in order: the name with its two dashes, and a value that is safe in a style sheet.
    /// `--accent-text` is text on `--accent`; `--control` is a control's height.
    #[must_use]
    pub fn css_variables(&self) -> Vec<(String, String)> {
        let chart = self.chart();
        let control = if self.density == Some(Density::Compact) { 28 } else { 32 };
        let named = [
            ("surface", chart.surface),
            ("surface-raised", chart.raised),
            ("text", chart.text),
            ("text-muted", chart.muted),
            ("line", chart.line),
            ("focus", chart.accent.clone()),
            ("accent", chart.accent),
            ("accent-text", chart.accent_text),
            ("positive", chart.positive),
            ("negative", chart.negative),
            ("warning", chart.warning),
            ("font", chart.font),
            ("radius", format!("{}px", self.radius.unwrap_or(8).min(32))),
            ("control", format!("{control}px")),
            ("scheme", if chart.dark { "dark" } else { "light" }.to_owned()),
        ];
        let series = chart.palette.into_iter().enumerate().map(|(at, colour)| (format!("--chart-{}", at + 1), colour));
        named.into_iter().map(|(name, value)| (format!("--{name}"), value)).chain(series).collect()
    }

    /// Problems of this theme for the operator: ignored values and colours that had to be changed. Each is a sentence.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let colours = [("primary", &self.primary), ("background", &self.background), ("text", &self.text)];
        let given = colours.iter().filter_map(|(name, value)| value.as_deref().map(|value| ((*name).to_owned(), value)));
        let palette = self.palette.iter().enumerate().map(|(at, value)| (format!("palette[{at}]"), value.as_str()));
        let mut problems: Vec<String> = given
            .chain(palette)
            .filter(|(_, value)| Oklch::from_hex(value).is_none())
            .map(|(name, _)| format!("{name} is not a hex colour such as #0b5fff."))
            .collect();
        if self.font.as_deref().is_some_and(|name| !is_font_name(name)) {
            problems.push("font is not a font family's name: words of letters, digits and dashes.".to_owned());
        }
        let chart = self.chart();
        for (name, given, used) in [("primary", &self.primary, &chart.accent), ("text", &self.text, &chart.text)] {
            let given = read(given.as_deref()).map(Oklch::to_hex);
            if given.is_some_and(|given| given != *used) {
                problems.push(format!("{name} has too little contrast with the background; {used} is used instead."));
            }
        }
        problems
    }

    fn series_colours(&self, accent: Oklch, dark: bool, grounds: &[Oklch]) -> [Oklch; 10] {
        let own = self.palette.iter().filter_map(|colour| Oklch::from_hex(colour)).collect::<Vec<_>>();
        let first = if own.is_empty() { vec![accent] } else { own };
        let stock = if dark { DARK } else { LIGHT }.into_iter().filter_map(Oklch::from_hex);
        // A default colour that is close to a given one would make series hard to distinguish, so it comes last.
        let apart = |colour: &Oklch| first.iter().map(|given| distance(*colour, *given)).fold(f64::INFINITY, f64::min);
        let (mut far, mut near): (Vec<Oklch>, Vec<Oklch>) = stock.partition(|colour| apart(colour) > 0.12);
        near.sort_by(|one, two| apart(two).total_cmp(&apart(one)));
        let mut colours = first.clone();
        colours.append(&mut far);
        colours.append(&mut near);
        let stands = |colour: Oklch| colour.standing_out(grounds, MARK_CONTRAST).unwrap_or(colour);
        std::array::from_fn(|at| stands(colours.get(at).copied().unwrap_or(accent)))
    }
}

fn read(colour: Option<&str>) -> Option<Oklch> {
    colour.and_then(Oklch::from_hex)
}

/// White or black, whichever has more contrast. One of them always reaches 4.5.
fn on(ground: Oklch) -> Oklch {
    let ground = read(Some(&ground.to_hex())).unwrap_or(ground);
    if ground.contrast(WHITE) >= TEXT_CONTRAST || ground.contrast(WHITE) >= ground.contrast(BLACK) { WHITE } else { BLACK }
}

fn distance(one: Oklch, two: Oklch) -> f64 {
    let (one, two) = (one.lab(), two.lab());
    (one[0] - two[0]).hypot(one[1] - two[1]).hypot(one[2] - two[2])
}

fn ramp(accent: Oklch, ground: Oklch, dark: bool) -> [String; 5] {
    let deep = if dark { accent.at(0.78) } else { accent.at(0.42) };
    let pale = ground.mix(accent, if dark { 0.22 } else { 0.1 });
    [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| pale.mix(deep, part).to_hex())
}

/// Words that start with a letter. Such a name needs no quotes in CSS and cannot end an attribute or a declaration.
fn is_font_name(name: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_alphabetic())
            && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_')
    };
    (1..=64).contains(&name.len()) && name.split(' ').all(word)
}

fn font_families(name: Option<&str>) -> String {
    const OWN: &str = "Inter Variable, Inter, system-ui, sans-serif";
    match name.filter(|name| is_font_name(name) && !name.eq_ignore_ascii_case("inter")) {
        Some(name) => format!("{name}, {OWN}"),
        None => OWN.to_owned(),
    }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
