//! The flags of a role in groups, each with its setting. The radio buttons work without a script.

use super::field_of;
use crate::ui::{
    draft::Draft,
    html::{Html, IntoHtml},
    parts,
};
use inlay_contract::permissions::{Flag, Group, Unset};
use leptos::prelude::*;

/// The values of a flag's field, in the order of its buttons.
const SETTINGS: [&str; 3] = ["off", "on", ""];

/// Draws all groups. The settings are plain text unless the member may change them.
pub(super) fn groups(draft: &Draft, may_change: bool) -> Html {
    let groups = Group::ALL.map(|group| {
        let shown = group.flags().filter(|flag| is_shown(*flag, draft));
        let rows = shown.map(|flag| row(flag, draft, may_change)).collect_view();
        view! {
            <fieldset class="group">
                <legend>{group.title()}</legend>
                <div class="permission-rows">{rows}</div>
            </fieldset>
        }
    });
    view! { <div class="permissions">{groups.into_iter().collect_view()}</div> }.html()
}

/// A flag without effect is only shown to those whose role sets it.
fn is_shown(flag: Flag, draft: &Draft) -> bool {
    flag != Flag::EditMarketplace || !setting(flag, draft).is_empty()
}

/// The value of a flag's field. Anything else that was sent counts as unset, as it does when the form is saved.
fn setting(flag: Flag, draft: &Draft) -> &'static str {
    let typed = draft.value(&field_of(flag));
    SETTINGS.into_iter().find(|value| *value == typed).unwrap_or_default()
}

fn row(flag: Flag, draft: &Draft, may_change: bool) -> Html {
    let title = format!("permission-{}", flag.name());
    let told = format!("{title}-told");
    let chosen = setting(flag, draft);
    let control = if may_change {
        let buttons = SETTINGS.map(|value| button(flag, value, value == chosen)).into_iter().collect_view();
        view! {
            <div class="setting" role="radiogroup" aria-labelledby=title.clone() aria-describedby=told.clone()>{buttons}</div>
        }
        .html()
    } else {
        view! { <p class="setting-told">{label(flag, chosen)}</p> }.html()
    };
    view! {
        <div class="permission">
            <div>
                <p class="permission-name"><strong id=title>{flag.title()}</strong>{parts::code(flag.name())}</p>
                <p id=told class="muted">{meaning(flag)}</p>
            </div>
            {control}
        </div>
    }
    .html()
}

fn button(flag: Flag, value: &'static str, checked: bool) -> Html {
    view! {
        <label><input type="radio" name=field_of(flag) value=value checked=checked /><span>{label(flag, value)}</span></label>
    }
    .html()
}

fn label(flag: Flag, value: &str) -> &'static str {
    match (value, flag.unset()) {
        ("on", _) => "On",
        ("off", _) => "Off",
        (_, Unset::On) => "Default (on)",
        (_, Unset::Off) => "Default (off)",
        (_, Unset::OnIfEditing) => "Default (on if the role edits)",
    }
}

/// The flag's meaning, with other flags by their titles.
fn meaning(flag: Flag) -> String {
    let named = |text: String, other: Flag| text.replace(&format!("`{}`", other.name()), &format!("“{}”", other.title()));
    let grants = if flag.grants_editing() { " Grants editing." } else { "" };
    Flag::ALL.into_iter().fold(flag.meaning().to_owned(), named) + grants
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(draft: &Draft, may_change: bool) -> String {
        let owner = Owner::new();
        let html = owner.with(|| groups(draft, may_change).to_html());
        owner.cleanup();
        html
    }

    /// The value of a flag's checked button.
    fn checked(html: &str, flag: Flag) -> Vec<String> {
        let name = format!("name=\"{}\"", field_of(flag));
        let inputs = html.split("<input").skip(1).filter_map(|rest| rest.split_once('>')).map(|(input, _)| input);
        let own = inputs.filter(|input| input.contains(&name) && input.contains(" checked"));
        own.filter_map(|input| Some(input.split_once("value=\"")?.1.split('"').next()?.to_owned())).collect()
    }

    #[test]
    fn one_button_of_each_flag_is_checked() {
        let draft = Draft::of([("flag.addChart", "on"), ("flag.drillDown", "off"), ("flag.hideHeader", "perhaps")]);
        let html = drawn(&draft, true);
        for flag in Flag::ALL.into_iter().filter(|flag| *flag != Flag::EditMarketplace) {
            let expected = match flag {
                Flag::AddChart => "on",
                Flag::DrillDown => "off",
                _ => "",
            };
            assert_eq!(checked(&html, flag), [expected], "{flag}");
            assert!(html.contains(&format!("<code>{flag}</code>")) && html.contains(flag.title()), "{flag}: {html}");
        }
        assert!(!html.contains("perhaps"), "{html}");
    }

    #[test]
    fn the_flag_without_effect_is_shown_to_a_role_that_sets_it() {
        assert!(!drawn(&Draft::default(), true).contains("editMarketplace"));
        let html = drawn(&Draft::of([("flag.editMarketplace", "off")]), true);
        assert_eq!(checked(&html, Flag::EditMarketplace), ["off"]);
    }

    #[test]
    fn who_may_not_change_a_role_reads_its_settings() {
        let html = drawn(&Draft::of([("flag.addChart", "on")]), false);
        assert!(!html.contains("<input") && html.contains("setting-told\">On<"), "{html}");
        for told in ["Default (on)", "Default (off)", "Default (on if the role edits)"] {
            assert!(html.contains(told), "{told}: {html}");
        }
    }

    #[test]
    fn a_meaning_names_other_flags_by_their_titles() {
        assert_eq!(meaning(Flag::CreateChartSql), "Write a chart's SQL by hand; no effect unless “Build charts” is on.");
        assert_eq!(meaning(Flag::AddDashboard), "Create new dashboards. Grants editing.");
        assert!(Flag::ALL.into_iter().all(|flag| !meaning(flag).contains('`')));
    }
}
