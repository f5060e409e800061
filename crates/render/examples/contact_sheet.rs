//! Every type of chart, light and dark, in one HTML file for the eye: `cargo run -p inlay-render --example contact_sheet -- sheet.html`.

use inlay_contract::{
    chart::{self, definition::ChartDefinition},
    data::ChartData,
    theme::Theme,
};
use inlay_render::Renderer;
use serde::Deserialize;
use std::{error::Error, fmt::Write, fs};

#[derive(Deserialize)]
struct Sample {
    definition: ChartDefinition,
    data: ChartData,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "contact-sheet.html".to_owned());
    let locale = std::env::args().nth(2).unwrap_or_else(|| "en".to_owned());
    let samples: Vec<Sample> = serde_json::from_str(include_str!("../../contract/tests/gallery.json"))?;
    let renderer = Renderer::start();
    let mut html = String::from("<!doctype html><meta charset=utf-8><title>Charts</title>");
    html.push_str(include_str!("contact_sheet.html"));
    let dark = Theme { background: Some("#0f1216".into()), ..Theme::default() };
    for theme in [Theme::default(), dark] {
        let colours = theme.chart();
        let style: String = theme.css_variables().iter().map(|(name, value)| format!("{name}:{value};")).collect();
        write!(html, "<main style=\"{style}\">")?;
        for sample in samples.iter().filter(|sample| !sample.definition.kind.is_html()) {
            let option = chart::option(&sample.definition, &sample.data, &colours, &locale)?;
            for (class, width, height) in [("", 420, 240), ("small", 260, 180)] {
                let svg = renderer.svg(&option, width, height).await;
                let svg = svg.unwrap_or_else(|error| format!("<p>{error}</p>"));
                let json = option.to_string().replace('<', "\\u003c");
                write!(
                    html,
                    "<figure class=\"{class}\"><figcaption>{}</figcaption><div class=plot style=\"width:{width}px;height:{height}px\">{svg}</div>\
                     <script type=\"application/json\">{json}</script></figure>",
                    sample.definition.title
                )?;
            }
        }
        html.push_str("</main>");
    }
    fs::write(path, html)?;
    Ok(())
}
