//! Orders the functions of a module for gzip, which finds again what it has seen within 32 kB: functions that are the same become one, and
//! those that resemble each other neighbours.
//!
//! Docs: RFC 1951, "Compressed representation overview". `component.rs` and `web.rs` order what browsers load.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionBody, FunctionSectionReader, Parser, Payload, TypeRef};

/// How many bytes in a row make two functions resemble each other.
const RUN: usize = 6;

/// What stands in more functions than these tells nothing about two of them.
const COMMON: usize = 40;

/// The same module with its functions in another order; it is to have no names, which are sorted by function.
pub(crate) fn ordered(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut module = module.to_vec();
    loop {
        let functions = Functions::of(&module)?;
        let kept = functions.distinct();
        let distinct: Vec<usize> = (0..kept.len()).filter(|function| kept[*function] == *function).collect();
        // What calls functions that have become one may have become the same itself.
        let last = distinct.len() == kept.len();
        let sequence = if last { sequence(&functions.bodies) } else { distinct };
        module = written(&module, functions.imports, sequence, &kept)?;
        if last {
            return Ok(module);
        }
    }
}

/// A module with its functions in a sequence, where others are kept for some of them.
fn written(module: &[u8], imports: u32, sequence: Vec<usize>, kept: &[usize]) -> anyhow::Result<Vec<u8>> {
    let mut places = vec![0; kept.len()];
    for (place, &function) in (imports..).zip(&sequence) {
        places[function] = place;
    }
    let places = kept.iter().map(|&kept| places[kept]).collect();
    let mut written = Module::new();
    Order { imports, sequence, places }.parse_core_module(&mut written, Parser::new(0), module)?;
    Ok(written.finish())
}

/// The functions of a module.
struct Functions<'m> {
    /// How many are imported: their numbers come first.
    imports: u32,
    types: Vec<u32>,
    bodies: Vec<&'m [u8]>,
}

impl<'m> Functions<'m> {
    fn of(module: &'m [u8]) -> anyhow::Result<Self> {
        let mut functions = Self { imports: 0, types: Vec::new(), bodies: Vec::new() };
        for payload in Parser::new(0).parse_all(module) {
            let payload = payload?;
            if let Payload::ImportSection(section) = &payload {
                for import in section.clone().into_imports() {
                    functions.imports += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            } else if let Payload::FunctionSection(section) = &payload {
                functions.types = section.clone().into_iter().collect::<Result<_, _>>()?;
            } else if let Payload::CodeSectionEntry(body) = &payload {
                functions.bodies.push(body.as_bytes());
            }
        }
        Ok(functions)
    }

    /// For each function the first one that is the same.
    fn distinct(&self) -> Vec<usize> {
        let mut first = BTreeMap::new();
        let same = self.types.iter().zip(&self.bodies).enumerate();
        same.map(|(function, looks)| *first.entry(looks).or_insert(function)).collect()
    }
}

/// All functions: rows of those that resemble each other, the largest first.
fn sequence(bodies: &[&[u8]]) -> Vec<usize> {
    let mut rows: Vec<Vec<usize>> = (0..bodies.len()).map(|function| vec![function]).collect();
    let mut row_of: Vec<usize> = (0..bodies.len()).collect();
    for (one, other) in resembling(bodies) {
        let (left, right) = (row_of[one], row_of[other]);
        let ends = |row: &[usize], function| row.first() == Some(&function) || row.last() == Some(&function);
        if left == right || !ends(&rows[left], one) || !ends(&rows[right], other) {
            continue;
        }
        let mut more = std::mem::take(&mut rows[right]);
        if rows[left].last() != Some(&one) {
            rows[left].reverse();
        }
        if more.first() != Some(&other) {
            more.reverse();
        }
        for &function in &more {
            row_of[function] = left;
        }
        rows[left].append(&mut more);
    }
    rows.retain(|row| !row.is_empty());
    rows.sort_by_key(|row| Reverse(row.iter().map(|&function| bodies[function].len()).sum::<usize>() / row.len()));
    rows.concat()
}

/// Pairs of functions, those first that share most of what they have.
fn resembling(bodies: &[&[u8]]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(&[u8], usize)> = Vec::new();
    for (function, body) in bodies.iter().enumerate() {
        runs.extend(body.windows(RUN).map(|run| (run, function)));
    }
    runs.sort_unstable();
    runs.dedup();
    let mut shared = Vec::new();
    for having in runs.chunk_by(|one, other| one.0 == other.0).filter(|having| having.len() <= COMMON) {
        for (place, (_, other)) in having.iter().enumerate() {
            shared.extend(having[..place].iter().map(|(_, one)| (*one, *other)));
        }
    }
    shared.sort_unstable();
    let mut pairs: Vec<(usize, (usize, usize))> = Vec::new();
    for same in shared.chunk_by(|one, other| one == other) {
        let (one, other) = same[0];
        let all = bodies[one].len() + bodies[other].len();
        pairs.push((1_000_000 * same.len() / all, same[0]));
    }
    pairs.sort_unstable_by_key(|&(share, pair)| (Reverse(share), pair));
    pairs.into_iter().map(|(_, pair)| pair).collect()
}

/// The functions of a module in their sequence, and the places at which calls find them, after those that are imported.
struct Order {
    imports: u32,
    sequence: Vec<usize>,
    places: Vec<u32>,
}

impl Reencode for Order {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(function.checked_sub(self.imports).map_or(function, |function| self.places[function as usize]))
    }

    fn parse_function_section(&mut self, types: &mut FunctionSection, section: FunctionSectionReader<'_>) -> Result<(), Error<Infallible>> {
        let given: Vec<u32> = section.into_iter().collect::<Result<_, _>>()?;
        for &function in &self.sequence {
            types.function(given[function]);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, code: &mut CodeSection, section: CodeSectionReader<'_>) -> Result<(), Error<Infallible>> {
        let given: Vec<FunctionBody<'_>> = section.into_iter().collect::<Result<_, _>>()?;
        for function in self.sequence.clone() {
            self.parse_function_body(code, given[function].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_resembles_each_other_is_neighbours() {
        let bodies: [&[u8]; 4] = [b"abcdefgh", b"0123456789", b"abcdefgx", b"x23456789"];
        assert_eq!(sequence(&bodies), [1, 3, 0, 2]);
    }

    #[test]
    fn what_is_the_same_in_type_and_body_is_one() {
        let functions = Functions { imports: 0, types: vec![0, 1, 0, 0], bodies: vec![b"a", b"a", b"a", b"b"] };
        assert_eq!(functions.distinct(), [0, 1, 0, 3]);
    }
}
