//! Modules: what is let in, and what is known about it.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludus_arena::{CALL_STACK, PLAYING_STACK};
use sha2::{Digest, Sha256};
use wasmtime::{
    Config, Enabled, Engine, ExternType, InstanceAllocationStrategy, InstancePre, Linker, Module, OptLevel,
    PoolingAllocationConfig, WasmFeatures,
};

use crate::caps::{CapExceeded, Sizes};
use crate::crash::SourceNames;
use crate::imports::{self, Host};
use crate::limits::{LARGEST_MEMORY, Limits};
use crate::own_program::OwnProgram;
use crate::{meter, symbols, translate};

/// The version of the interface between host and players. Modules of version 1
/// play as well: only prices have changed since.
pub const ABI: i32 = 2;
pub(crate) const OLDEST_ABI: i32 = 1;

/// The most calls that are known of a player that failed: more than there is
/// room for.
const MOST_CALLS: NonZeroUsize = NonZeroUsize::new(1 << 20).expect("it is not zero");

/// Compiles and runs modules. Make one, and share it.
#[derive(Clone)]
pub struct Sandbox {
    engine: Engine,
    linker: Arc<Linker<Host>>,
    /// Who makes machine code, if it is not done here.
    translator: Option<OwnProgram>,
    /// Who explains deaths, if it is not done here.
    explainer: Option<OwnProgram>,
}

/// Why a module is no player.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error(transparent)]
    Cap(#[from] CapExceeded),
    #[error("it takes more than {0} to make machine code of it")]
    TooMuch(String),
    #[error("it is no valid WebAssembly module: {0}")]
    Invalid(String),
    #[error("it imports {0}, which players may not use")]
    Import(String),
    #[error("it does not export {0}")]
    Export(&'static str),
    #[error("its memory starts larger than the limit of {} MiB", .0 >> 20)]
    Memory(usize),
    #[error("it exports {}, and has no page to guard", meter::GUARDED)]
    NoPage,
    #[error("it is made for version {0} of the player ABI, this is version {ABI}")]
    Version(i32),
    #[error("it cannot be asked what it is: {0}")]
    Silent(String),
    /// The only one that says nothing about the module.
    #[error("the machine cannot translate it: {0}")]
    Trouble(String),
}

impl Refused {
    /// Whether the module would fare better on another machine or day.
    pub fn is_of_the_machine(&self) -> bool {
        matches!(self, Refused::Trouble(_))
    }
}

/// A module that exports and imports what a player may.
#[derive(Clone)]
pub struct PlayerModule {
    pub(crate) sandbox: Sandbox,
    pub(crate) ready: InstancePre<Host>,
    hash: [u8; 32],
    /// Whether it leaves its first page alone, and is stopped if it does not.
    pub(crate) is_guarded: bool,
    /// Where its names and lines may be kept, and what its source is called.
    pub(crate) symbols: Option<PathBuf>,
    pub(crate) files: Option<Arc<SourceNames>>,
}

impl PlayerModule {
    /// The SHA-256 of the module's file.
    pub fn hash(&self) -> [u8; 32] {
        self.hash
    }

    /// The same, compiled from a file of this name: its author is told of places
    /// in it.
    #[must_use]
    pub fn from_file(self, name: &str) -> PlayerModule {
        PlayerModule { files: Some(Arc::new(SourceNames::of_file(name))), ..self }
    }

    /// The same, compiled from the file that a player of this name has in either
    /// language.
    #[must_use]
    pub fn from_player(self, name: &str) -> PlayerModule {
        PlayerModule { files: Some(Arc::new(SourceNames::of_player(name))), ..self }
    }

    /// The same, with its names and lines in a cache, if they are there.
    pub(crate) fn known_in(self, cache: &Path) -> PlayerModule {
        PlayerModule { symbols: Some(symbols::place(cache, &self.hash)), ..self }
    }
}

/// Functions that a module must export, besides its memory.
const EXPORTS: [&str; 6] = ["ludus_abi", "ludus_game", "ludus_name", "ludus_room", "ludus_start", "ludus_play"];

impl Sandbox {
    /// `instances` is how many players may be alive at one time.
    pub fn new(instances: u32) -> wasmtime::Result<Sandbox> {
        let mut pool = PoolingAllocationConfig::default();
        pool.total_core_instances(instances)
            .total_memories(instances)
            .total_tables(instances)
            .max_memories_per_module(1)
            .max_tables_per_module(1)
            .table_elements(100_000)
            .max_memory_size(LARGEST_MEMORY)
            .linear_memory_keep_resident(1 << 20)
            .table_keep_resident(16 << 10)
            .pagemap_scan(Enabled::Auto);
        let engine = Engine::new(config().allocation_strategy(InstanceAllocationStrategy::Pooling(pool)))?;
        let linker = Arc::new(imports::linker(&engine)?);
        Ok(Sandbox { engine, linker, translator: None, explainer: None })
    }

    /// The same, but machine code is made elsewhere: for modules of strangers.
    #[must_use]
    pub fn translated_by(self, translator: OwnProgram) -> Sandbox {
        Sandbox { translator: Some(translator), ..self }
    }

    /// The same, but what compilers and players tell of a death is read elsewhere:
    /// for players of strangers.
    #[must_use]
    pub fn explained_by(self, explainer: OwnProgram) -> Sandbox {
        Sandbox { explainer: Some(explainer), ..self }
    }

    pub(crate) fn explainer(&self) -> Option<&OwnProgram> {
        self.explainer.as_ref()
    }

    /// Compiles a module for this machine, or says why it is no player.
    pub fn load(&self, wasm: &[u8]) -> Result<PlayerModule, Refused> {
        self.admit(&self.compile(wasm)?.0, Sha256::digest(wasm).into())
    }

    /// A module ready to run, and the same as bytes.
    pub(crate) fn compile(&self, wasm: &[u8]) -> Result<(Module, Vec<u8>), Refused> {
        let malformed = |error: wasmparser::BinaryReaderError| {
            Refused::Invalid(error.message().lines().next().unwrap_or_default().to_owned())
        };
        Sizes::of(wasm).map_err(malformed)??;
        if let Some(import) = imports::exact(wasm) {
            return Err(Refused::Import(import));
        }
        // What the module refers to must be its own, not what is added to it.
        Module::validate(&self.engine, wasm).map_err(|error| invalid(&error))?;
        if let Some(translator) = &self.translator {
            let code = translate::translated_by(translator, wasm)?;
            return Ok((self.trust(&code)?, code));
        }
        let metered = meter::metered(wasm).map_err(malformed)?;
        let module = Module::from_binary(&self.engine, &metered).map_err(|error| invalid(&error))?;
        let code = module.serialize().map_err(|error| invalid(&error))?;
        Ok((module, code))
    }

    /// Checks imports and exports of a module compiled from a file with this hash.
    pub(crate) fn admit(&self, module: &Module, hash: [u8; 32]) -> Result<PlayerModule, Refused> {
        if let Some(import) = module.imports().find(|import| !imports::is_allowed(import)) {
            return Err(Refused::Import(format!("{}.{}", import.module(), import.name())));
        }
        for name in EXPORTS {
            if !matches!(module.get_export(name), Some(ExternType::Func(_))) {
                return Err(Refused::Export(name));
            }
        }
        let is_guarded = matches!(module.get_export(meter::GUARDED), Some(ExternType::Func(_)));
        match module.get_export("memory") {
            Some(ExternType::Memory(memory)) if is_guarded && memory.minimum() == 0 => {
                return Err(Refused::NoPage);
            }
            Some(ExternType::Memory(memory)) if memory.minimum() * 65_536 <= Limits::MEMORY as u64 => {}
            Some(ExternType::Memory(_)) => return Err(Refused::Memory(Limits::MEMORY)),
            _ => return Err(Refused::Export("memory")),
        }
        let ready = self.linker.instantiate_pre(module).map_err(|error| invalid(&error))?;
        Ok(PlayerModule { sandbox: self.clone(), ready, hash, is_guarded, symbols: None, files: None })
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }
}

/// Does something that runs a module where there is room for its calls: on this
/// stack, or on another if this has too little left.
pub(crate) fn with_room<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(CALL_STACK + (1 << 20), PLAYING_STACK, run)
}

