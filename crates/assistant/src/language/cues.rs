//! The words of a question that do not depend on the data.

use super::{fillers::FILLERS, grain::Grain, unit::Unit};
use crate::scope::Comparison;
use inlay_contract::chart::definition::ChartType;
pub(crate) use inlay_contract::chart::question::Aggregate;

/// The meaning of a cue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cue {
    /// "how many"
    HowMany,
    /// "how late": the next word is measured, not counted.
    How,
    /// "how far": the measure that the hint names.
    HowMuch(Hint),
    /// "average", "total", "median"
    Aggregate(Aggregate),
    /// "different"
    Distinct,
    /// "percentage of"
    Share,
    /// "the longest": the greatest (or smallest) of a measure that the hint names.
    Extreme(Rank, Hint),
    /// "top", "bottom"
    Top(Rank),
    /// "by", "per", "each"
    By,
    /// "and", "or"
    And,
    /// "versus"
    Versus,
    /// "not", "except"
    Not,
    /// "only"
    Only,
    /// "as": the next word is a chart type or the role of values.
    As,
    /// "which"
    Which,
    /// "by month"
    Grain(Grain),
    /// "on Mondays": days of the week, 0 is Monday.
    Days(&'static [u8]),
    /// "over time"
    OverTime,
    /// "growth", "increase"
    Growth,
    /// "order value": money for each document
    Basket,
    /// "the same months last year": the periods that are said, a year before.
    YearBefore,
    /// "running total"
    Running,
    /// "moving average"
    Moving,
    /// "as a pie"
    Chart(ChartType),
    /// "more than"
    Than(Comparison),
    /// "older than": of what the hint names.
    ThanOf(Comparison, Hint),
    /// "between"
    Between,
    /// "20 times"
    Times,
    /// "sorted by": a number, with the greatest first.
    Sort,
    /// "or more" behind a number
    OrMore(Comparison),
    /// "to", "from": which of two links a value belongs to.
    Direction(Direction),
    /// "list"
    List,
    /// "show me": rows, if nothing else is asked of them.
    Show,
    /// "distribution of"
    Distribution,
    /// "relationship between"
    Relation,
    /// "minutes"
    Unit(Unit),
    /// "where", "with": a condition follows.
    With,
    /// "also", "instead", "what about": builds on the question before.
    FollowUp(FollowUp),
    /// "they": the subject of the question before.
    Those,
    /// "at the end of": a number at one moment, which rows of events do not tell.
    Moment,
    /// "why", "forecast"
    Beyond,
    /// "help"
    Help,
    /// "hello"
    Greeting,
    /// "thanks"
    Thanks,
    /// Has no meaning here.
    Filler,
}

/// An end of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rank {
    Greatest,
    Smallest,
    Best,
    Worst,
}

/// Which measure a superlative is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Hint {
    /// The measure that is named ("highest delay").
    Named,
    /// The number of rows ("busiest").
    Count,
    /// Lengths and durations.
    Length,
    /// Money.
    Price,
    /// Weights and sizes.
    Size,
    /// Speed.
    Speed,
    /// Times.
    Time,
    Heat,
    Rain,
    Wind,
    /// Income and output.
    Wealth,
    /// Inhabitants.
    Crowd,
    Profit,
    Pay,
    Age,
    /// Marks that people give.
    Rating,
}

/// Which of two links between the same tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    Toward,
    Away,
}

/// How a message builds on the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FollowUp {
    /// Replaces a part.
    Replace,
    /// Adds a part.
    Add,
    /// Drops everything.
    Reset,
}

