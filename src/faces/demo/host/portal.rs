//! The users of the demo's portal: airports and their employees.

use serde::Serialize;

/// A customer of the portal.
#[derive(Debug, Serialize)]
pub struct Airport {
    /// IATA code: the customer's external id, and the property that the row rule reads.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its city.
    pub city: &'static str,
    /// Its employees.
    pub users: [User; 3],
}

/// An employee of an airport.
#[derive(Debug, Serialize)]
pub struct User {
    /// Unique at the airport; also the user's external id.
    pub id: &'static str,
    /// First and last name.
    pub name: &'static str,
    /// Their job title.
    pub title: &'static str,
    /// The name of their role in the project.
    pub role: &'static str,
}

impl Airport {
    /// The airport with this code, when the portal serves it.
    #[must_use]
    pub fn find(code: &str) -> Option<&'static Self> {
        AIRPORTS.iter().find(|airport| airport.code == code)
    }

    /// The user with this id.
    #[must_use]
    pub fn user(&self, id: &str) -> Option<&User> {
        self.users.iter().find(|user| user.id == id)
    }
}

const fn airport(code: &'static str, name: &'static str, city: &'static str, people: [&'static str; 3]) -> Airport {
    let [analyst, manager, viewer] = people;
    let users = [
        User { id: "analyst", name: analyst, title: "Operations analyst", role: "Analyst" },
        User { id: "manager", name: manager, title: "Station manager", role: "Manager" },
        User { id: "viewer", name: viewer, title: "Gate supervisor", role: "Viewer" },
    ];
    Airport { code, name, city, users }
}

/// The airports that the portal serves, the largest first.
pub static AIRPORTS: [Airport; 8] = [
    airport("ATL", "Hartsfield Atlanta", "Atlanta", ["Maya Bennett", "Walter Hughes", "Tom Alvarez"]),
    airport("ORD", "Chicago O’Hare", "Chicago", ["Nadia Kowalski", "Frank Doyle", "Grace Kim"]),
    airport("LAX", "Los Angeles International", "Los Angeles", ["Diego Ramirez", "Helen Park", "Sam Whitaker"]),
    airport("DEN", "Denver International", "Denver", ["Ingrid Larsen", "Marcus Reed", "Paul Begay"]),
    airport("BOS", "Logan International", "Boston", ["Aoife Brennan", "Robert Chase", "Linh Tran"]),
    airport("SEA", "Seattle–Tacoma", "Seattle", ["Kenji Mori", "Susan Lindqvist", "Omar Farah"]),
    airport("HNL", "Honolulu International", "Honolulu", ["Leilani Akana", "George Tanaka", "Noah Silva"]),
    airport("ANC", "Anchorage International", "Anchorage", ["Erik Halvorsen", "Mary Ivanoff", "Dana Fields"]),
];
