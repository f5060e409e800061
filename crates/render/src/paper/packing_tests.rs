use super::{
    super::card::{Body, Field, Head},
    *,
};
use inlay_contract::prose::{Block, Span};

type Place = (u16, u16, u16, u16);

fn chart(place: Place) -> Card {
    Card { title: "Chart".into(), place, body: Body::Picture(String::new()) }
}

fn number(place: Place) -> Card {
    Card { body: Body::Number { value: "12".into(), below: String::new(), course: None }, ..chart(place) }
}

fn table(place: Place, rows: usize) -> Card {
    let heads = vec![Head { name: "name".into(), is_number: false }];
    let rows: Vec<_> = (0..rows).map(|row| vec![Field::from(row.to_string())]).collect();
    Card { body: Body::Table { heads, count: rows.len(), rows, total: None }, ..chart(place) }
}

fn text(place: Place, words: usize) -> Card {
    Card { body: Body::Text(vec![Block::Paragraph(vec![Span::Text("word ".repeat(words))])]), ..chart(place) }
}

fn numbers() -> Vec<Card> {
    [0, 3, 6, 9].map(|x| number((x, 0, 3, 3))).to_vec()
}

/// The cards of each page.
fn shown(pages: &[Page]) -> Vec<Vec<usize>> {
    pages.iter().map(|page| page.pieces.iter().map(|piece| piece.card).collect()).collect()
}

/// The first row of a card on each page, and the one after its last.
fn rows(pages: &[Page], card: usize) -> Vec<(usize, usize)> {
    let pieces = pages.iter().flat_map(|page| &page.pieces).filter(|piece| piece.card == card);
    pieces.map(|piece| (piece.part.lines.start, piece.part.lines.end)).collect()
}

/// Nothing overlaps, nothing leaves its page, and each page but the last is filled to this part.
#[track_caller]
fn assert_packed(cards: &[Card], pages: &[Page], least: f32) {
    let fills: Vec<f32> = pages.iter().map(Page::fill).collect();
    for (page, fill) in pages.iter().zip(&fills) {
        assert!((SMALLEST - 0.001..=1.0).contains(&page.scale) && *fill <= 1.001, "{page:?}");
        for (at, piece) in page.pieces.iter().enumerate() {
            let (x, _, w, _) = cards[piece.card].place;
            assert!(piece.y >= 0.0 && piece.height > 0.0, "{piece:?}");
            for other in &page.pieces[..at] {
                let (left, _, wide, _) = cards[other.card].place;
                let beside = x >= left + wide || left >= x + w;
                let apart = piece.y >= other.y + other.height + GAP - 1.0 || other.y >= piece.y + piece.height + GAP - 1.0;
                assert!(beside || apart, "{piece:?} and {other:?} overlap");
            }
        }
    }
    let (_, before) = fills.split_last().expect("a page");
    assert!(before.iter().all(|fill| *fill >= least), "{fills:?}");
}

#[test]
fn numbers_above_charts_fill_their_pages() {
    let mut cards = numbers();
    cards.extend([chart((0, 3, 8, 7)), chart((8, 3, 4, 7)), chart((0, 10, 5, 8)), chart((5, 10, 7, 8))]);
    cards.extend([chart((0, 18, 7, 7)), chart((7, 18, 5, 7)), table((0, 25, 12, 8), 25), text((0, 33, 12, 2), 20)]);
    let pages = pack(&cards);
    assert_packed(&cards, &pages, 0.95);
    assert_eq!(shown(&pages)[0], [0, 1, 2, 3, 4, 5, 6, 7], "scaled down for the row that just misses");
    assert!(pages[0].scale < 0.85 && pages[1].scale > 0.99);
    assert_eq!(rows(&pages, 10).last().map(|rows| rows.1), Some(25));
}

#[test]
fn charts_in_two_columns_fill_their_pages() {
    let cards: Vec<Card> = (0..5).flat_map(|row| [chart((0, row * 6, 6, 6)), chart((6, row * 6, 6, 6))]).collect();
    let pages = pack(&cards);
    assert_packed(&cards, &pages, 0.65);
    assert_eq!(shown(&pages).concat(), (0..10).collect::<Vec<_>>(), "reading order");
    let pages = pack(&cards[..8]);
    assert!(pages.len() == 2 && pages.iter().all(|page| page.scale == 1.0 && page.pieces.len() == 4), "{pages:?}");
}

#[test]
fn a_sidebar_beside_charts_and_a_long_table_fill_their_pages() {
    let mut cards = numbers();
    cards.extend([chart((0, 3, 8, 6)), chart((0, 9, 8, 6)), table((8, 3, 4, 12), 40), table((0, 15, 12, 10), 120)]);
    let pages = pack(&cards);
    assert_packed(&cards, &pages, 0.65);
    assert_eq!(rows(&pages, 7).last().map(|rows| rows.1), Some(120));
}

