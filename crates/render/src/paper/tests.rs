use super::*;
use inlay_contract::prose::{Block, Span};

fn paper(cards: Vec<Card>) -> Paper {
    Paper {
        title: "Sales & <more>".into(),
        about: "Acme  ·  Region: south".into(),
        day: "20 November".into(),
        cards,
        ink: ChartTheme::default().into(),
    }
}

fn card(place: (u16, u16, u16, u16), body: Body) -> Card {
    Card { title: "Card \"one\"".into(), place, body }
}

fn picture() -> Body {
    Body::Picture(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" height=\"100%\" viewBox=\"0 0 600 200\">\
         <path d=\"M0 0L600 200\" stroke=\"#0b5fff\"/><text x=\"9\" y=\"99\" font-family=\"Nowhere\">Label</text></svg>"
            .into(),
    )
}

fn table(rows: usize) -> Body {
    Body::Table {
        heads: [("region", false), ("sum", true)].map(|(name, is_number)| Head { name: name.into(), is_number }).to_vec(),
        rows: (0..rows).map(|at| vec![format!("north {at}.").into(), at.to_string().into()]).collect(),
        count: rows,
        total: Some(vec!["Total".to_owned().into(), "780".to_owned().into()]),
    }
}

fn pages(paper: &Paper) -> Vec<String> {
    let pages = pack(&paper.cards);
    (1..).zip(&pages).map(|(number, page)| paper.page(page, (number, pages.len()))).collect()
}

#[test]
fn a_dashboard_becomes_vectors_and_text_on_as_many_pages_as_it_takes() {
    let emphasis = Block::Paragraph(vec![Span::Emphasis("A <b>line</b>".into())]);
    let paper = paper(vec![
        card((0, 0, 6, 6), picture()),
        card((6, 0, 6, 6), Body::Number { value: "1,234".into(), below: "Up 3%".into(), course: None }),
        card((0, 6, 12, 9), table(60)),
        card((0, 15, 12, 2), Body::Text(vec![emphasis])),
    ]);
    let drawn = pages(&paper);
    assert_eq!(drawn.len(), 3);
    let shown: Vec<usize> = drawn.iter().map(|page| page.matches(">north ").count()).collect();
    assert_eq!(shown.iter().sum::<usize>(), 60, "{shown:?}");
    assert!(drawn[1].contains("(continued)") && drawn[1].contains(">region</text>") && drawn[1].contains(">2 / 3</text>"));
    let file = paper.pdf().expect("a PDF");
    assert_eq!(&file[..5], b"%PDF-");
    assert!(!file.windows(14).any(|part| part == &b"/Subtype /Imag"[..]), "vectors, no bitmaps");
    assert!(file.len() > 4_000);
}

#[test]
fn texts_stay_texts() {
    let paper = paper(vec![card(
        (0, 0, 6, 3),
        Body::Number { value: "<svg>".into(), below: "\u{0}&\u{ffff}\u{fffe}".into(), course: None },
    )]);
    let svg = &pages(&paper)[0];
    assert!(svg.contains("Sales &amp; &lt;more&gt;") && svg.contains("&lt;svg&gt;") && svg.contains("Card &quot;one&quot;"));
    assert!(Tree::from_str(svg, &Options::default()).is_ok());
}

#[test]
fn a_head_that_is_too_long_is_cut_but_not_its_day() {
    let long = Paper {
        title: "Name ".repeat(80),
        about: "Region: south  ·  ".repeat(40),
        ..paper(vec![card((0, 0, 6, 3), table(1))])
    };
    let svg = &pages(&long)[0];
    assert!(svg.matches('…').count() == 2 && svg.contains("…  ·  20 November</text>"), "{svg}");
    let empty = Paper { about: String::new(), ..long };
    assert!(pages(&empty)[0].contains(">20 November</text>"));
}

#[test]
fn a_picture_is_as_large_as_the_space_in_its_card() {
    let sizes = |places: &[(u16, u16, u16, u16)]| {
        paper(places.iter().map(|place| card(*place, Body::Picture(String::new()))).collect()).pictures()
    };
    assert_eq!(sizes(&[(0, 0, 12, 7)]), [(0, (1216, 316))]);
    assert_eq!(sizes(&[(0, 0, 1, 1)]), [(0, (57, 48))]);
    // The page is scaled down a little, and its columns are wider.
    let scaled = sizes(&[(0, 0, 12, 8), (0, 8, 12, 8)]);
    assert!(scaled.iter().all(|(_, size)| size.0 > 1300 && size.1 == 372), "{scaled:?}");
}
