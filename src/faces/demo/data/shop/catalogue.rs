//! What the shops sell, when, and to whom.

/// A shop: a customer of the demo's second host product.
pub(super) struct Shop {
    /// Its id, which the row rule reads.
    pub id: &'static str,
    /// Private customers' orders on an ordinary day at the end of the recorded time.
    pub orders: f64,
    /// Its business by month, January first; 1 is an ordinary month.
    pub seasons: [f64; 12],
    /// Its business by weekday, Monday first.
    pub weekdays: [f64; 7],
    /// Its large customers: the name, days from one order to the next, and pieces of an order.
    pub businesses: &'static [(&'static str, usize, f64)],
    pub categories: &'static [Category],
}

/// Products of one kind.
pub(super) struct Category {
    pub name: &'static str,
    /// What the shop pays for them, as a share of their price.
    pub cost: f64,
    /// The share of orders that come back.
    pub returns: f64,
    /// Their names, prices in cents, and how often they are bought compared with others.
    pub products: &'static [(&'static str, i64, f64)],
}

/// Where orders come from, with the share of private customers' orders and the share of visits that end with one.
pub(super) const CHANNELS: [(&str, f64, f64); 4] =
    [("Search", 0.41, 0.024), ("Direct", 0.27, 0.041), ("Email", 0.18, 0.052), ("Social", 0.14, 0.011)];

/// Countries with their shares of private customers.
pub(super) const COUNTRIES: [(&str, f64); 16] = [
    ("United States", 0.46),
    ("Canada", 0.11),
    ("United Kingdom", 0.09),
    ("Germany", 0.07),
    ("Australia", 0.06),
    ("France", 0.045),
    ("Japan", 0.035),
    ("Netherlands", 0.025),
    ("Sweden", 0.02),
    ("Italy", 0.02),
    ("Spain", 0.02),
    ("Brazil", 0.015),
    ("Mexico", 0.015),
    ("New Zealand", 0.01),
    ("Norway", 0.01),
    ("South Korea", 0.01),
];

const EVENINGS: [f64; 7] = [1.06, 1.0, 0.98, 0.96, 0.9, 0.98, 1.18];

