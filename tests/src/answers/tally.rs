//! The result of a run: positions, checks and faults, with the shortest command that shows each.

use std::collections::BTreeMap;

use super::judge::Judge;

/// The evidence for a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Example {
    command: String,
    found: String,
}

/// Faults of one property in answers of one call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Faults {
    /// Answers with at least one fault, by the kind of engine.
    answers: BTreeMap<&'static str, u64>,
    shortest: Option<Example>,
}

/// Counts of positions, answers, checks and faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    positions: BTreeMap<String, u64>,
    answers: BTreeMap<String, u64>,
    checked: BTreeMap<&'static str, u64>,
    faults: BTreeMap<(&'static str, String), Faults>,
}

impl Tally {
    /// Counts a position.
    ///
    /// * `kind`: game, world and origin.
    pub fn position(&mut self, kind: String) {
        *self.positions.entry(kind).or_default() += 1;
    }

    /// Adds the checks of an answer.
    ///
    /// * `call`, `world`: the request without its position, and the kind of engine.
    /// * `command`: the command that repeats it.
    pub fn answer(
        &mut self,
        call: &str,
        world: &'static str,
        judge: &Judge,
        command: impl FnOnce() -> String,
    ) {
        *self.answers.entry(format!("{call}, {world}")).or_default() += 1;
        for (property, count) in &judge.checked {
            *self.checked.entry(property).or_default() += count;
        }
        if judge.faults.is_empty() {
            return;
        }
        let command = command();
        let mut seen = Vec::new();
        for fault in &judge.faults {
            if seen.contains(&fault.property) {
                continue;
            }
            seen.push(fault.property);
            let faults = self.faults.entry((fault.property, call.to_owned())).or_default();
            *faults.answers.entry(world).or_default() += 1;
            let example = Example { command: command.clone(), found: fault.found.clone() };
            faults.take(example);
        }
    }

    /// Adds another tally.
    pub fn absorb(&mut self, other: Self) {
        let add = |to: &mut BTreeMap<String, u64>, from: BTreeMap<String, u64>| {
            from.into_iter().for_each(|(name, count)| *to.entry(name).or_default() += count);
        };
        add(&mut self.positions, other.positions);
        add(&mut self.answers, other.answers);
        for (property, count) in other.checked {
            *self.checked.entry(property).or_default() += count;
        }
        for (key, faults) in other.faults {
            let own = self.faults.entry(key).or_default();
            faults
                .answers
                .into_iter()
                .for_each(|(world, count)| *own.answers.entry(world).or_default() += count);
            faults.shortest.into_iter().for_each(|example| own.take(example));
        }
    }

    /// The number of positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions.values().sum()
    }

    /// The number of answers.
    #[must_use]
    pub fn answers(&self) -> u64 {
        self.answers.values().sum()
    }

    /// The number of checks.
    #[must_use]
    pub fn checks(&self) -> u64 {
        self.checked.values().sum()
    }

    /// The number of faulty answers, by property.
    #[must_use]
    pub fn faults(&self) -> BTreeMap<&'static str, u64> {
        let mut by_property = BTreeMap::new();
        for ((property, _), faults) in &self.faults {
            *by_property.entry(*property).or_default() += faults.answers.values().sum::<u64>();
        }
        by_property
    }

    /// The report as text.
    #[must_use]
    pub fn report(&self) -> String {
        let mut out = format!(
            "{} positions, {} answers, {} checks; {} kinds of faults\n\nPOSITIONS\n",
            self.positions(),
            self.answers(),
            self.checks(),
            self.faults().len()
        );
        let lines = |out: &mut String, counts: &mut dyn Iterator<Item = (String, u64)>| {
            counts.for_each(|(name, count)| out.push_str(&format!("{count:>10}  {name}\n")));
        };
        lines(&mut out, &mut self.positions.iter().map(|(name, count)| (name.clone(), *count)));
        out.push_str("\nANSWERS\n");
        lines(&mut out, &mut self.answers.iter().map(|(name, count)| (name.clone(), *count)));
        out.push_str("\nCHECKS\n");
        lines(&mut out, &mut self.checked.iter().map(|(name, count)| ((*name).to_owned(), *count)));
        out.push_str("\nFAULTS: answers with one, by property\n");
        lines(&mut out, &mut self.faults().into_iter().map(|(name, count)| (name.to_owned(), count)));
        out.push_str("\nFAULTS BY CALL, each with the shortest command that shows it\n");
        for ((property, call), Faults { answers, shortest }) in &self.faults {
            let by_world: Vec<String> =
                answers.iter().map(|(world, count)| format!("{count} {world}")).collect();
            let all: u64 = answers.values().sum();
            out.push_str(&format!("{all:>10}  {property}  [{call}]  {}\n", by_world.join(", ")));
            if let Some(Example { command, found }) = shortest {
                out.push_str(&format!("            $ {command}\n            {found}\n"));
            }
        }
        out
    }
}

impl Faults {
    fn take(&mut self, example: Example) {
        let is_shorter =
            |own: &Example| (example.command.len(), &example.command) < (own.command.len(), &own.command);
        if self.shortest.as_ref().is_none_or(is_shorter) {
            self.shortest = Some(example);
        }
    }
}
