//! The frame around every page: header, navigation and notice.

use crate::ui::{
    draft::Csrf,
    html::{Html, IntoHtml},
    icons::{self, Icon},
};
use leptos::prelude::*;
use std::sync::LazyLock;

/// The section of a page. Its link is marked in the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the navigation's own")]
pub enum Section {
    Projects,
    Members,
    Developer,
    Model,
    Audit,
    Migration,
    Account,
    Overview,
    Connections,
    SemanticModel,
    Customers,
    Usage,
    Health,
    Roles,
    Charts,
    Applications,
    Workspaces,
    Embed,
    File,
    Outside,
}

/// An organization or a project.
#[derive(Clone, Debug)]
pub struct NamedId {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// The data of the frame around a page.
#[derive(Clone, Debug)]
pub struct Shell {
    /// The page's own title.
    pub title: String,
    /// The page's section.
    pub section: Section,
    /// The base URL of style sheets, scripts and fonts.
    pub assets: String,
    /// The nonce of the page's Content-Security-Policy.
    pub nonce: String,
    /// The CSRF token of the session.
    pub csrf: String,
    /// The email address of the signed-in member.
    pub person: Option<String>,
    /// The organization.
    pub organization: Option<NamedId>,
    /// All organizations of the member.
    pub organizations: Vec<NamedId>,
    /// The project.
    pub project: Option<NamedId>,
    /// All projects of the organization.
    pub projects: Vec<NamedId>,
    /// A notice of what was just done.
    pub notice: Option<String>,
}

/// The icon of the browser's tab, as a data URL.
static MARK: LazyLock<String> = LazyLock::new(|| {
    let drawn = include_str!("../../../public/icon.svg").trim();
    let escaped = [("%", "%25"), ("#", "%23"), ("<", "%3C"), (">", "%3E"), ("\"", "'")];
    escaped.iter().fold(format!("data:image/svg+xml,{drawn}"), |text, (from, to)| text.replace(from, to))
});

/// A whole page.
#[must_use]
pub fn draw(shell: &Shell, body: impl FnOnce() -> Html) -> String {
    // A view reads its text from the owner's arena, so the owner must live until the text is complete.
    let owner = Owner::new();
    let html = owner.with(|| {
        provide_context(Csrf(shell.csrf.clone()));
        around(shell, body()).to_html()
    });
    owner.cleanup();
    let Shell { title, assets, nonce, .. } = shell;
    let mark = &*MARK;
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{} · Inlay</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <link rel=\"icon\" href=\"{mark}\">\
         <link rel=\"preload\" href=\"{assets}/fonts/inter-latin.woff2\" as=\"font\" type=\"font/woff2\" crossorigin>\
         <link rel=\"stylesheet\" href=\"{assets}/console.css\" nonce=\"{nonce}\">\
         <script type=\"module\" src=\"{assets}/console.js\" nonce=\"{nonce}\"></script></head>\
         <body>{html}</body></html>",
        escaped(title),
    )
}

/// A fragment of a page, for a script that inserts it. `csrf` is the token of its forms.
#[must_use]
pub fn fragment(csrf: &str, body: impl FnOnce() -> Html) -> String {
    let owner = Owner::new();
    let html = owner.with(|| {
        provide_context(Csrf(csrf.to_owned()));
        body().to_html()
    });
    owner.cleanup();
    html
}

fn escaped(text: &str) -> String {
    html_escape::encode_double_quoted_attribute(text).into_owned()
}

fn around(shell: &Shell, body: Html) -> Html {
    let notice = shell.notice.clone().map(|text| view! { <p class="notice" role="status">{text}</p> });
    let Some(person) = shell.person.clone() else {
        return view! {
            <main id="main" class="alone" tabindex="-1">
                <p class="brand">{icons::svg(Icon::Mark)}"Inlay"</p>
                {notice}
                {body}
            </main>
        }
        .html();
    };
    view! {
        <a class="skip" href="#main">"Skip to content"</a>
        <div class="shell">
            <input type="checkbox" id="menu" class="unseen" aria-label="Navigation open" />
            <header class="bar">
                <label for="menu" class="button quiet" aria-hidden="true">{icons::svg(Icon::Menu)}</label>
                <span class="brand">{icons::svg(Icon::Mark)}"Inlay"</span>
            </header>
            <nav class="sidebar" aria-label="Console">{sidebar(shell, person)}</nav>
            <main id="main" tabindex="-1">{notice}{body}</main>
        </div>
    }
    .html()
}

