//! Questions and answers of a workspace, and versions that answer worse.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    faces::background,
    testing::{ACME, World, on_both_stores},
};
use serde_json::json;

const SQL: &str = "select region, sum(amount) as total from orders group by region";

fn workspace(world: &World) -> String {
    format!("/console/projects/{}/workspaces/{}", world.applied.project_id, world.applied.workspaces["Ask"])
}

async fn ask(world: &World, question: &str) -> String {
    let (token, id) = (world.token(ACME).await, world.applied.workspaces["Ask"]);
    let events = world.post(&format!("/v2/api/workspaces/{id}/chat"), &token, &json!({"message": question})).await.events();
    events.iter().filter_map(|event| event["delta"].as_str()).collect()
}

/// The address of a link with this text before it.
fn link<'a>(page: &'a str, part: &str) -> &'a str {
    page.split('"').find(|address| address.contains(part)).unwrap_or_else(|| panic!("{part}: {page}"))
}

async fn save_examples(world: &World, browser: &mut Browser<'_>, examples: &[(&str, &str)]) {
    let connection = world.applied.connections["warehouse"].to_string();
    let fields: Vec<(String, String)> = examples
        .iter()
        .enumerate()
        .flat_map(|(at, (question, sql))| {
            [(format!("example.{at}.question"), (*question).to_owned()), (format!("example.{at}.query"), (*sql).to_owned())]
        })
        .collect();
    let mut form = vec![("connection", connection.as_str()), ("tables", "orders")];
    form.extend(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    assert_eq!(browser.save(&workspace(world), &form).await.status, 303);
}

on_both_stores! {
    async fn an_open_question_becomes_a_verified_answer(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = format!("{}/answers", workspace(&world));
        let page = browser.get(&path).await.text;
        assert!(page.contains("No open question") && page.contains("No verified answer yet"), "{page}");
        for question in ["Which unicorns are the best ones?", "please, which unicorns are the best ones", "Who painted the office?"] {
            assert!(!ask(&world, question).await.contains("Verified by"));
        }
        let page = browser.get(&path).await.text;
        assert!(page.contains("2 declined") && page.contains("Who painted the office?"), "{page}");
        let opened = link(&page, "?open=").replace("&amp;", "&");
        assert!(!opened.contains("unicorns"), "no user's words in an address: {opened}");
        let form = browser.get(opened.split('#').next().expect("an address")).await.text;
        assert!(form.contains("<details open class=\"adding\"") && form.contains("value=\"") && form.contains("nicorns are the best ones"), "{form}");

        let form = [("question", "Which unicorns are the best ones?"), ("query", "select region from nothing"), ("by", "Acme Finance")];
        let refused = browser.submit(&path, &form).await;
        let kept = refused.text.contains("select region from nothing") && refused.text.contains("is refused");
        assert!(refused.status == 400 && kept, "{}", refused.text);
        let form = [("question", "Which unicorns are the best ones?"), ("query", SQL), ("by", "Acme Finance")];
        let saved = browser.submit(&path, &form).await;
        let page = browser.get(target(&saved)).await.text;
        assert!(page.contains("In use") && page.contains("Acme Finance") && !page.contains("2 declined"), "{page}");
        assert!(ask(&world, "Which unicorns are the best ones").await.starts_with("Verified by Acme Finance."));

        let form = browser.get(link(&page, "?answer=").split('#').next().expect("an address")).await.text;
        assert!(form.contains("value=\"Acme Finance\""), "it can be changed: {form}");
        let asked = page.split("name=\"asked\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a form").to_owned();
        for told in ["Dismissed.", "is already closed"] {
            let done = browser.submit(&format!("{path}/dismiss"), &[("asked", &asked)]).await;
            assert!(browser.get(target(&done)).await.text.contains(told), "{told}");
        }
        let remove = page.split('"').find(|part| part.ends_with("/remove") && part.contains("/answers/")).expect("a form").to_owned();
        for told in ["Verified answer deleted.", "has already been deleted"] {
            let done = browser.submit(&remove, &[]).await;
            assert!(browser.get(target(&done)).await.text.contains(told), "{told}");
        }
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        for action in ["answerVerified", "questionsDismissed", "answerRemoved"] {
            assert!(audit.contains(&format!("workspace.{action}")), "{action}: {audit}");
        }
        assert!(!audit.contains("painted"), "a user's words are not kept in the audit log");
    }

    async fn a_synonym_is_saved_in_place(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = format!("{}/answers", workspace(&world));
        ask(&world, "Which unicorns are the best ones?").await;
        let page = browser.get(&path).await.text;
        for offered in ["table orders", "column orders.region", "column orders.company", "dimension orders.place", "measure revenue"] {
            assert!(page.contains(&format!("<option value=\"{offered}\">")), "{offered}: {page}");
        }
        let opened = link(&page, "?name=").split('#').next().expect("an address").to_owned();
        assert!(!opened.contains("unicorns"), "no user's words in an address: {opened}");
        let form = browser.get(&opened).await.text;
        assert!(form.contains("The question: ") && form.contains("Save synonym"), "{form}");

        for (fields, told) in [
            ([("word", ""), ("of", "measure revenue"), ("value", "")], "must have 1 to 100 characters"),
            ([("word", "a, b"), ("of", "measure revenue"), ("value", "")], "must not contain"),
            ([("word", "flurb"), ("of", "measure nothing"), ("value", "")], "is not in the list"),
            ([("word", "flurb"), ("of", "measure revenue"), ("value", "north")], "is for columns"),
        ] {
            let refused = browser.submit(&format!("{path}/synonym"), &fields).await;
            assert!(refused.status == 400 && refused.text.contains(told) && refused.text.contains("Save synonym"), "{told}: {}", refused.text);
        }
        for (word, of, value) in [
            ("purchaseflurbs", "table orders", ""),
            ("areaflurb", "column orders.region", ""),
            ("boreal", "column orders.region", "north"),
            ("spotflurb", "dimension orders.place", ""),
            ("moneyflurb", "measure revenue", ""),
        ] {
            let saved = browser.submit(&format!("{path}/synonym"), &[("word", word), ("of", of), ("value", value)]).await;
            assert_eq!(saved.status, 303, "{word}: {}", saved.text);
            let notice = browser.get(target(&saved)).await.text;
            assert!(notice.contains(&format!("Saved: {word} means ")), "{notice}");
        }
        let file = browser.get(&format!("/console/projects/{}/file/download", world.applied.project_id)).await.text;
        for word in ["purchaseflurbs", "areaflurb", "boreal", "spotflurb", "moneyflurb"] {
            assert_eq!(file.matches(word).count(), 1, "{word}: {file}");
        }
        assert!(file.contains("company = {{organization.company}}"), "the rule stays: {file}");
        let audit = browser.get(&format!("/console/organizations/{}/audit?action=table", world.organization)).await.text;
        assert!(audit.contains("table.changed"), "{audit}");
    }

    async fn a_measure_is_saved_in_place(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = format!("{}/answers", workspace(&world));
        assert!(!ask(&world, "What is the bigness of our orders?").await.contains("21"));
        let page = browser.get(&path).await.text;
        let opened = link(&page, "?measure=").split('#').next().expect("an address").to_owned();
        assert!(!opened.contains("bigness"), "no user's words in an address: {opened}");
        let form = browser.get(&opened).await.text;
        for part in ["The question: ", "<option value=\"amount\">", "<option value=\"orders\"", "Save measure"] {
            assert!(form.contains(part), "{part}: {form}");
        }
        let good = [("table", "orders"), ("name", "bigness"), ("label", "Bigness"), ("aggregate", "max"), ("of", "amount")];
        for (field, value, told) in [
            ("table", "nothing", "is not a listed table"),
            ("name", "revenue", "is the name of another measure"),
            ("of", "amuont", "amuont"),
            ("of", "", "is missing; only `count`"),
            ("aggregate", "mode", "is not one of the choices"),
        ] {
            let fields = good.map(|(name, kept)| if name == field { (name, value) } else { (name, kept) });
            let refused = browser.submit(&format!("{path}/measure"), &fields).await;
            assert!(refused.status == 400 && refused.text.contains(told), "{told}: {} {}", refused.status, refused.text);
            assert!(refused.text.contains("value=\"Bigness\""), "what was typed stays");
        }
        let saved = browser.submit(&format!("{path}/measure"), &good).await;
        assert_eq!(saved.status, 303, "{}", saved.text);
        assert!(browser.get(target(&saved)).await.text.contains("Saved: bigness. Ask the question again"));
        let page = browser.get(&format!("/console/projects/{}/semantic-model/bigness", world.applied.project_id)).await.text;
        assert!(page.contains("Bigness"), "{page}");
        let answer = ask(&world, "What is the bigness of our orders?").await;
        assert!(answer.to_lowercase().contains("bigness") && answer.contains("**20**"), "it is answered now: {answer}");
    }

    async fn an_open_question_is_asked_again_as_a_user(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = format!("{}/answers", workspace(&world));
        ask(&world, "Which unicorns are the best ones?").await;
        let page = browser.get(&path).await.text;
        let asked = page.split("name=\"asked\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a form").to_owned();
        let again = browser.submit(&format!("{path}/ask"), &[("asked", &asked)]).await;
        for part in ["Asked again", ">No answer<", "whose row rules apply", "nicorns are the best ones"] {
            assert!(again.status == 200 && again.text.contains(part), "{part}: {}", again.text);
        }
        let verified = [("question", "Which unicorns are the best ones?"), ("query", SQL), ("by", "Acme Finance")];
        assert_eq!(browser.submit(&path, &verified).await.status, 303);
        let gone = browser.submit(&format!("{path}/ask"), &[("asked", &asked)]).await;
        assert!(browser.get(target(&gone)).await.text.contains("is already closed"));
        let audit = browser.get(&format!("/console/organizations/{}/audit?action=viewedAs", world.organization)).await.text;
        assert!(audit.contains("projectUser.viewedAs"), "{audit}");
    }

    async fn users_questions_are_not_for_members_who_only_view(world) {
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        assert_eq!(viewer.get(&format!("{}/answers", workspace(&world))).await.status, 403);
        assert!(!viewer.get(&workspace(&world)).await.text.contains("Questions and answers"));
    }

    async fn a_version_that_answers_worse_needs_a_persons_word(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = workspace(&world);
        let user = world.sign_in_as(ACME, "ada", None).await["projectUserId"].as_str().expect("an id").to_owned();
        let (right, wrong) = ("select count(*) as n from orders", "select count(*) + 1 as n from orders");
        save_examples(&world, &mut browser, &[("How many orders?", right), ("How many orders are there?", right)]).await;
        save_examples(&world, &mut browser, &[("How many orders?", right), ("How many orders are there?", wrong)]).await;
        for number in ["2", "3"] {
            assert_eq!(browser.submit(&format!("{path}/versions"), &[("step", "publish"), ("number", number)]).await.status, 303);
            assert_eq!(browser.submit(&format!("{path}/evaluate"), &[("number", number), ("user", &user)]).await.status, 303);
            background::worker(world.app.clone()).work_off().await.expect("worked off");
        }
        let promote = format!("{path}/versions");
        assert_eq!(browser.submit(&promote, &[("step", "promote"), ("number", "2")]).await.status, 303);
        let page = browser.get(&path).await.text;
        assert!(page.contains("50 points fewer right than in production") && page.contains("Put into production anyway"), "{page}");
        assert!(page.contains("2 of 2 right") && page.contains("50 points fewer"), "{page}");
        let refused = browser.submit(&promote, &[("step", "promote"), ("number", "3")]).await;
        assert!(refused.status == 409 && refused.text.contains("50 percentage points fewer"), "{}", refused.text);
        assert!(browser.get(&path).await.text.contains("Put into production anyway"), "nothing has changed");
        let anyway = browser.submit(&promote, &[("step", "promote"), ("number", "3"), ("despite", "on")]).await;
        assert!(browser.get(target(&anyway)).await.text.contains("Version 3 is in production."));

        let form = [("question", "How many orders are there?"), ("query", wrong), ("by", "Acme Finance")];
        let saved = browser.submit(&format!("{path}/answers"), &form).await;
        assert!(browser.get(target(&saved)).await.text.contains("Version 3 is being evaluated again."));
        background::worker(world.app.clone()).work_off().await.expect("worked off");
        let page = browser.get(&path).await.text;
        assert!(page.contains("50 points more"), "the difference is shown: {page}");
    }
}
