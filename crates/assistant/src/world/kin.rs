//! Words of many trades that name about the same thing, though not quite: who types "doctors" may mean `providers`. Too loose to
//! answer by (it made ten wrong answers for each right one), they are offered as what an unknown word could mean. Unlike in the
//! thesaurus, a word may stand in several lines, for it has several meanings.

use std::{collections::HashMap, sync::LazyLock};

/// Words in the singular.
const KIN: &[&str] = &[
    // Trade.
    "revenue income sale turnover money earning gross receipt total amount value worth",
    "cost expense spend spending charge fee price bill expenditure outlay",
    "profit margin earning net surplus",
    "amount sum value total volume",
    "price rate fare tariff fee cost",
    "quantity count number volume unit amount",
    "order purchase transaction sale booking checkout basket cart",
    "item product line article sku thing",
    "customer buyer guest shopper subscriber member account user payer",
    "account company business client organisation organization firm tenant logo",
    "supplier vendor manufacturer producer maker brand",
    "brand make label maker",
    "store shop branch outlet site location restaurant cafe venue",
    "location place site area spot venue address",
    "region area territory zone district market",
    "market region segment country",
    "segment group tier class category band bracket",
    "category type kind sort family class group department",
    "type kind category class sort model",
    "model type version variant",
    "channel source medium origin",
    "source channel origin provenance",
    "campaign promotion ad advertisement marketing",
    "touch contact interaction click impression visit",
    "coupon voucher promotion discount",
    "tax vat duty",
    "invoice bill statement receipt",
    "payment payout transfer remittance",
    "refund return reimbursement",
    "delivery shipment shipping dispatch",
    "stock inventory supply",
    "supply ingredient material part component",
    "warehouse depot store",
    "currency money",
    // Subscriptions and sales.
    "subscription plan contract membership licence license",
    "plan tier package edition product",
    "churn cancel cancellation cancelled canceled lost attrition left leave quit",
    "trial test evaluation",
    "opportunity deal pipeline prospect",
    "lead prospect enquiry inquiry signup",
    "signup signed registration registered joined created start",
    "activity call meeting task touch",
    "owner rep agent seller manager responsible",
    "win won closed",
    "stage status step phase state",
    "status state stage condition outcome result",
    "outcome result status end",
    "employee staff worker headcount people person personnel",
    "seat user licence license",
    "monthly recurring mrr",
    "company size employee headcount",
    // People.
    "person people human individual inhabitant resident citizen",
    "population people inhabitant resident citizen headcount",
    "patient person sick",
    "member person user",
    "doctor provider physician clinician practitioner nurse staff specialist",
    "nurse staff caregiver",
    "gender sex male female man woman men women",
    "age old year",
    "name title label",
    "title position job role occupation",
    "job role position occupation profession function work",
    "role job function position",
    "team department group unit crew squad",
    "department unit division team section ward",
    "manager boss lead supervisor head chief",
    "salary pay income wage earning compensation",
    "hire start joined employed",
    "leave exit quit termination left terminated",
    "language tongue mother",
    "race ethnicity origin",
    "ethnicity race origin",
    "marital married",
    "birth born birthday dob",
    "death died dead mortality deceased",
    // Health.
    "visit encounter appointment admission stay consultation consult",
    "encounter visit stay contact",
    "appointment slot visit booking session",
    "stay admission length",
    "diagnosis condition disease illness problem",
    "prescription medication drug medicine pill",
    "procedure operation surgery treatment intervention",
    "hospital clinic facility site",
    "insurance payer coverage insurer",
    "wait waiting delay queue",
    "duration length time minute hour long",
    "show attendance attended",
    "allergy allergen",
    // Places and nature.
    "country nation state land place",
    "continent region",
    "city town place municipality",
    "state province region county",
    "temperature heat warm cold hot degree",
    "precipitation rain rainfall rainy wet snow",
    "wind breeze gust storm",
    "humidity moisture damp",
    "pressure barometer",
    "visibility fog view",
    "snow snowfall",
    "weather condition",
    "station site post",
    "emission co2 carbon pollution",
    "energy power electricity",
    "gdp output economy wealth rich",
    "income wealth gdp earning",
    "expectancy lifespan life longevity",
    "fertility birth children kid child",
    "density crowded",
    "surface area size",
    "literacy education school",
    "internet online",
    // Transport.
    "trip ride journey travel",
    "rider passenger traveller traveler ridership",
    "ridership rider passenger boarding entry",
    "train rail subway metro",
    "bus coach",
    "line route",
    "route line connection",
    "flight trip departure",
    "carrier airline operator",
    "airport hub",
    "distance mile kilometre kilometer far length",
    "speed fast velocity",
    "vehicle car truck van",
    "delay late lateness",
    // Media, games, contests.
    "song track music tune",
    "album record release",
    "artist band singer performer musician",
    "movie film title",
    "episode show programme program part",
    "season series year edition",
    "series season show",
    "viewer audience watcher viewership",
    "audience viewer",
    "contestant baker participant player candidate competitor",
    "winner won champion win",
    "challenge task contest round bake",
    "rating score review star grade mark",
    "rank place position placement",
    "score point mark goal rating",
    "game match fixture",
    "team club side",
    "tweet post message mention",
    "review comment feedback rating",
    "sentiment mood opinion",
    // Computing.
    "service product application app",
    "resource machine instance server",
    "bucket storage",
    "usage consumption use",
    "consumption usage use",
    "project application app",
    "error failure fault bug incident crash",
    "ticket case issue incident request",
    "request call hit",
    "session visit",
    "device machine phone",
    "commitment reservation contract obligation",
    "provider vendor cloud supplier",
    // Time.
    "date day when time",
    "start begin began beginning from since opened",
    "end finish until to closed",
    "year annual",
    "created opened made added",
    "due deadline",
    "recipe ingredient",
    "dish meal food product item",
    "drink beverage",
    "food dish meal",
];

static GROUPS: LazyLock<HashMap<&'static str, Vec<usize>>> = LazyLock::new(|| {
    let mut found: HashMap<&'static str, Vec<usize>> = HashMap::new();
    for (line, words) in KIN.iter().enumerate() {
        for word in words.split(' ') {
            found.entry(word).or_default().push(line);
        }
    }
    found
});

/// Whether a word in the singular is one of those that have relations.
pub(crate) fn has_kin(word: &str) -> bool {
    GROUPS.contains_key(word)
}

/// Whether two words in the singular are related.
pub(crate) fn are_kin(one: &str, other: &str) -> bool {
    let groups = |word: &str| GROUPS.get(word).map_or(&[][..], Vec::as_slice);
    groups(one).iter().any(|group| groups(other).contains(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kin_have_a_group_together() {
        assert!(are_kin("doctor", "provider") && are_kin("rain", "precipitation") && are_kin("gdp", "wealth"));
        assert!(!are_kin("doctor", "rain") && !are_kin("zebra", "zebra"));
    }

    #[test]
    fn a_line_says_no_word_twice() {
        for line in KIN {
            let words: Vec<&str> = line.split(' ').collect();
            let different: std::collections::HashSet<&&str> = words.iter().collect();
            assert_eq!(words.len(), different.len(), "{line}");
        }
    }
}
