//! The templates above a role's flags. Each is a link that draws the form with its flags set. The page's script sets them in
//! place.

use super::{RolePage, field_of};
use crate::ui::html::{Html, IntoHtml};
use inlay_contract::permissions::{Flag, Template};
use leptos::prelude::*;

/// Draws them: in full on a new role, collapsed on an existing one. `address` is the form's page.
pub(super) fn choice(page: &RolePage, address: &str) -> Html {
    let links = Template::ALL.map(|template| link(template, address)).into_iter().collect_view();
    let told = page.template.map(filled_in);
    // Only a new role takes a template's name.
    let naming = page.id.is_none().then_some("");
    let choice = view! {
        <div class="templates" data-templates="" data-naming=naming>
            <ul>{links}</ul>
            <p class="muted" role="status">{told}</p>
        </div>
    };
    if page.id.is_none() {
        return view! { <section><h2 class="templates-title">"Start from a template"</h2>{choice}</section> }.html();
    }
    view! { <details class="more" open=page.template.is_some()><summary>"Use a template"</summary>{choice}</details> }.html()
}

fn link(template: Template, address: &str) -> Html {
    let target = format!("{address}?template={}", template.key());
    view! {
        <li>
            <a class="template" href=target data-name=template.name() data-flags=settings(template) data-told=filled_in(template)>
                <strong>{template.name()}</strong>" "<span class="muted">{template.meaning()}</span>
            </a>
        </li>
    }
    .html()
}

/// The values of the form's fields, URL-encoded. The fields of all other flags are empty.
fn settings(template: Template) -> String {
    let permissions = template.permissions();
    let word = |on| if on { "on" } else { "off" };
    let set = Flag::ALL.into_iter().filter_map(|flag| Some(format!("{}={}", field_of(flag), word(permissions.get(flag)?))));
    set.collect::<Vec<_>>().join("&")
}

fn filled_in(template: Template) -> String {
    format!("The form has the permissions of {}. They are not saved yet.", template.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::permissions::RolePermissions;

    fn page(id: Option<&str>, template: Option<Template>) -> RolePage {
        RolePage {
            project: "p".to_owned(),
            id: id.map(str::to_owned),
            name: "Analyst".to_owned(),
            users: 0,
            permissions: RolePermissions::default(),
            template,
            reports: false,
            copy: None,
            held: None,
            may_change: true,
        }
    }

    fn drawn(page: &RolePage, address: &str) -> String {
        let owner = Owner::new();
        let html = owner.with(|| choice(page, address).to_html());
        owner.cleanup();
        html
    }

    #[test]
    fn each_template_links_to_its_form() {
        let html = drawn(&page(None, None), "/roles/new");
        for template in Template::ALL {
            assert!(html.contains(&format!("href=\"/roles/new?template={}\"", template.key())), "{html}");
            assert!(html.contains(template.meaning()), "{html}");
        }
        assert!(html.contains("<h2") && html.contains("data-naming") && !html.contains("<details"), "{html}");
        assert!(html.contains("flag.addChart=off") && html.contains("flag.drillDown=on"), "{html}");
        assert!(!html.contains("flag.hideHeader"), "a template leaves restrictions unset: {html}");
    }

    #[test]
    fn an_existing_role_has_them_collapsed_and_keeps_its_name() {
        let html = drawn(&page(Some("r"), None), "/roles/r");
        assert!(html.contains("<details class=\"more\">") && !html.contains("data-naming"), "{html}");
        let chosen = drawn(&page(Some("r"), Some(Template::Editor)), "/roles/r");
        assert!(chosen.contains("<details open class=\"more\">"), "{chosen}");
        assert!(chosen.contains(">The form has the permissions of Editor. They are not saved yet.</p>"), "{chosen}");
    }
}
