//! Links by mail, sent only to their recipient.

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

/// The purpose of a link.
#[derive(Clone, Debug)]
pub enum Purpose {
    /// Joining an organization of this name.
    Invitation(String),
    /// Choosing a new password.
    NewPassword,
}

/// The URL of a link.
pub fn address(app: &App, purpose: &Purpose, token: &str) -> String {
    let way = match purpose {
        Purpose::Invitation(_) => "invitation",
        Purpose::NewPassword => "reset",
    };
    format!("{}/console/{way}/{token}", app.base_url)
}

/// Mails a link to its recipient. Returns whether it was sent: without a mail server, or when it refuses, the link must be
/// passed on in another way.
pub async fn send(app: &App, email: &str, purpose: &Purpose, token: &str) -> bool {
    post(app, email, &letter(purpose, address(app, purpose, token))).await
}

/// Sends a mail. Returns whether it was sent.
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
            paragraphs: vec!["Choose a password. If you already have an account, join with your existing password.".to_owned()],
            action: Some(("Join".to_owned(), address)),
            notes: vec![
                "The link works once, within 7 days. If you did not expect this invitation, ignore this mail.".to_owned(),
            ],
            ..Letter::default()
        },
        Purpose::NewPassword => Letter {
            heading: "Choose a new password".to_owned(),
            paragraphs: vec!["Someone, probably you, requested a new password for your account.".to_owned()],
            action: Some(("Choose a new password".to_owned(), address)),
            notes: vec!["The link works once, within 24 hours. If you do not use it, your password stays the same.".to_owned()],
            ..Letter::default()
        },
    }
}

/// Mails a password link to the account of an email address, if there is one. The work runs after the response, so that the
/// caller does not learn whether the account exists.
///
/// # Errors
/// 429 `TOO_MANY_ATTEMPTS` for too many requests.
pub async fn send_forgotten(app: &App, email: &str, origin: &Origin) -> Result<()> {
    sign_in::slow_down(app, "forgotten", email, origin).await?;
    let (app, email, origin) = (app.clone(), sign_in::normalized(email), origin.clone());
    tokio::spawn(async move {
        match forgotten(&app, &email, &origin).await {
            Ok(Some(token)) => {
                send(&app, &email, &Purpose::NewPassword, &token).await;
            }
            Ok(None) => {}
            Err(problem) => tracing::error!(context = problem.context, "a password link could not be created"),
        }
    });
    Ok(())
}
