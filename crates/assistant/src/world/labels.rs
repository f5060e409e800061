//! What labels and names of columns say in short.

/// A label without its unit: "Waiting time" of "Waiting time in minutes".
pub(super) fn without_unit(label: &str) -> &str {
    const UNITS: &[&str] = &[
        "seconds",
        "minutes",
        "hours",
        "days",
        "weeks",
        "months",
        "years",
        "metres",
        "meters",
        "km",
        "kilometres",
        "kilometers",
        "miles",
        "kg",
        "kilograms",
        "grams",
        "tonnes",
        "litres",
        "liters",
        "cents",
        "dollars",
        "euros",
        "usd",
        "eur",
        "€",
        "$",
        "%",
        "percent",
        "thousands",
        "millions",
    ];
    match label.rsplit_once(" in ") {
        Some((rest, unit)) if UNITS.contains(&&*unit.to_lowercase()) => rest,
        _ => label,
    }
}

/// What words of columns' names are short for.
const SHORT: &[(&str, &str)] = &[
    ("temp", "temperature"),
    ("precip", "precipitation"),
    ("pressur", "pressure"),
    ("visib", "visibility"),
    ("humid", "humidity"),
    ("dewp", "dew point"),
    ("dir", "direction"),
    ("qty", "quantity"),
    ("amt", "amount"),
    ("pct", "percent"),
    ("avg", "average"),
    ("num", "number"),
    ("dept", "department"),
    ("desc", "description"),
    ("addr", "address"),
    ("tel", "phone"),
    ("dob", "birth date"),
    ("pop", "population"),
    ("percap", "per capita"),
    ("pcap", "per capita"),
    ("exp", "expectancy"),
    ("mgr", "manager"),
    ("cust", "customer"),
    ("prod", "product"),
    ("cat", "category"),
    ("inv", "invoice"),
    ("emp", "employee"),
    ("acct", "account"),
    ("sub", "subscription"),
    ("mrr", "monthly recurring revenue"),
    ("arr", "annual recurring revenue"),
    ("acv", "annual contract value"),
    ("opp", "opportunity"),
    ("rev", "revenue"),
    ("lifeexp", "life expectancy"),
    ("gdppercap", "gdp per capita"),
    ("hosp", "hospital"),
    ("diag", "diagnosis"),
    ("enc", "encounter"),
    ("yr", "year"),
    ("mo", "month"),
    ("hr", "hour"),
    ("wt", "weight"),
    ("ht", "height"),
];

/// A name with its short words written out.
pub(super) fn expanded(name: &str) -> String {
    let word = |word: &str| {
        SHORT.iter().find(|(short, _)| *short == word).map_or_else(|| word.to_owned(), |(_, long)| (*long).to_owned())
    };
    name.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
