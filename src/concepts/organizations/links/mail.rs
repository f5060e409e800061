//! Links by mail: to whom they are for, and to nobody else.

use super::forgotten;
use crate::{
    concepts::organizations::sign_in,
    ground::{
        error::Result,
        mail::{Letter, Message},
        state::App,
        web::origin::Origin,
    },
};

/// What a link is for.
#[derive(Clone, Debug)]
pub enum Purpose {
    /// Joining an organization of this name.
    Invitation(String),
    /// Choosing a new password.
    NewPassword,
}

/// Where a link leads.
pub fn address(app: &App, purpose: &Purpose, token: &str) -> String {
    let way = match purpose {
        Purpose::Invitation(_) => "invitation",
        Purpose::NewPassword => "reset",
    };
    format!("{}/console/{way}/{token}", app.base_url)
}

/// Sends a link to whom it is for; whether it went out. Where no mail server is set up, or it refuses, the link has to be handed
/// on in another way.
pub async fn send(app: &App, email: &str, purpose: &Purpose, token: &str) -> bool {
    post(app, email, &letter(purpose, address(app, purpose, token))).await
}

/// Sends a letter; whether it went out.
pub async fn post(app: &App, email: &str, letter: &Letter) -> bool {
    let Ok(to) = email.parse() else { return false };
    let message = Message {
        to,
        subject: letter.heading.clone(),
        text: letter.text(),
        html: letter.html(),
        attachments: Vec::new(),
        id: None,
        unsubscribe: None,
    };
    app.mailer.is_set_up() && app.mailer.send(&message).await.is_ok()
}

fn letter(purpose: &Purpose, address: String) -> Letter {
    let one_line = |text: &str| text.chars().filter(|letter| !letter.is_control()).take(100).collect::<String>();
    match purpose {
        Purpose::Invitation(organization) => Letter {
            heading: format!("You are invited to {}", one_line(organization)),
            paragraphs: vec!["Choose a password, or join with the one that you have.".to_owned()],
            action: Some(("Join".to_owned(), address)),
            notes: vec!["The link works once, within 7 days. Whoever did not expect it leaves it alone.".to_owned()],
            ..Letter::default()
        },
        Purpose::NewPassword => Letter {
            heading: "Choose a new password".to_owned(),
            paragraphs: vec!["Somebody, probably you, asked for a new password of your account.".to_owned()],
            action: Some(("Choose a new password".to_owned(), address)),
            notes: vec!["The link works once, within 24 hours. Without it, your password stays as it is.".to_owned()],
            ..Letter::default()
        },
    }
}

/// Sends somebody who forgot their password a link to a new one, if they have an account. Whoever asks learns nothing of that: the
/// work is done after the answer.
///
/// # Errors
/// 429 `TOO_MANY_ATTEMPTS` for an address that asks too often.
pub async fn send_forgotten(app: &App, email: &str, origin: &Origin) -> Result<()> {
    sign_in::slow_down(app, "forgotten", email, origin).await?;
    let (app, email, origin) = (app.clone(), sign_in::normalized(email), origin.clone());
    tokio::spawn(async move {
        match forgotten(&app, &email, &origin).await {
            Ok(Some(token)) => {
                send(&app, &email, &Purpose::NewPassword, &token).await;
            }
            Ok(None) => {}
            Err(problem) => tracing::error!(context = problem.context, "a link to a new password could not be made"),
        }
    });
    Ok(())
}
