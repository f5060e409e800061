//! Names of private customers.

const FIRST: [&str; 53] = [
    "Ada", "Alan", "Alice", "Amir", "Anna", "Ben", "Bruno", "Carla", "Chen", "Clara", "Daniel", "Diana", "Edgar", "Elena",
    "Emma", "Erik", "Eva", "Felix", "Finn", "Gloria", "Hana", "Hugo", "Ida", "Ines", "Ivan", "Jack", "Jana", "Jonas", "Julia",
    "Kai", "Karl", "Kate", "Lara", "Leo", "Lina", "Louis", "Lucy", "Marco", "Maria", "Martin", "Mia", "Nadia", "Nils", "Nina",
    "Olga", "Omar", "Paul", "Rosa", "Ruth", "Sara", "Simon", "Tara", "Victor",
];

const LAST: [&str; 61] = [
    "Adams", "Ahmed", "Allen", "Baker", "Barnes", "Bauer", "Bell", "Berg", "Blake", "Brooks", "Carter", "Chavez", "Clark",
    "Cole", "Costa", "Cruz", "Davis", "Dubois", "Ellis", "Evans", "Fischer", "Foster", "Garcia", "Grant", "Gray", "Hall",
    "Hansen", "Hayes", "Hill", "Hughes", "Ito", "Jensen", "Kelly", "Khan", "Klein", "Kumar", "Lang", "Larsen", "Lee", "Lopez",
    "Mason", "Meyer", "Moore", "Morris", "Nguyen", "Novak", "Olsen", "Park", "Patel", "Perez", "Reed", "Rossi", "Scott",
    "Silva", "Sato", "Torres", "Wagner", "Walker", "Ward", "Weber", "Young",
];

/// The name of a private customer by their number. The first 3,233 names are different, since the lists' lengths have no common
/// factor.
pub(super) fn name(number: usize) -> String {
    format!("{} {}", FIRST[number % FIRST.len()], LAST[number % LAST.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_repeat_as_late_as_they_can() {
        let names: HashSet<String> = (0..FIRST.len() * LAST.len()).map(name).collect();
        assert_eq!(names.len(), 3_233);
    }
}
