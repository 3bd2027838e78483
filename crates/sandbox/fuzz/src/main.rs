//! Writes random modules: `ludus-fuzz-modules SEED FIRST COUNT`.
//!
//! On standard input comes a module whose imports and exports are those of a
//! player. On standard output there is for each module the number of its bytes
//! (32 bits, little-endian) and then the bytes. A module depends on the seed
//! and on its own number only, so any of them can be made without the others.

use std::io::{self, BufWriter, Read as _, Write as _};

use arbitrary::{Arbitrary as _, Unstructured};
use wasm_smith::{Config, Module};
use wasmparser::{Validator, WasmFeatures};

fn main() -> io::Result<()> {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [seed, first, count] = numbers[..] else {
        return Err(io::Error::other("usage: ludus-fuzz-modules SEED FIRST COUNT"));
    };
    let mut player = Vec::new();
    io::stdin().read_to_end(&mut player)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for number in first..first + count {
        let module = module(seed, number, &player);
        out.write_all(&(module.len() as u32).to_le_bytes())?;
        out.write_all(&module)?;
    }
    out.flush()
}

fn module(seed: u64, number: u64, player: &[u8]) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03));
    loop {
        // Most are small: there the strange things are closer together.
        let len = 512 << (random.next() % 6);
        let bytes: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
        let mut bytes = Unstructured::new(&bytes);
        let made = config(number, player, &mut bytes).and_then(|config| Module::new(config, &mut bytes));
        // Sometimes chance runs out before there is a module.
        let Ok(module) = made else { continue };
        let module = module.to_bytes();
        if matches!(number % 8, FOREIGN | BROKEN) || is_plain(&module) {
            return module;
        }
    }
}

/// Whether a module can do without references to things outside, which the
/// sandbox does not have and the generator cannot be told to leave out.
fn is_plain(module: &[u8]) -> bool {
    let features = WasmFeatures::all() & !(WasmFeatures::GC | WasmFeatures::GC_TYPES);
    Validator::new_with_features(features).validate_all(module).is_ok()
}

/// Kinds of modules that need not be valid in the sandbox: with what no player
/// may have, sooner or later beyond the caps, and with rubbish for code.
const FOREIGN: u64 = 5;
const BROKEN: u64 = 6;

/// Kinds of modules take turns.
fn config(number: u64, player: &[u8], bytes: &mut Unstructured<'_>) -> arbitrary::Result<Config> {
    let plain = Config {
        allow_start_export: true,
        compact_imports_enabled: false,
        exceptions_enabled: false,
        export_everything: true,
        gc_enabled: false,
        max_exports: 1000,
        max_imports: 6,
        max_memory32_bytes: 4 << 16,
        max_table_elements: 1000,
        max_types: 20,
        memory64_enabled: false,
        min_funcs: 1,
        // Those with references are few and small.
        reference_types_enabled: number.is_multiple_of(3),
        relaxed_simd_enabled: false,
        tail_call_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        ..Config::default()
    };
    Ok(match number % 8 {
        0..=2 => plain,
        // More of them come to an end.
        3 => Config { disallow_traps: true, ..plain },
        4 => Config { max_instructions: 20_000, max_nesting_depth: 600, max_funcs: 10, ..plain },
        FOREIGN => Config { max_memories: 3, max_tables: 3, max_table_elements: 100_000, ..Config::arbitrary(bytes)? },
        BROKEN => Config { allow_invalid_funcs: true, generate_custom_sections: true, ..plain },
        _ => Config { module_shape: Some(player.to_vec()), ..plain },
    })
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
