use super::*;
use proptest::prelude::*;

fn colour(hex: &str) -> Oklch {
    Oklch::from_hex(hex).expect("a colour")
}

fn assert_readable(chart: &ChartTheme) {
    for ground in [&chart.surface, &chart.raised] {
        for text in [&chart.text, &chart.muted, &chart.positive, &chart.negative, &chart.warning] {
            assert!(colour(text).contrast(colour(ground)) >= TEXT_CONTRAST, "{text} on {ground}");
        }
        for mark in chart.palette.iter().chain([&chart.accent]) {
            assert!(colour(mark).contrast(colour(ground)) >= MARK_CONTRAST, "{mark} on {ground}");
        }
    }
    assert!(colour(&chart.accent_text).contrast(colour(&chart.accent)) >= TEXT_CONTRAST, "{chart:?}");
}

/// A colour as seen without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1).
fn seen_without(cone: [[f64; 3]; 3], colour: Oklch) -> [f64; 3] {
    let rgb = colour.to_linear();
    Oklch::from_linear(cone.map(|row| (row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]).clamp(0.0, 1.0))).lab()
}

#[test]
fn the_palette_is_told_apart_without_red_or_green_cones() {
    const GREEN: [[f64; 3]; 3] =
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_82, 0.042_94, 0.968_881]];
    const RED: [[f64; 3]; 3] =
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]];
    for palette in [LIGHT, DARK] {
        for cone in [GREEN, RED] {
            let seen = palette.map(|hex| seen_without(cone, colour(hex)));
            for (at, one) in seen.iter().enumerate() {
                for (before, two) in seen[..at].iter().enumerate() {
                    let apart = (one[0] - two[0]).hypot(one[1] - two[1]).hypot(one[2] - two[2]);
                    let least = if at < 5 { 0.08 } else { 0.04 };
                    assert!(apart >= least, "{} and {}: {apart:.3}", palette[before], palette[at]);
                }
            }
        }
    }
}

#[test]
fn own_look_is_readable_in_light_and_dark() {
    assert_readable(&ChartTheme::default());
    assert_readable(&Theme { background: Some("#0f1115".into()), ..Theme::default() }.chart());
}

#[test]
fn a_dark_background_makes_the_page_dark() {
    let chart = Theme { background: Some("#101418".into()), ..Theme::default() }.chart();
    assert!(chart.dark && colour(&chart.text).lightness > 0.8);
    assert!(!ChartTheme::default().dark);
}

#[test]
fn a_good_primary_stays_as_it_is() {
    let theme = Theme { primary: Some("#0b5fff".into()), ..Theme::default() };
    assert_eq!(theme.chart().accent, "#0b5fff");
    assert_eq!(theme.chart().palette[0], "#0b5fff");
    assert_eq!(theme.problems(), Vec::<String>::new());
}

#[test]
fn names_are_those_of_the_visual_language() {
    let names: Vec<String> = Theme::default().css_variables().into_iter().map(|(name, _)| name).collect();
    for name in ["--surface", "--surface-raised", "--text", "--text-muted", "--line", "--accent", "--accent-text", "--focus"] {
        assert!(names.iter().any(|given| given == name), "{name}");
    }
    assert_eq!(names.last().map(String::as_str), Some("--chart-10"));
}

#[test]
fn what_is_not_a_colour_or_a_font_never_reaches_css() {
    let evil = "red;}</style><script>alert(1)</script>".to_owned();
    let theme = Theme {
        primary: Some(evil.clone()),
        background: Some(evil.clone()),
        text: Some(evil.clone()),
        font: Some("x\", url(//evil)".into()),
        palette: vec![evil],
        ..Theme::default()
    };
    assert_eq!(theme.css_variables(), Theme::default().css_variables());
    assert_eq!(theme.problems().len(), 5);
}

#[test]
fn colours_are_readable_as_they_are_written() {
    // Dark green text on this background loses a hundredth of its contrast when it is rounded to eight bits.
    let [primary, background, text] = ["#00aa00", "#18dabd", "#499402"].map(|colour| Some(colour.to_owned()));
    assert_readable(&Theme { primary, background, text, ..Theme::default() }.chart());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_theme_is_readable(primary in "#[0-9a-f]{6}", background in "#[0-9a-f]{6}", text in "#[0-9a-f]{6}") {
        let theme = Theme { primary: Some(primary), background: Some(background), text: Some(text), ..Theme::default() };
        let chart = theme.chart();
        // On a background of medium lightness 4.5 may not be reachable. Then black or white is best.
        let reachable = [&chart.surface, &chart.raised].iter().all(|ground| colour(ground).contrast(BLACK) > 4.6)
            || [&chart.surface, &chart.raised].iter().all(|ground| colour(ground).contrast(WHITE) > 4.6);
        if reachable {
            assert_readable(&chart);
        }
    }
}

#[test]
fn paper_is_white_and_keeps_accent_palette_and_font() {
    let own = |colour: &str| Some(colour.to_owned());
    let night = Theme {
        primary: own("#9be7c4"),
        background: own("#101418"),
        text: own("#f0f0f0"),
        font: own("Lato"),
        palette: vec!["#ffe08a".into(), "#0b5fff".into()],
        ..Theme::default()
    };
    let (paper, plain) = (night.on_paper().chart(), ChartTheme::default());
    assert!(!paper.dark);
    assert_eq!((&paper.surface, &paper.raised, &paper.text), (&"#ffffff".to_owned(), &"#ffffff".to_owned(), &plain.text));
    assert!(paper.font.starts_with("Lato,"));
    assert_eq!(paper.palette[1], "#0b5fff");
    assert!((colour(&paper.accent).hue - colour("#9be7c4").hue).abs() < 5.0, "{}", paper.accent);
    assert_readable(&paper);
}
