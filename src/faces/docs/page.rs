//! `/docs`: the API description as one page, rendered once on the server; and the frame of every page of `/docs`. No script and
//! no external resources.

use super::{
    codes::codes,
    compose::EVENT_STREAM,
    fields::{Field, Schemas},
    guide,
};
use crate::{faces::embeds::assets, ground::error::Code};
use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, engine::general_purpose::STANDARD};
use inlay_console::{Html, IntoHtml};
use inlay_contract::theme::Theme;
use leptos::prelude::*;
use serde_json::Value;

/// A page with the policy that allows its own style.
pub struct Page {
    /// The page.
    pub html: String,
    /// Its `Content-Security-Policy`.
    pub policy: String,
}

/// The background colour of the dark page.
const DARK: &str = "#111317";

/// Renders the page.
pub fn draw(document: &Value) -> Page {
    // A view reads its text from an owner's arena, which may go once the text is complete.
    let owner = Owner::new();
    frame("Inlay API", &owner.with(|| body(document).to_html()))
}

/// A page with this body and the common style.
pub(super) fn frame(title: &str, body: &str) -> Page {
    let style = style();
    let hash = STANDARD.encode(digest(&SHA256, style.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let html = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style>{style}</style></head>\
         <body>{body}</body></html>"
    );
    Page { html, policy }
}

fn style() -> String {
    let variables = |theme: &Theme| {
        let each = theme.css_variables().into_iter().map(|(name, value)| format!("{name}:{value};"));
        each.collect::<String>()
    };
    let dark = Theme { background: Some(DARK.to_owned()), ..Theme::default() };
    format!(
        "@font-face{{font-family:\"Inter Variable\";font-weight:100 900;font-display:optional;\
         src:url(\"{}/fonts/inter-latin.woff2\") format(\"woff2\")}}\n{}\n:root{{{}}}\n\
         @media (prefers-color-scheme:dark){{:root{{{}}}}}\n{}",
        assets::base(""),
        include_str!("../../../style/tokens.css"),
        variables(&Theme::default()),
        variables(&dark),
        include_str!("../../../style/docs.css"),
    )
}

/// An operation with its path and method.
struct Operation<'d> {
    path: &'d str,
    method: &'d str,
    told: &'d Value,
}

impl<'d> Operation<'d> {
    fn all(document: &'d Value) -> Vec<Self> {
        let paths = document["paths"].as_object().into_iter().flatten();
        let each = paths.flat_map(|(path, item)| {
            let operations = item.as_object().into_iter().flatten();
            operations.map(move |(method, told)| Operation { path, method, told })
        });
        each.collect()
    }

    fn id(&self) -> String {
        text(&self.told["operationId"])
    }
}

fn body(document: &Value) -> impl IntoView {
    let operations = Operation::all(document);
    let schemas = Schemas(&document["components"]["schemas"]);
    let groups: Vec<_> = document["tags"].as_array().into_iter().flatten().collect();
    let of =
        |group: &Value| operations.iter().filter(|operation| operation.told["tags"][0] == group["name"]).collect::<Vec<_>>();
    let contents = groups.iter().map(|group| contents(group, &of(group))).collect_view();
    let chapters = groups.iter().map(|group| chapter(document, group, &of(group))).collect_view();
    let told = document["info"]["description"].as_str().unwrap_or_default().trim().split("\n\n");
    let permissions = schemas.of(&schemas.0["Permissions"]);
    let version = format!("version {}", text(&document["info"]["version"]));
    view! {
        <nav aria-label="Contents">
            <div inner_html=guide::links()></div>
            {contents}
            <ul><li><a href="#permissions">"Permission flags"</a></li><li><a href="#errors">"Error codes"</a></li></ul>
        </nav>
        <main>
            <h1>"Inlay API"<small>{version}</small></h1>
            {told.map(|paragraph| view! { <p>{prose(paragraph)}</p> }).collect_view()}
            <p class="muted">"The same for programs: "<a href="/openapi.json">"/openapi.json"</a></p>
            {chapters}
            <h2 id="permissions">"Permission flags"</h2>
            <p>{prose(&text(&schemas.0["Permissions"]["description"]))}</p>
            {table("Flag", permissions)}
            <h2 id="errors">"Error codes"</h2>
            {errors(&codes().collect::<Vec<_>>())}
        </main>
    }
}

