//! Compiled modules, kept between runs.
//!
//! The only unsafe code of Ludus: wasmtime trusts a compiled module as it
//! trusts its own compiler. What is read here was written by this user into
//! this user's own cache, under a name made of the module's hash and of
//! everything about the compiler that matters; whoever can change those files
//! can change the program itself.
#![allow(unsafe_code)]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use wasmtime::Module;

use crate::build::{hash, replace};
use crate::meter;
use crate::runtime::{PlayerModule, Refused, Sandbox};

impl Sandbox {
    /// Like [`Sandbox::load`], but compiles a module only the first time.
    pub fn load_cached(&self, wasm: &[u8], cache: &Path) -> Result<PlayerModule, Refused> {
        let path = self.compiled_path(wasm, cache);
        if path.is_file() {
            // SAFETY: the file was written below by this user; see above. A file
            // of another version or a damaged header is refused by wasmtime, and
            // then the module is compiled again.
            if let Ok(module) = unsafe { Module::deserialize_file(self.engine(), &path) } {
                return self.admit(&module, wasm);
            }
        }
        let module = self.compile(wasm)?;
        let player = self.admit(&module, wasm)?;
        if let Ok(compiled) = module.serialize() {
            // Without the file the next run compiles again, no more.
            let _ = replace(&path, &compiled);
        }
        Ok(player)
    }

    fn compiled_path(&self, wasm: &[u8], cache: &Path) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        self.engine().precompile_compatibility_hash().hash(&mut hasher);
        meter::VERSION.hash(&mut hasher);
        cache.join("compiled").join(format!("{}-{:016x}", hash(&[wasm]), hasher.finish()))
    }
}
