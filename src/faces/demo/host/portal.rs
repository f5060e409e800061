//! The demo's host products with their customers and users.

use serde::Serialize;

/// A host product.
#[derive(Debug)]
pub struct Product {
    /// Names its style sheet and its icon.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Where its pages begin on the host's origin.
    pub base: &'static str,
    /// What a customer is called. It is also the property that the row rules read, and the parameter of the host's addresses.
    pub property: &'static str,
    /// Several customers.
    pub customers_called: &'static str,
    /// Whether customers are known by their ids.
    pub codes: bool,
    /// Its customers, the largest first.
    pub customers: &'static [Customer],
    /// The customers beside each other on the page that compares two.
    pub compared: [&'static str; 2],
    /// What the page for developers says about the rows of a customer.
    pub rows: Rows,
    /// Its project.
    pub project: Project,
}

/// What a customer sees.
#[derive(Debug)]
pub struct Rows {
    /// In words: `its own departures`.
    pub own: &'static str,
    /// The table that the page shows the rule of.
    pub table: &'static str,
    /// The column of that rule.
    pub column: &'static str,
}

/// A project file (docs/spec/contract.md, section 8), and the names in it that the host needs.
#[derive(Debug)]
pub struct Project {
    /// The file's text. Its connection names a file of `data` beside it.
    pub file: &'static str,
    /// The application that the host embeds.
    pub application: &'static str,
    /// The workspace that answers questions.
    pub workspace: &'static str,
}

/// A customer of a product.
#[derive(Debug, Serialize)]
pub struct Customer {
    /// The customer's external id, and the value of the product's property.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its employees.
    pub users: [User; 3],
}

/// An employee of a customer.
#[derive(Debug, Serialize)]
pub struct User {
    /// Unique within the customer; also the user's external id.
    pub id: &'static str,
    /// First and last name.
    pub name: &'static str,
    /// Their job title.
    pub title: &'static str,
    /// The name of their role in the project.
    pub role: &'static str,
}

impl Product {
    /// The address of its first page.
    #[must_use]
    pub const fn home(&self) -> &'static str {
        if self.base.is_empty() { "/" } else { self.base }
    }

    /// The customer with this id.
    #[must_use]
    pub fn customer(&self, id: &str) -> Option<&'static Customer> {
        self.customers.iter().find(|customer| customer.id == id)
    }
}

impl Customer {
    /// The user with this id.
    #[must_use]
    pub fn user(&self, id: &str) -> Option<&User> {
        self.users.iter().find(|user| user.id == id)
    }
}

const fn customer(id: &'static str, name: &'static str, people: [&'static str; 3], titles: [&'static str; 3]) -> Customer {
    let ([analyst, manager, viewer], [first, second, third]) = (people, titles);
    let users = [
        User { id: "analyst", name: analyst, title: first, role: "Analyst" },
        User { id: "manager", name: manager, title: second, role: "Manager" },
        User { id: "viewer", name: viewer, title: third, role: "Viewer" },
    ];
    Customer { id, name, users }
}

const fn airport(code: &'static str, name: &'static str, people: [&'static str; 3]) -> Customer {
    customer(code, name, people, ["Operations analyst", "Station manager", "Gate supervisor"])
}

const fn shop(id: &'static str, name: &'static str, people: [&'static str; 3]) -> Customer {
    customer(id, name, people, ["Sales analyst", "Shop manager", "Stock keeper"])
}

static AIRPORTS: [Customer; 8] = [
    airport("ATL", "Hartsfield Atlanta", ["Maya Bennett", "Walter Hughes", "Tom Alvarez"]),
    airport("ORD", "Chicago O’Hare", ["Nadia Kowalski", "Frank Doyle", "Grace Kim"]),
    airport("LAX", "Los Angeles International", ["Diego Ramirez", "Helen Park", "Sam Whitaker"]),
    airport("DEN", "Denver International", ["Ingrid Larsen", "Marcus Reed", "Paul Begay"]),
    airport("BOS", "Logan International", ["Aoife Brennan", "Robert Chase", "Linh Tran"]),
    airport("SEA", "Seattle–Tacoma", ["Kenji Mori", "Susan Lindqvist", "Omar Farah"]),
    airport("HNL", "Honolulu International", ["Leilani Akana", "George Tanaka", "Noah Silva"]),
    airport("ANC", "Anchorage International", ["Erik Halvorsen", "Mary Ivanoff", "Dana Fields"]),
];

static SHOPS: [Customer; 5] = [
    shop("ridgeline", "Ridgeline Outdoor", ["Priya Nair", "Gordon Blake", "Lotte Visser"]),
    shop("harbor", "Harbor Coffee", ["Mateo Rossi", "Ellen Fraser", "Jun Sato"]),
    shop("papermill", "Papermill Stationery", ["Clara Weiss", "Samuel Boateng", "Ivy Chan"]),
    shop("fern", "Fern & Pot", ["Amelie Laurent", "Hugh Carver", "Rana Haddad"]),
    shop("littleoak", "Little Oak Toys", ["Oskar Lind", "Beatriz Moreno", "Peter Novak"]),
];

/// An operator's portal for airports, over real flights.
pub static SKYPORT: Product = Product {
    id: "skyport",
    name: "Skyport",
    base: "",
    property: "airport",
    customers_called: "airports",
    codes: true,
    customers: &AIRPORTS,
    compared: ["ATL", "SEA"],
    rows: Rows { own: "its own departures", table: "flights", column: "origin" },
    project: Project {
        file: include_str!("../../../../demo/project.yaml"),
        application: "Flight operations",
        workspace: "Ask about flights",
    },
};

/// A platform on which shops sell, over made-up orders.
pub static BASKET: Product = Product {
    id: "basket",
    name: "Basket",
    base: "/shops",
    property: "shop",
    customers_called: "shops",
    codes: false,
    customers: &SHOPS,
    compared: ["ridgeline", "harbor"],
    rows: Rows { own: "its own orders", table: "orders", column: "shop" },
    project: Project {
        file: include_str!("../../../../demo/shops.yaml"),
        application: "Shop figures",
        workspace: "Ask about the shop",
    },
};

/// The products, the first at the host's root.
pub static PRODUCTS: [&Product; 2] = [&SKYPORT, &BASKET];
