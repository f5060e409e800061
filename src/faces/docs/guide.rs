//! `/docs/{*page}`: the guides for hosts and operators, from the Markdown files in `docs/`. Each is rendered once.

use super::page::{Page, frame};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html::push_html};
use rust_embed::{EmbeddedFile, RustEmbed};
use std::{collections::BTreeMap, fmt::Write, sync::LazyLock};

/// The folder of the guides. Some of its pages are for developers of Inlay and are not served.
#[derive(RustEmbed)]
#[folder = "docs"]
#[include = "*.md"]
#[exclude = "spec/*"]
struct Files;

/// The guides in order: name, title.
const GUIDES: [(&str, &str); 31] = [
    ("quick-start", "Quick start"),
    ("concepts", "Concepts"),
    ("hosting-an-embed", "Hosting an embed"),
    ("pages", "Pages, parameters, messages"),
    ("project-file", "The project file"),
    ("model", "The semantic model"),
    ("charts", "Charts"),
    ("clients", "Server clients"),
    ("workspaces", "Workspaces"),
    ("reports", "Scheduled reports and alerts"),
    ("webhooks", "Webhooks"),
    ("security-for-hosts", "Security for hosts"),
    ("migration", "From v1 to v2"),
    ("console", "The management console"),
    ("console/getting-in", "Console: getting in"),
    ("console/roles", "Console: who may do what"),
    ("console/pages", "Console: what is on each page"),
    ("console/usage", "Console: usage"),
    ("console/deleting", "Console: deleting a project"),
    ("console/evaluations", "Console: evaluations"),
    ("operating", "Operating"),
    ("operating/settings", "Operating: settings and limits"),
    ("operating/store", "Operating: the store"),
    ("operating/packaging", "Operating: packages"),
    ("operating/metrics", "Operating: metrics"),
    ("operating/runbook", "Operating: the runbook"),
    ("operating/tracing", "Operating: traces"),
    ("operating/isolation", "Operating: isolation checks"),
    ("sources", "Databases that can be shown"),
    ("analyst", "The built-in analyst"),
    ("troubleshooting", "Troubleshooting"),
];

static PAGES: LazyLock<BTreeMap<&str, Page>> = LazyLock::new(|| {
    let drawn = GUIDES.iter().filter_map(|(name, title)| {
        let (path, file) = file(name)?;
        let text = String::from_utf8_lossy(&file.data);
        Some((*name, draw(title, &path, &text)))
    });
    drawn.collect()
});

/// The file of a guide with its path: `charts.md`, or the `README.md` of its folder.
fn file(name: &str) -> Option<(String, EmbeddedFile)> {
    let paths = [format!("{name}.md"), format!("{name}/README.md")];
    paths.into_iter().find_map(|path| Files::get(&path).map(|file| (path, file)))
}

/// A guide by its name.
pub(super) fn find(name: &str) -> Option<&'static Page> {
    PAGES.get(name)
}

/// Links to all guides, for the contents of every page.
pub(super) fn links() -> String {
    GUIDES.iter().fold(String::from("<strong>Guides</strong><ul>"), |mut links, (name, title)| {
        let _ = write!(links, "<li><a href=\"/docs/{name}\">{title}</a></li>");
        links
    }) + "</ul>"
}

fn draw(title: &str, path: &str, text: &str) -> Page {
    let mut body = String::new();
    push_html(&mut body, events(path, text).into_iter());
    let reference = "<strong>Reference</strong><ul><li><a href=\"/docs\">The API</a></li></ul>";
    let contents = format!("<nav aria-label=\"Contents\">{}{reference}</nav>", links());
    frame(&format!("{title} · Inlay"), &format!("{contents}<main class=\"guide\">{body}</main>"))
}

/// The events of a guide's page: headings with anchors, links to other guides, scrollable tables. `path` is its file's path.
fn events<'t>(path: &str, text: &'t str) -> Vec<Event<'t>> {
    let mut shown = Vec::new();
    let mut heading = None;
    // Links to files that are not served, such as source files, become plain text.
    let mut dropped = false;
    // Pictures are in paragraphs of their own, in files that are not served.
    let mut pictures = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Image { .. }) if matches!(shown.last(), Some(Event::Start(Tag::Paragraph))) => {
                shown.pop();
                pictures = true;
            }
            Event::End(TagEnd::Paragraph) if pictures => pictures = false,
            _ if pictures => {}
            // Comments are for the tests.
            Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level, shown.len())),
            Event::End(TagEnd::Heading(_)) => {
                if let Some((level, from)) = heading.take() {
                    let words = shown.split_off(from);
                    shown.push(start_of_heading(level, &words));
                    shown.extend(words);
                }
                shown.push(event);
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => match address(path, &dest_url) {
                Some(dest_url) => shown.push(Event::Start(Tag::Link { link_type, dest_url, title, id })),
                None => dropped = true,
            },
            Event::End(TagEnd::Link) if dropped => dropped = false,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let language = info.split_whitespace().next().unwrap_or_default().to_owned();
                shown.push(Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language.into()))));
            }
            Event::Start(Tag::Table(_)) => shown.extend([Event::Html("<div class=\"scroll\">".into()), event]),
            Event::End(TagEnd::Table) => shown.extend([event, Event::Html("</div>".into())]),
            other => shown.push(other),
        }
    }
    shown
}