/// The shops, the largest first.
pub(super) static SHOPS: [Shop; 5] = [
    Shop {
        id: "ridgeline",
        orders: 10.5,
        seasons: [0.78, 0.76, 0.9, 1.02, 1.2, 1.28, 1.22, 1.05, 0.9, 0.86, 1.1, 1.32],
        weekdays: EVENINGS,
        businesses: &[
            ("Summit Guides", 21, 9.0),
            ("Lakeside Camp School", 34, 14.0),
            ("Northern Rescue Team", 45, 8.0),
            ("Cedar Lodge", 60, 6.0),
        ],
        categories: &[
            Category {
                name: "Tents",
                cost: 0.58,
                returns: 0.09,
                products: &[
                    ("Ridge 2 tent", 34_900, 1.6),
                    ("Ridge 3 tent", 42_900, 1.0),
                    ("Solo tent", 27_900, 0.9),
                    ("Tarp 3 × 4 m", 8_900, 1.3),
                    ("Base camp tent", 68_900, 0.25),
                ],
            },
            Category {
                name: "Clothing",
                cost: 0.46,
                returns: 0.19,
                products: &[
                    ("Storm jacket", 22_900, 1.9),
                    ("Down vest", 15_900, 1.4),
                    ("Merino shirt", 7_900, 2.6),
                    ("Trail trousers", 10_900, 1.7),
                    ("Wool cap", 2_900, 1.5),
                ],
            },
            Category {
                name: "Footwear",
                cost: 0.52,
                returns: 0.24,
                products: &[
                    ("Hiking boots", 18_900, 1.7),
                    ("Trail shoes", 13_900, 1.8),
                    ("Camp sandals", 5_900, 0.9),
                    ("Merino socks", 1_900, 3.0),
                ],
            },
            Category {
                name: "Packs",
                cost: 0.5,
                returns: 0.07,
                products: &[
                    ("Day pack 24 l", 8_900, 2.1),
                    ("Trek pack 55 l", 21_900, 1.1),
                    ("Dry bag 10 l", 2_400, 1.6),
                    ("Hip bag", 3_900, 1.0),
                ],
            },
            Category {
                name: "Camp kitchen",
                cost: 0.49,
                returns: 0.04,
                products: &[
                    ("Gas stove", 5_900, 1.4),
                    ("Titanium pot", 4_900, 1.1),
                    ("Water filter", 4_400, 1.5),
                    ("Insulated mug", 2_900, 1.9),
                ],
            },
        ],
    },
    Shop {
        id: "harbor",
        orders: 12.5,
        seasons: [1.04, 1.0, 0.98, 0.96, 0.94, 0.9, 0.86, 0.9, 1.0, 1.04, 1.1, 1.38],
        weekdays: [1.2, 1.08, 1.02, 1.0, 0.96, 0.8, 0.94],
        businesses: &[
            ("Blue Door Café", 7, 26.0),
            ("Meridian Hotel", 14, 40.0),
            ("Northside Bakery", 7, 16.0),
            ("Quay Street Offices", 14, 22.0),
            ("Museum Café", 10, 14.0),
            ("Ferry Terminal Kiosk", 9, 18.0),
        ],
        categories: &[
            Category {
                name: "Espresso",
                cost: 0.42,
                returns: 0.012,
                products: &[
                    ("Harbor blend 1 kg", 2_990, 3.4),
                    ("Harbor blend 250 g", 990, 2.6),
                    ("Night shift 1 kg", 3_190, 1.8),
                    ("Brazil Santos 1 kg", 2_790, 1.2),
                ],
            },
            Category {
                name: "Filter",
                cost: 0.44,
                returns: 0.012,
                products: &[
                    ("Ethiopia Guji 250 g", 1_390, 2.2),
                    ("Kenya Nyeri 250 g", 1_490, 1.4),
                    ("Colombia Huila 250 g", 1_290, 1.8),
                    ("Decaf 250 g", 1_190, 1.1),
                ],
            },
            Category {
                name: "Equipment",
                cost: 0.6,
                returns: 0.08,
                products: &[
                    ("Hand grinder", 8_900, 0.7),
                    ("Pour-over set", 4_900, 0.8),
                    ("Milk pitcher", 2_400, 0.6),
                    ("Espresso machine", 64_900, 0.08),
                ],
            },
            Category {
                name: "Subscriptions",
                cost: 0.4,
                returns: 0.02,
                products: &[("Monthly box", 2_490, 1.6), ("Office box", 8_990, 0.35)],
            },
        ],
    },
    Shop {
        id: "papermill",
        orders: 8.0,
        seasons: [1.16, 0.84, 0.86, 0.82, 0.84, 0.82, 0.88, 1.3, 1.22, 0.96, 1.14, 1.5],
        weekdays: EVENINGS,
        businesses: &[("Hartwell Law", 28, 40.0), ("Bright Minds School", 42, 60.0), ("Studio Marlow", 21, 24.0)],
        categories: &[
            Category {
                name: "Notebooks",
                cost: 0.38,
                returns: 0.03,
                products: &[
                    ("Dotted notebook A5", 1_690, 3.2),
                    ("Lined notebook A5", 1_690, 2.2),
                    ("Pocket notebook", 990, 2.0),
                    ("Sketchbook A4", 2_490, 1.0),
                ],
            },
            Category {
                name: "Pens",
                cost: 0.45,
                returns: 0.05,
                products: &[
                    ("Fountain pen", 6_900, 0.8),
                    ("Gel pen, set of 6", 1_290, 2.0),
                    ("Brass pen", 3_900, 0.9),
                    ("Ink, 50 ml", 1_490, 1.0),
                ],
            },
            Category {
                name: "Calendars",
                cost: 0.36,
                returns: 0.03,
                products: &[("Weekly planner", 2_490, 1.6), ("Wall calendar", 1_990, 0.9), ("Desk calendar", 1_490, 0.7)],
            },
            Category {
                name: "Gifts",
                cost: 0.4,
                returns: 0.04,
                products: &[("Card set", 1_490, 1.6), ("Wrapping paper", 890, 1.3), ("Letter set", 2_190, 0.8)],
            },
        ],
    },
    Shop {
        id: "fern",
        orders: 7.5,
        seasons: [0.6, 0.78, 1.3, 1.62, 1.58, 1.18, 0.9, 0.82, 0.96, 0.86, 0.72, 0.82],
        weekdays: [0.92, 0.88, 0.9, 0.96, 1.04, 1.2, 1.3],
        businesses: &[("Lindqvist Interiors", 30, 18.0), ("Riverside Restaurant", 42, 12.0), ("City Library", 60, 24.0)],
        categories: &[
            Category {
                name: "Indoor plants",
                cost: 0.44,
                returns: 0.06,
                products: &[
                    ("Monstera", 3_900, 2.2),
                    ("Rubber tree", 4_400, 1.3),
                    ("Boston fern", 1_990, 1.8),
                    ("Olive tree", 8_900, 0.6),
                    ("Snake plant", 2_690, 1.5),
                ],
            },
            Category {
                name: "Pots",
                cost: 0.4,
                returns: 0.08,
                products: &[
                    ("Terracotta pot 18 cm", 1_490, 2.2),
                    ("Glazed pot 24 cm", 3_490, 1.3),
                    ("Hanging pot", 2_290, 1.0),
                    ("Plant stand", 4_900, 0.7),
                ],
            },
            Category {
                name: "Seeds",
                cost: 0.3,
                returns: 0.01,
                products: &[("Herb seeds", 690, 2.0), ("Meadow flowers", 890, 1.6), ("Tomato seeds", 490, 1.5)],
            },
            Category {
                name: "Care",
                cost: 0.42,
                returns: 0.03,
                products: &[("Potting soil 10 l", 1_290, 1.9), ("Plant food", 990, 1.5), ("Watering can", 2_990, 0.9)],
            },
        ],
    },
    Shop {
        id: "littleoak",
        orders: 7.0,
        seasons: [0.7, 0.72, 0.82, 0.86, 0.84, 0.82, 0.8, 0.82, 0.9, 1.02, 1.7, 2.6],
        weekdays: EVENINGS,
        businesses: &[("Sunflower Nursery", 50, 20.0), ("St. Anne’s Hospital", 75, 30.0), ("Hill Street Library", 60, 14.0)],
        categories: &[
            Category {
                name: "Wooden toys",
                cost: 0.47,
                returns: 0.05,
                products: &[
                    ("Building blocks", 3_900, 2.2),
                    ("Train set", 6_900, 1.3),
                    ("Marble run", 5_400, 1.2),
                    ("Stacking tower", 2_490, 1.5),
                ],
            },
            Category {
                name: "Puzzles",
                cost: 0.4,
                returns: 0.04,
                products: &[
                    ("Puzzle, 100 pieces", 1_690, 1.7),
                    ("Puzzle, 500 pieces", 2_190, 1.1),
                    ("Floor puzzle", 2_690, 0.9),
                ],
            },
            Category {
                name: "Games",
                cost: 0.44,
                returns: 0.05,
                products: &[("Memory game", 1_890, 1.4), ("Board game", 3_490, 1.1), ("Card game", 1_290, 1.5)],
            },
            Category {
                name: "Soft toys",
                cost: 0.43,
                returns: 0.07,
                products: &[("Bear", 2_990, 1.3), ("Rabbit", 2_690, 1.5), ("Hand puppet", 2_290, 0.8)],
            },
        ],
    },
];