fn contents(group: &Value, operations: &[&Operation<'_>]) -> Html {
    let links = operations.iter().map(|operation| {
        let target = format!("#{}", operation.id());
        view! { <li><a href=target>{words(&operation.id())}</a></li> }
    });
    view! { <strong>{text(&group["name"])}</strong><ul>{links.collect_view()}</ul> }.html()
}

fn chapter(document: &Value, group: &Value, operations: &[&Operation<'_>]) -> Html {
    view! {
        <h2>{text(&group["name"])}</h2>
        <p>{prose(&text(&group["description"]))}</p>
        {operations.iter().map(|operation| section(document, operation)).collect_view()}
    }
    .html()
}

fn section(document: &Value, operation: &Operation<'_>) -> Html {
    let schemas = Schemas(&document["components"]["schemas"]);
    let Operation { path, method, told } = operation;
    let parameters = told["parameters"].as_array().into_iter().flatten();
    let parameters = parameters.map(|parameter| {
        let field = schemas.field(text(&parameter["name"]), &parameter["schema"], parameter["required"] == true);
        let own = parameter["description"].as_str().map(str::to_owned);
        Field { path: format!("{} ({})", field.path, text(&parameter["in"])), told: own.unwrap_or(field.told), ..field }
    });
    let parameters = parameters.collect();
    let sent = schemas.of(&told["requestBody"]["content"]["application/json"]["schema"]);
    let content = &told["responses"]["200"]["content"];
    let (title, data) = match content.get(EVENT_STREAM) {
        Some(stream) => ("Answer: events", &stream["schema"]),
        None => ("Answer: data", &content["application/json"]["schema"]["properties"]["data"]),
    };
    // A response always holds all its fields, so only bodies mark required ones.
    let answer = schemas.of(data).into_iter().map(|field| Field { required: false, ..field });
    let refusals: Vec<Code> = codes().filter(|code| answers(told, *code)).collect();
    view! {
        <section id=operation.id()>
            <h3><span class=format!("method {method}")>{method.to_uppercase()}</span><code>{(*path).to_owned()}</code></h3>
            <p>{prose(&text(&told["summary"]))}</p>
            {told["description"].as_str().map(|more| view! { <p>{prose(more)}</p> })}
            <p class="muted">{prose(&credentials(document, told))}</p>
            {part("Parameters", parameters)}
            {part("Body", sent)}
            {part(title, answer.collect())}
            <details><summary>{format!("{} possible errors", refusals.len())}</summary>{errors(&refusals)}</details>
        </section>
    }
    .html()
}

/// Whether an operation can return a code.
pub fn answers(operation: &Value, code: Code) -> bool {
    let schema = &operation["responses"][code.status().to_string()]["content"]["application/json"]["schema"];
    let codes = schema["allOf"][1]["properties"]["error"]["properties"]["code"]["enum"].as_array();
    codes.is_some_and(|codes| codes.iter().any(|name| name == code.as_str()))
}

/// The accepted credentials, in words.
fn credentials(document: &Value, operation: &Value) -> String {
    let requirements = operation["security"].as_array().into_iter().flatten().filter_map(Value::as_object);
    let places = requirements.map(|requirement| match requirement.keys().next() {
        None => "an API key as `apiKey` in the body".to_owned(),
        Some(name) => text(&document["components"]["securitySchemes"][name]["x-short"]),
    });
    format!("Credential: {}.", places.collect::<Vec<_>>().join(", or "))
}

fn part(title: &'static str, fields: Vec<Field>) -> Option<Html> {
    let name = if title == "Parameters" { "Parameter" } else { "Field" };
    (!fields.is_empty()).then(|| view! { <h4>{title}</h4>{table(name, fields)} }.html())
}

fn table(name: &'static str, fields: Vec<Field>) -> Html {
    let rows = fields.into_iter().map(|field| {
        let required = field.required.then(|| view! { <small>"required"</small> });
        view! { <tr><td><code>{field.path}</code>{required}</td><td>{prose(&field.kind)}</td><td>{prose(&field.told)}</td></tr> }
    });
    view! {
        <div class="scroll"><table>
            <thead><tr><th>{name}</th><th>"Type"</th><th>"Meaning"</th></tr></thead>
            <tbody>{rows.collect_view()}</tbody>
        </table></div>
    }
    .html()
}

fn errors(codes: &[Code]) -> Html {
    let rows = codes.iter().map(|code| {
        view! { <tr><td><code>{code.as_str()}</code></td><td>{code.status()}</td><td>{prose(code.meaning())}</td></tr> }
    });
    view! {
        <div class="scroll"><table>
            <thead><tr><th>"Code"</th><th>"Status"</th><th>"When"</th></tr></thead>
            <tbody>{rows.collect_view()}</tbody>
        </table></div>
    }
    .html()
}

/// A text whose parts between backticks are code.
fn prose(told: &str) -> Html {
    let parts = told.split('`').enumerate().map(|(at, part)| {
        let part = part.to_owned();
        if at % 2 == 1 { view! { <code>{part}</code> }.html() } else { part.html() }
    });
    parts.collect_view().html()
}

/// `createDashboard` and `v1CreateDashboard` → `Create dashboard`. The group shows the API version.
fn words(id: &str) -> String {
    let mut words = String::new();
    for (at, letter) in id.trim_start_matches("v1").chars().enumerate() {
        match letter {
            letter if at == 0 => words.extend(letter.to_uppercase()),
            letter if letter.is_uppercase() => words.extend(std::iter::once(' ').chain(letter.to_lowercase())),
            letter => words.push(letter),
        }
    }
    words
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
