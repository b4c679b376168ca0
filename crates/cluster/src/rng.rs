//! Random numbers from a seed: the only chance in the cluster.
//!
//! Docs: SplitMix64, which needs one word of state. Who draws from it: `naming.rs`, simulations and tests.

/// A source of random numbers; the same seed gives the same numbers.
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A source that starts from this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Draws any number.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Draws a number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        u64::try_from((u128::from(self.draw()) * u128::from(bound)) >> 64).expect("a product of 64 bits by 64 bits has 128 bits")
    }

    /// Draws whether an event with a probability of one in `times` happens.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Draws a place among so many, at least one.
    pub fn place(&mut self, among: usize) -> usize {
        usize::try_from(self.below(among as u64)).expect("a place in memory is indexed by usize")
    }

    /// Draws one of several things, at least one.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.place(of.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_within_bounds() {
        let draw = |seed| {
            let mut rng = Rng::new(seed);
            (0..1000).map(|_| rng.below(27)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert!((0..27).all(|number| draw(7).contains(&number)));
        assert!(draw(7).iter().all(|number| *number < 27));
    }
}