/// What decides what becomes of a module, wherever it is translated.
pub(crate) fn config() -> Config {
    let mut config = Config::new();
    config
        .cranelift_nan_canonicalization(true)
        .cranelift_opt_level(OptLevel::Speed)
        .max_wasm_stack(CALL_STACK)
        // Nothing is asynchronous here, but no stack may be larger than this.
        .async_stack_size(PLAYING_STACK)
        .wasm_backtrace_max_frames(Some(MOST_CALLS))
        .wasm_features(WasmFeatures::all(), false)
        .wasm_features(allowed_features(), true);
    config
}

/// What compilers produce by default, and nothing whose result could depend on
/// the machine or on time.
pub(crate) fn allowed_features() -> WasmFeatures {
    WasmFeatures::MUTABLE_GLOBAL
        | WasmFeatures::SATURATING_FLOAT_TO_INT
        | WasmFeatures::SIGN_EXTENSION
        | WasmFeatures::REFERENCE_TYPES
        | WasmFeatures::MULTI_VALUE
        | WasmFeatures::BULK_MEMORY
        | WasmFeatures::SIMD
        | WasmFeatures::FLOATS
        | WasmFeatures::EXTENDED_CONST
        | WasmFeatures::CALL_INDIRECT_OVERLONG
        | WasmFeatures::BULK_MEMORY_OPT
}

pub(crate) fn invalid(error: &wasmtime::Error) -> Refused {
    Refused::Invalid(first_line(error))
}

/// What went wrong in a call of the host; around it stands where the module was.
pub(crate) fn root_cause(error: &wasmtime::Error) -> String {
    let text = error.root_cause().to_string();
    text.lines().next().unwrap_or_default().to_owned()
}

pub(crate) fn first_line(error: &wasmtime::Error) -> String {
    let text = format!("{error:#}");
    text.lines().next().unwrap_or_default().to_owned()
}
