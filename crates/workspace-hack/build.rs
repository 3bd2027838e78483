//! There is one so that the dependencies of build scripts count.

fn main() {}