#[test]
fn a_long_table_continues_and_loses_no_row() {
    let cards = [chart((0, 0, 12, 6)), table((0, 6, 12, 8), 90), chart((0, 14, 12, 6))];
    let pages = pack(&cards);
    assert_packed(&cards, &pages, 0.65);
    let rows = rows(&pages, 1);
    assert!(rows.len() >= 3 && rows[0].0 == 0 && rows[rows.len() - 1].1 == 90, "{rows:?}");
    assert!(rows.windows(2).all(|pair| pair[0].1 == pair[1].0 && pair[1].0 < pair[1].1), "{rows:?}");
}

#[test]
fn a_wide_table_continues_with_a_card_beside_it() {
    let cards = [table((0, 0, 8, 7), 50), chart((8, 0, 4, 14)), table((0, 7, 8, 7), 4)];
    let pages = pack(&cards);
    assert_packed(&cards, &pages, 0.65);
    assert_eq!(rows(&pages, 0).last().map(|rows| rows.1), Some(50));
    assert_eq!(shown(&pages).last().map(Vec::as_slice), Some(&[0, 2][..]), "what is below the table comes after its end");
}

#[test]
fn a_narrow_table_grows_into_free_space_and_no_further() {
    let beside = |rows| [chart((0, 0, 6, 6)), table((6, 0, 6, 6), rows)];
    assert_eq!(rows(&pack(&beside(20)), 1), [(0, 20)]);
    let pages = pack(&beside(60));
    assert_eq!((pages.len(), rows(&pages, 1)), (1, vec![(0, 28)]), "the page's height");
    let full = [beside(60).to_vec(), vec![chart((0, 6, 12, 8))]].concat();
    assert_eq!(rows(&pack(&full), 1), [(0, 10)], "two rows more than in its tile");
}

#[test]
fn a_table_alone_is_no_higher_than_its_rows() {
    let pages = pack(&[table((0, 0, 12, 20), 3), chart((0, 20, 12, 6))]);
    assert_eq!(pages.len(), 1);
    assert!(pages[0].pieces[0].height < 180.0);
}

#[test]
fn a_text_shows_all_its_lines_and_a_heading_moves_with_its_charts() {
    let cards = [text((0, 0, 4, 2), 200), chart((4, 0, 8, 4)), chart((0, 2, 4, 2))];
    let pages = pack(&cards);
    assert_packed(&cards, &pages, 0.65);
    assert!(pages[0].pieces[2].y > pages[0].pieces[0].height, "what is below moves down");
    let cards = [chart((0, 0, 12, 12)), text((0, 12, 12, 2), 3), chart((0, 14, 12, 10))];
    assert_eq!(shown(&pack(&cards)), [vec![0], vec![1, 2]]);
}

#[test]
fn bands_that_are_higher_than_a_page_are_lowered_or_divided() {
    // A little too high: it stays together.
    let cards = [chart((0, 0, 4, 20)), chart((4, 0, 8, 10)), chart((4, 10, 8, 10))];
    assert_eq!(shown(&pack(&cards)), [vec![0, 1, 2]]);
    // Far too high: what fits comes first.
    let mut cards = vec![chart((0, 0, 4, 42))];
    cards.extend((0..6).map(|row| chart((4, row * 7, 8, 7))));
    let pages = pack(&cards);
    assert_packed(&cards, &pages, 0.0);
    assert_eq!(shown(&pages)[0], [0, 1, 2]);
    assert_eq!(pages.iter().map(|page| page.pieces.len()).sum::<usize>(), 7);
    let pages = pack(&[chart((0, 0, 12, 60))]);
    assert_packed(&[chart((0, 0, 12, 60))], &pages, 0.0);
    assert!(pack(&[]).is_empty());
}

#[test]
fn a_free_third_of_a_page_takes_a_part_of_the_next_band() {
    let cards = [chart((0, 0, 12, 8)), chart((0, 8, 9, 8)), chart((9, 8, 3, 16)), chart((0, 16, 9, 8))];
    let pages = pack(&cards);
    assert_packed(&cards, &pages, 0.65);
    assert_eq!(shown(&pages), [vec![0, 1], vec![2, 3]]);
}

#[test]
fn a_table_that_fits_one_page_is_not_divided_for_the_end_of_another() {
    let cards = [chart((0, 0, 12, 11)), table((0, 11, 12, 6), 25)];
    let pages = pack(&cards);
    assert_packed(&cards, &pages, 0.7);
    assert_eq!(rows(&pages, 1), [(0, 25)]);
}