fn sidebar(shell: &Shell, person: String) -> Html {
    let organization = shell.organization.clone().map(|organization| {
        let links = organization_links(shell, &organization.id);
        view! {
            {switch("Organization", &organization, &shell.organizations, "organizations", "projects")}
            {links}
        }
    });
    let project = shell.project.clone().map(|project| {
        let links = project_links(shell, &project.id);
        view! {
            {switch("Project", &project, &shell.projects, "projects", "")}
            <ul>{links}</ul>
        }
    });
    let account = link(shell, Section::Account, "/console/account".to_owned(), Icon::Person, &person);
    view! {
        <p class="brand">{icons::svg(Icon::Mark)}"Inlay"</p>
        {project}
        {organization}
        <ul class="foot">
            {account}
            <li>
                <form method="post" action="/console/sign-out">
                    <input type="hidden" name="csrf" value=shell.csrf.clone() />
                    <button class="nav-link">{icons::svg(Icon::Leave)}"Sign out"</button>
                </form>
            </li>
        </ul>
    }
    .html()
}

/// The name of the current place, with a menu of the others if there are any.
fn switch(what: &'static str, here: &NamedId, all: &[NamedId], path: &'static str, rest: &'static str) -> Html {
    let others: Vec<_> = all.iter().filter(|place| place.id != here.id).cloned().collect();
    let head = view! { <small>{what}</small><strong>{here.name.clone()}</strong> }.html();
    if others.is_empty() {
        return view! { <div class="switch">{head}</div> }.html();
    }
    let links = others.into_iter().map(|place| {
        let target = format!("/console/{path}/{}/{rest}", place.id);
        view! { <li><a href=target.trim_end_matches('/').to_owned()>{place.name}</a></li> }
    });
    view! {
        <details class="switch">
            <summary><span>{head}</span>{icons::svg(Icon::Chevron)}</summary>
            <ul>{links.collect_view()}</ul>
        </details>
    }
    .html()
}

fn organization_links(shell: &Shell, id: &str) -> Html {
    let at = |part: &str| format!("/console/organizations/{id}/{part}");
    view! {
        <ul>{link(shell, Section::Projects, at("projects"), Icon::Folder, "Projects")}</ul>
        <p class="group" id="account-settings">"Account settings"</p>
        <ul aria-labelledby="account-settings">
            {link(shell, Section::Members, at("members"), Icon::People, "Members")}
            {link(shell, Section::Developer, at("developer"), Icon::Key, "Developer")}
            {link(shell, Section::Model, at("model"), Icon::Spark, "Language model")}
            {link(shell, Section::Audit, at("audit"), Icon::List, "Audit log")}
            {link(shell, Section::Migration, at("migration"), Icon::Arrow, "Migration")}
        </ul>
    }
    .html()
}

fn project_links(shell: &Shell, id: &str) -> Html {
    let at = |part: &str| format!("/console/projects/{id}/{part}");
    view! {
        {link(shell, Section::Overview, format!("/console/projects/{id}"), Icon::Home, "Overview")}
        {link(shell, Section::Connections, at("connections"), Icon::Database, "Connections")}
        {link(shell, Section::SemanticModel, at("semantic-model"), Icon::Model, "Semantic model")}
        {link(shell, Section::Roles, at("roles"), Icon::Shield, "Roles")}
        {link(shell, Section::Charts, at("charts"), Icon::Chart, "Charts")}
        {link(shell, Section::Applications, at("applications"), Icon::Grid, "Applications")}
        {link(shell, Section::Workspaces, at("workspaces"), Icon::Chat, "Workspaces")}
        {link(shell, Section::Customers, at("customers"), Icon::People, "Customers")}
        {link(shell, Section::Usage, at("usage"), Icon::Pulse, "Usage")}
        {link(shell, Section::Health, at("health"), Icon::Heart, "Health")}
        {link(shell, Section::Embed, at("embed"), Icon::Code, "Embed")}
        {link(shell, Section::File, at("file"), Icon::File, "Project file")}
    }
    .html()
}

fn link(shell: &Shell, section: Section, target: String, icon: Icon, name: &str) -> Html {
    let current = (shell.section == section).then_some("page");
    view! {
        <li><a class="nav-link" href=target aria-current=current>{icons::svg(icon)}<span>{name.to_owned()}</span></a></li>
    }
    .html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_account_settings_under_developer() {
        let shell = Shell {
            title: "Projects".to_owned(),
            section: Section::Projects,
            assets: "/pkg".to_owned(),
            nonce: String::new(),
            csrf: String::new(),
            person: Some("ann@example.com".to_owned()),
            organization: Some(NamedId { id: "1".to_owned(), name: "Acme".to_owned() }),
            organizations: Vec::new(),
            project: None,
            projects: Vec::new(),
            notice: None,
        };
        let page = draw(&shell, || ().html());
        let (_, group) = page.split_once("<ul aria-labelledby=\"account-settings\">").expect("a group");
        let (group, _) = group.split_once("</ul>").expect("its end");
        assert!(page.contains("id=\"account-settings\" class=\"group\">Account settings</p>"), "{page}");
        assert!(
            group.contains("href=\"/console/organizations/1/developer\"") && group.contains("<span>Developer</span>"),
            "{group}"
        );
    }
}