/// The phrases of each cue, separated by `|`. The plural of the last word also matches.
pub(crate) const CUES: &[(Cue, &str)] = &[
    (
        Cue::HowMany,
        "how many|number of|total number of|the number of|count of|count|no of|amount of|how often|tally of|quantity of",
    ),
    (Cue::How, "how"),
    (Cue::HowMuch(Hint::Length), "how far|how long"),
    (Cue::HowMuch(Hint::Price), "how expensive|how costly"),
    (Cue::HowMuch(Hint::Size), "how heavy"),
    (Cue::HowMuch(Hint::Speed), "how fast"),
    (Cue::HowMuch(Hint::Heat), "how hot|how warm|how cold"),
    (Cue::HowMuch(Hint::Wind), "how windy"),
    (Cue::HowMuch(Hint::Wealth), "how rich|how wealthy|how poor"),
    (Cue::Aggregate(Aggregate::Average), "average|avg|mean|typical|typically|on average|in average|averaged|usual|usually"),
    (Cue::Aggregate(Aggregate::Sum), "total|sum|sum of|combined|overall|altogether|cumulated|total amount of|how much"),
    (Cue::Aggregate(Aggregate::Median), "median"),
    (Cue::Aggregate(Aggregate::Greatest), "maximum|max|maximal"),
    (Cue::Aggregate(Aggregate::Least), "minimum|min|minimal"),
    (Cue::Distinct, "different|distinct|unique|various"),
    (
        Cue::Share,
        "share|share of|percentage|percentage of|percent|percent of|%|% of|pct|fraction|fraction of|proportion|proportion of|rate of|rate|what part of|ratio of|portion|portion of|what portion of",
    ),
    (Cue::Extreme(Rank::Greatest, Hint::Named), "most|highest|largest|biggest|greatest|the most|more than any other"),
    (Cue::Extreme(Rank::Smallest, Hint::Named), "fewest|least|lowest|smallest|the fewest|the least"),
    (Cue::Extreme(Rank::Greatest, Hint::Length), "longest|farthest|furthest|most distant"),
    (Cue::Extreme(Rank::Smallest, Hint::Length), "shortest|nearest|closest"),
    (Cue::Extreme(Rank::Greatest, Hint::Price), "most expensive|priciest|costliest|dearest"),
    (Cue::Extreme(Rank::Smallest, Hint::Price), "cheapest|least expensive"),
    (Cue::Extreme(Rank::Greatest, Hint::Size), "heaviest"),
    (Cue::Extreme(Rank::Smallest, Hint::Size), "lightest"),
    (Cue::Extreme(Rank::Greatest, Hint::Speed), "fastest"),
    (Cue::Extreme(Rank::Smallest, Hint::Speed), "slowest"),
    (Cue::Extreme(Rank::Greatest, Hint::Time), "latest|newest|most recent|last|recent"),
    (Cue::Extreme(Rank::Smallest, Hint::Time), "earliest|first"),
    (Cue::Extreme(Rank::Greatest, Hint::Age), "oldest|longest serving"),
    (Cue::Extreme(Rank::Smallest, Hint::Age), "youngest"),
    (Cue::Extreme(Rank::Greatest, Hint::Heat), "hottest|warmest"),
    (Cue::Extreme(Rank::Smallest, Hint::Heat), "coldest|coolest|chilliest"),
    (Cue::Extreme(Rank::Greatest, Hint::Rain), "wettest|rainiest"),
    (Cue::Extreme(Rank::Smallest, Hint::Rain), "driest|dryest"),
    (Cue::Extreme(Rank::Greatest, Hint::Wind), "windiest|stormiest"),
    (Cue::Extreme(Rank::Greatest, Hint::Wealth), "richest|wealthiest"),
    (Cue::Extreme(Rank::Smallest, Hint::Wealth), "poorest"),
    (Cue::Extreme(Rank::Greatest, Hint::Crowd), "most populous|most populated|most crowded"),
    (Cue::Extreme(Rank::Smallest, Hint::Crowd), "least populous|least populated|least crowded"),
    (Cue::Extreme(Rank::Greatest, Hint::Profit), "most profitable"),
    (Cue::Extreme(Rank::Smallest, Hint::Profit), "least profitable"),
    (Cue::Extreme(Rank::Greatest, Hint::Pay), "best paid|highest paid|best earning|highest earning|top earning|top paid"),
    (Cue::Extreme(Rank::Smallest, Hint::Pay), "worst paid|lowest paid|lowest earning"),
    (Cue::Extreme(Rank::Greatest, Hint::Rating), "best rated|top rated|highest rated|best reviewed"),
    (Cue::Extreme(Rank::Smallest, Hint::Rating), "worst rated|lowest rated|poorest rated|worst reviewed"),
    (
        Cue::Extreme(Rank::Greatest, Hint::Count),
        "busiest|most popular|most common|most frequent|most often|most frequently|most active|most visited|commonest",
    ),
    (
        Cue::Extreme(Rank::Smallest, Hint::Count),
        "quietest|least popular|least common|least frequent|least often|rarest|calmest|least busy",
    ),
    (Cue::Extreme(Rank::Worst, Hint::Named), "worst|worse"),
    (Cue::Extreme(Rank::Best, Hint::Named), "best|better"),
    (Cue::Top(Rank::Greatest), "top|the top|leading|ranking of|ranked"),
    (Cue::Top(Rank::Smallest), "bottom|the bottom|last places"),
    (
        Cue::By,
        "by|per|pr|each|for each|every|for every|across|grouped by|group by|split by|broken down by|break down by|breakdown by|broken up by|sliced by|slice by|for all|in each|at each|on each|to each|from each|according to|depending on|by each",
    ),
    (Cue::And, "and|or|as well as|plus|together with"),
    (
        Cue::Versus,
        "vs|versus|than|against|compared to|compared with|in comparison to|in comparison with|compare|comparison|comparison of|comparing|compared|difference between",
    ),
    (
        Cue::Not,
        "not|no|never|none|nothing|nobody|no one|noone|do not have|have no|has no|without any|with no|not any|except|except for|excluding|exclude|without|other than|apart from|but not|leave out|leaving out|ignoring|minus",
    ),
    (
        Cue::Only,
        "only|just|solely|exclusively|limit to|limited to|restrict to|filter on|filter by|filter to|filtered by|narrow to",
    ),
    (Cue::As, "as|as a|as an|as the"),
    (Cue::Which, "which|wich|whitch|wat|what are|what is|what was|what were|what|who|which of|where|when"),
    (Cue::Grain(Grain::Day), "day|daily|date|day by day|per day|calendar day|from day to day|day to day|day over day"),
    (Cue::Grain(Grain::Week), "week|weekly|week by week|from week to week|week over week|calendar week"),
    (Cue::Grain(Grain::Month), "month|monthly|month by month|from month to month|month to month|month over month"),
    (Cue::Grain(Grain::Quarter), "quarter|quarterly|quarter by quarter|from quarter to quarter|quarter over quarter"),
    (Cue::Grain(Grain::Year), "year|yearly|annual|annually|year by year|from year to year|year over year"),
    (Cue::Grain(Grain::Weekday), "weekday|day of the week|day of week|days of the week|days of week|week day"),
    (Cue::Grain(Grain::Hour), "hour|hourly|hour of day|hour of the day|hours of the day|time of day|time of the day"),
    (Cue::Days(&[0]), "monday"),
    (Cue::Days(&[1]), "tuesday"),
    (Cue::Days(&[2]), "wednesday"),
    (Cue::Days(&[3]), "thursday"),
    (Cue::Days(&[4]), "friday"),
    (Cue::Days(&[5]), "saturday"),
    (Cue::Days(&[6]), "sunday"),
    (Cue::Days(&[5, 6]), "weekend|on weekends|at the weekend"),
    (Cue::Days(&[0, 1, 2, 3, 4]), "on weekdays|on a weekday|during the week|working day|on working days"),
    (
        Cue::OverTime,
        "over time|trend|trend of|trends|history|history of|development|development of|evolution|evolution of|timeline|time series|change|changed|develop|developed|evolve|evolved|course of time|progress|progression",
    ),
    (
        Cue::Growth,
        "growth|growth rate|growth in|grow|grew|grown|growing|increase|increase in|increased|decrease|decrease in|decreased|percent change|percentage change|% change|yoy|year on year|mom growth|yoy growth|change in",
    ),
    (
        Cue::Basket,
        "order value|average order value|avg order value|basket value|basket size|average basket|average basket size|aov|order size|average order size|ticket size|average ticket|invoice value|average invoice|average sale|average order|avg order|value per order|average invoice value",
    ),
    (
        Cue::YearBefore,
        "same period last year|the same period last year|same months last year|the same months last year|same month last year|the same month last year|same quarter last year|the same quarter last year|same time last year|the same time last year|same week last year|same period of last year|same period of the previous year|same months of the previous year|same period a year ago|the year before that|same period the year before",
    ),
    (Cue::Running, "running total|running total of|cumulative|cumulatively|running sum|accumulated"),
    (
        Cue::Moving,
        "moving average|moving average of|rolling average|rolling average of|month moving average|day moving average|week moving average",
    ),
    (Cue::Chart(ChartType::Pie), "pie|pie chart"),
    (Cue::Chart(ChartType::Donut), "donut|doughnut|donut chart|ring chart"),
    (Cue::Chart(ChartType::Bar), "bar|bar chart|bar graph|column chart|bars"),
    (Cue::Chart(ChartType::Line), "line|line chart|line graph"),
    (Cue::Chart(ChartType::Area), "area chart|area graph"),
    (Cue::Chart(ChartType::Table), "as a table|as table|in a table|a table of|table of|table with|tabular|spreadsheet|as rows"),
    (Cue::Chart(ChartType::Heatmap), "heatmap|heat map"),
    (Cue::Chart(ChartType::Scatter), "scatter|scatter plot|scatterplot|scatter chart"),
    (Cue::Chart(ChartType::Treemap), "treemap|tree map"),
    (Cue::Chart(ChartType::Map), "map|on a map|on the map|geographic map"),
    (Cue::Chart(ChartType::Funnel), "funnel|funnel chart"),
    (Cue::Chart(ChartType::Radar), "radar|radar chart|spider chart"),
    (Cue::Chart(ChartType::Calendar), "calendar|calendar heatmap"),
    (Cue::Chart(ChartType::Number), "as a number|single number|big number"),
    (
        Cue::Than(Comparison::Above),
        "over|more than|above|greater than|longer than|higher than|larger than|bigger than|exceeding|exceeds|exceed|beyond|farther than|further than|>",
    ),
    (Cue::Than(Comparison::Below), "under|less than|below|fewer than|shorter than|lower than|smaller than|<"),
    (Cue::Than(Comparison::AtLeast), "at least|no less than|not less than|minimum of|a minimum of|>="),
    (Cue::Than(Comparison::AtMost), "at most|no more than|not more than|up to|maximum of|a maximum of|within|<="),
    (Cue::Than(Comparison::Equal), "exactly|equal to|equals|="),
    (
        Cue::ThanOf(Comparison::Above, Hint::Age),
        "older than|aged over|aged above|open for more than|open for over|open longer than",
    ),
    (Cue::ThanOf(Comparison::Below, Hint::Age), "younger than|aged under|aged below"),
    (Cue::ThanOf(Comparison::Below, Hint::Price), "cheaper than|costing less than|priced under|priced below"),
    (Cue::ThanOf(Comparison::Above, Hint::Price), "more expensive than|dearer than|costing more than|priced over|priced above"),
    (Cue::ThanOf(Comparison::Above, Hint::Heat), "hotter than|warmer than"),
    (Cue::ThanOf(Comparison::Below, Hint::Heat), "colder than|cooler than"),
    (Cue::ThanOf(Comparison::Above, Hint::Size), "heavier than"),
    (Cue::ThanOf(Comparison::Below, Hint::Size), "lighter than"),
    (Cue::ThanOf(Comparison::Above, Hint::Rating), "rated over|rated above|rated better than|rated higher than"),
    (Cue::ThanOf(Comparison::Below, Hint::Rating), "rated under|rated below|rated worse than|rated lower than"),
    (Cue::Times, "times|time"),
    (Cue::Sort, "sort by|sorted by|order by|ordered by|sort|sorted|sort it by|sort them by|ranked by"),
    (Cue::Between, "between|in between|ranging from"),
    (Cue::OrMore(Comparison::AtLeast), "or more|or longer|or higher|and more|or later|or over|or above|and above|and over"),
    (Cue::OrMore(Comparison::AtMost), "or less|or fewer|or shorter|or lower|or under|or below|and below"),
    (
        Cue::Direction(Direction::Toward),
        "to|into|toward|towards|arrive|arrived|arriving|arrives|arrive at|arrived at|arriving at|arrive in|arrived in|land|landed|landing|receive|received|receiving|receives|bound for|go to|going to|went to|goes to|heading to|headed to|inbound|fly to|flew to|flying to|reach|reached|sent to|shipped to",
    ),
    (
        Cue::Direction(Direction::Away),
        "from|out of|leave|left|leaving|leaves|leave from|left from|depart|departed|departing|departs|depart from|departed from|departing from|starting in|starting from|starting at|originating in|originating from|outbound|coming from|came from|come from|sent from|shipped from",
    ),
    (Cue::List, "list|list all|list of|enumerate|rows|records|individual|details of|detail"),
    (Cue::Show, "show|show me|show me all|give me|display|see|view|pull up|let me see|i would like to see"),
    (Cue::Distribution, "distribution|distribution of|histogram|histogram of|spread of|distributed"),
    (Cue::Relation, "relationship|relationship between|relation between|correlation|correlation between|correlate|correlated"),
    (Cue::Unit(Unit::Second), "second|sec"),
    (Cue::Unit(Unit::Minute), "minute|min|in minutes"),
    (Cue::Unit(Unit::Hour), "hr|h|in hours"),
    (Cue::Unit(Unit::Mile), "mile|mi"),
    (Cue::Unit(Unit::Kilometre), "kilometre|kilometer|km"),
    (Cue::Unit(Unit::Kilogram), "kilogram|kg|kilo"),
    (Cue::Unit(Unit::Dollar), "dollar|usd|$"),
    (Cue::Unit(Unit::Euro), "euro|eur|€"),
    (Cue::Unit(Unit::Cent), "cent|cents"),
    (
        Cue::With,
        "where|with|whose|having|that have|which have|that had|which had|that are|that were|which are|which were|that is|that was",
    ),
    (
        Cue::FollowUp(FollowUp::Replace),
        "what about|how about|and what about|instead|now|same|the same|same for|rather|change to|switch to|change it to|and now|make it|make that|show it|show that|turn it into|draw it|then",
    ),
    (Cue::FollowUp(FollowUp::Add), "also|additionally|too|add|and also|further|as well|in addition|include|including"),
    (Cue::FollowUp(FollowUp::Reset), "start over|reset|new question|forget that|clear"),
    (Cue::Those, "those|these|them|they|it|that|this|of those|of these|of them|ones|one"),
    (Cue::Moment, "at the end of|at end of|as of|by the end of|by end of|at the beginning of|at the start of"),
    (
        Cue::Beyond,
        "why|will|will we|will be|will there be|forecast|predict|prediction|projected|projection|expect|expected|recommend|recommendation|suggest|advise|should|how come|reason|explain|cause|caused",
    ),
    (
        Cue::Help,
        "help|what can i ask|what can you do|what can you answer|what can you tell me|what data do you have|what data is there|what do you know|which questions can i ask|what questions can i ask|how does this work|what is this|who are you|what tables are there|which tables are there|what can i do here|example questions|what could i ask|give me ideas|which data do you have|what kind of questions can i ask",
    ),
    (Cue::Greeting, "hello|hi|hey|good morning|good afternoon|good evening|hello there|hi there"),
    (Cue::Thanks, "thanks|thank you|thx|many thanks|great|cool|perfect|nice|ok|okay|good job|thank you very much"),
    (Cue::Filler, FILLERS),
];
