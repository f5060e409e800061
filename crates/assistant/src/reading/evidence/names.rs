//! How the number that is asked for is called, beside the words of the question.

use super::{Judge, SURE};
use crate::language::cues::{Aggregate, Cue};
use crate::language::words::stem;
use crate::reading::atoms::What;
use crate::reading::meaning::Num;
use crate::world::Thing;

/// Words for money.
const MONEY: &[&str] = &[
    "revenue", "sale", "turnover", "taking", "income", "spend", "spent", "spending", "cost", "price", "amount", "earn",
    "earning", "paid", "value", "sell", "sold", "buy", "bought", "bill", "fee", "charge", "salary", "rent", "profit",
];
/// Words that make a number one of a part of the rows.
const NARROW: &[&str] = &[
    "cancelled",
    "cancel",
    "late",
    "refund",
    "refunded",
    "tax",
    "discount",
    "lost",
    "open",
    "overdue",
    "unpaid",
    "average",
    "per",
    "share",
    "rate",
    "new",
    "closed",
    "active",
    "expected",
    "returned",
    "failed",
    "early",
    "no",
    "not",
    "without",
    "first",
    "last",
    "net",
    "gross",
    "median",
    "highest",
    "lowest",
    "different",
    "half",
    "mean",
    "max",
    "min",
];

impl Judge<'_> {
    pub(super) fn number_names(&mut self) {
        let said: Vec<String> = self.seen.all().flat_map(|atom| atom.text.split(' ').map(stem).collect::<Vec<_>>()).collect();
        let (mut unsaid, mut narrow) = (0, 0);
        for called in self.called() {
            let rest = |name: &Vec<String>| name.iter().filter(|word| !said.contains(word)).count();
            let Some(name) =
                called.iter().filter(|name| name.iter().any(|word| said.contains(word))).min_by_key(|name| rest(name))
            else {
                continue;
            };
            unsaid += rest(name);
            narrow += name.iter().filter(|word| !said.contains(word) && NARROW.contains(&word.as_str())).count();
        }
        self.found.count("words of numbers that are not said", unsaid);
        self.found.count("parts that are not said", narrow);
        let says_money = said.iter().any(|word| MONEY.contains(&word.as_str()));
        let counts = self.meaning.numbers.iter().any(|number| self.counts(number));
        self.found.flag("money that is counted", says_money && counts);
        self.means();
        self.compounds();
    }

    /// The names of all numbers.
    fn called(&self) -> Vec<&Vec<Vec<String>>> {
        let declared = self.used.declared.iter().map(|at| &self.world.numbers[*at].called);
        declared.chain(self.used.measured.iter().map(|field| &self.world.fields[*field].called)).collect()
    }

    /// Means that no word asks for.
    fn means(&mut self) {
        let is_mean = |at: &usize| self.world.numbers[*at].aggregate == Some(inlay_contract::model::Aggregate::Average);
        let declared = self.used.declared.iter().any(is_mean);
        let mean = declared || self.meaning.numbers.iter().any(|number| matches!(number, Num::Of(Aggregate::Average, _)));
        let says = self.seen.all().any(|atom| atom.cue() == Some(Cue::Aggregate(Aggregate::Average)));
        let weak = || self.seen.things().filter(|(atom, thing)| self.is_number(*thing) && atom.quality < SURE);
        let (named_weakly, plural) = (weak().next().is_some(), weak().any(|(atom, _)| atom.plural));
        self.found.flag("declared mean that is not said", declared && !says);
        self.found.flag("mean of a plural", mean && plural);
        self.found.flag("declared number of a weak name", !self.used.declared.is_empty() && named_weakly);
    }

    /// Groups that are said like the first part of a compound: "fuel spend", "swiss customers".
    fn compounds(&mut self) {
        let groups: Vec<usize> =
            self.meaning.groups.iter().filter(|group| group.grain.is_none()).map(|group| group.place.field).collect();
        let is_group = |thing: Thing| match thing {
            Thing::Field(field) => groups.contains(&field) || self.world.fields[field].refers.is_some(),
            Thing::Table(table) => groups.iter().any(|field| self.world.fields[*field].table == table),
            _ => false,
        };
        let mut pairs = self.seen.atoms.iter().zip(self.seen.atoms.iter().skip(1));
        let of_value = pairs.any(|(first, next)| match (&first.what, &next.what) {
            (What::Value(_), What::Thing(one)) => next.beside && is_group(*one),
            _ => false,
        });
        self.found.flag("group behind a value", !groups.is_empty() && of_value);
        let says_by = self.seen.all().any(|atom| {
            matches!(atom.cue(), Some(Cue::By | Cue::Which | Cue::OverTime | Cue::Versus | Cue::Top(_) | Cue::Extreme(..)))
        });
        let single = self.seen.atoms.iter().any(|atom| matches!(atom.what, What::Thing(one) if is_group(one) && !atom.plural));
        self.found.flag("single group that is not asked for", !groups.is_empty() && !says_by && single);
    }
}