fn start_of_heading<'t>(level: HeadingLevel, words: &[Event<'t>]) -> Event<'t> {
    let text: String = words
        .iter()
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        })
        .collect();
    let plain = |letter: &char| letter.is_alphanumeric() || *letter == ' ' || *letter == '-';
    let id =
        text.to_lowercase().chars().filter(plain).map(|letter| if letter == ' ' { '-' } else { letter }).collect::<String>();
    Event::Start(Tag::Heading { level, id: Some(id.into()), classes: Vec::new(), attrs: Vec::new() })
}

/// The target of a link in the file at `path`, on its page.
fn address(path: &str, target: &str) -> Option<CowStr<'static>> {
    if target.starts_with("https://") || target.starts_with('#') {
        return Some(target.to_owned().into());
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let file = beside(path, file)?;
    let name = file.strip_suffix(".md")?;
    let name = name.strip_suffix("/README").unwrap_or(name);
    GUIDES.iter().find(|(guide, _)| *guide == name)?;
    let sign = if heading.is_empty() { "" } else { "#" };
    Some(format!("/docs/{name}{sign}{heading}").into())
}

/// A path relative to the file at `path`, as one below `docs/`. `None` if it leaves that folder.
fn beside(path: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        shown_at("charts.md", text)
    }

    fn shown_at(path: &str, text: &str) -> String {
        let mut html = String::new();
        push_html(&mut html, events(path, text).into_iter());
        html
    }

    #[test]
    fn every_guide_is_there() {
        for (name, title) in GUIDES {
            let html = &find(name).expect(name).html;
            assert!(html.contains(&format!("<title>{title} · Inlay</title>")), "{name}");
            assert!(html.contains("<h1 "), "{name}");
            assert!(!html.contains("<!--") && !html.contains(".md\""), "{name}");
        }
        assert!(find("status").is_none() && find("../Cargo").is_none());
    }

    #[test]
    fn links_lead_to_guides_or_nowhere() {
        assert_eq!(shown("[a](pages.md#messages)"), "<p><a href=\"/docs/pages#messages\">a</a></p>\n");
        assert_eq!(shown("[a](../sdk/page) [b](development.md)"), "<p>a b</p>\n");
        assert_eq!(shown("[a](https://example.com)"), "<p><a href=\"https://example.com\">a</a></p>\n");
        assert_eq!(shown("[a](javascript:x)"), "<p>a</p>\n");
    }

    #[test]
    fn links_are_relative_to_their_file() {
        assert_eq!(shown("[a](console/README.md#pictures)"), "<p><a href=\"/docs/console#pictures\">a</a></p>\n");
        assert_eq!(shown_at("console/README.md", "[a](usage.md)"), "<p><a href=\"/docs/console/usage\">a</a></p>\n");
        assert_eq!(shown_at("console/usage.md", "[a](../charts.md)"), "<p><a href=\"/docs/charts\">a</a></p>\n");
        assert_eq!(shown_at("console/usage.md", "[a](charts.md) [b](../../README.md)"), "<p>a b</p>\n");
    }

    #[test]
    fn pictures_are_left_out() {
        assert_eq!(shown("a\n\n![b](images/b.png)\n![c](images/c.png)\n\nd"), "<p>a</p>\n<p>d</p>\n");
    }

    #[test]
    fn headings_can_be_linked_to() {
        assert_eq!(shown("## Behind `a` name"), "<h2 id=\"behind-a-name\">Behind <code>a</code> name</h2>\n");
    }

    #[test]
    fn what_is_for_the_tests_is_not_shown() {
        let html = shown("<!-- run\nrm -rf x\n-->\n\n```sh run background=3000\ninlay serve\n```\n");
        assert_eq!(html, "<pre><code class=\"language-sh\">inlay serve\n</code></pre>\n");
    }
}
