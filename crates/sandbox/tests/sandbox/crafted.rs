//! Modules made by hand: as large as the caps allow in every way that makes the
//! compiler work, and larger.
#![allow(dead_code)]

/// Instructions used below.
const I32: u8 = 0x7f;
const EMPTY: u8 = 0x40;

pub fn number(mut value: u32) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

fn section(id: u8, entries: &[Vec<u8>]) -> Vec<u8> {
    let content = [number(entries.len() as u32), entries.concat()].concat();
    [vec![id], number(content.len() as u32), content].concat()
}

/// The code of a function of type `() -> ()` with so many locals.
pub fn body(locals: u32, code: &[u8]) -> Vec<u8> {
    let mut out = if locals == 0 { vec![0] } else { [vec![1], number(locals), vec![I32]].concat() };
    out.extend_from_slice(code);
    out.push(0x0b);
    [number(out.len() as u32), out].concat()
}

/// A module of such functions, with a memory and one type more: `wide` has so
/// many parameters.
pub fn module(bodies: &[Vec<u8>], wide: usize) -> Vec<u8> {
    let parameters = [vec![0x60], number(wide as u32), vec![I32; wide], vec![0]].concat();
    let mut out = b"\0asm\x01\0\0\0".to_vec();
    out.extend(section(1, &[vec![0x60, 0, 0], parameters]));
    let mut types = vec![vec![0]; bodies.len()];
    types.push(vec![1]);
    out.extend(section(3, &types));
    out.extend(section(5, &[vec![0, 1]]));
    out.extend(section(10, &[bodies, &[body(0, &[])]].concat()));
    out
}

/// So many functions with the same code.
pub fn copies(count: usize, locals: u32, code: &[u8]) -> Vec<u8> {
    module(&vec![body(locals, code); count], 1)
}

pub fn nested_ifs(depth: usize) -> Vec<u8> {
    // if (local 0) { ... } else { local 0 = local 0 + 1 }
    let open = [0x20, 0, 0x04, EMPTY].repeat(depth);
    let close = [0x05, 0x20, 0, 0x41, 1, 0x6a, 0x21, 0, 0x0b].repeat(depth);
    [open, close].concat()
}

/// Loops one after the other, each of which changes another local, and all of
/// which are needed at the end.
pub fn loops(locals: u32, loops: u32) -> Vec<u8> {
    let mut out = Vec::new();
    for k in 0..loops {
        let local = number(k % locals);
        out.extend([0x03, EMPTY, 0x20]);
        out.extend(&local);
        out.extend([0x41, 1, 0x6a, 0x22]);
        out.extend(&local);
        out.extend([0x0d, 0, 0x0b]);
    }
    for k in 0..locals {
        out.extend([0x41, 0, 0x20]);
        out.extend(number(k));
        out.extend([0x36, 2, 0]);
    }
    out
}

/// Loops within each other, as deep as that; all locals change in the innermost.
pub fn deep_loops(locals: u32, depth: usize) -> Vec<u8> {
    let mut out = [0x03, EMPTY].repeat(depth);
    for k in 0..locals {
        out.push(0x20);
        out.extend(number(k));
        out.extend([0x41, 3, 0x6a, 0x21]);
        out.extend(number((k + 1) % locals));
    }
    for _ in 0..depth {
        out.extend([0x20, 0, 0x0d, 0, 0x0b]);
    }
    out
}

/// Values that are all there at the same time.
pub fn live_values(count: u32) -> Vec<u8> {
    let mut out = vec![0x41, 0];
    for k in 0..count {
        out.extend([0x41, 0, 0x28, 2]);
        out.extend(number(4 * k));
    }
    out.extend(vec![0x6a; count as usize]);
    out.push(0x1a);
    out
}

/// Tables of branches, with so many targets each, to blocks within each other.
pub fn branch_tables(tables: usize, targets: u32, depth: u32) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..tables {
        out.extend([0x02, EMPTY].repeat(depth as usize));
        out.extend([0x20, 0, 0x0e]);
        out.extend(number(targets));
        (0..=targets).for_each(|k| out.extend(number(k * 7919 % depth)));
        for _ in 0..depth {
            out.extend([0x0b, 0x20, 0, 0x41, 1, 0x6a, 0x21, 0]);
        }
    }
    out
}

/// Calls of the function with the wide type.
pub fn wide_calls(calls: usize, wide: usize, function: u32) -> Vec<u8> {
    let call = [[0x20, 0].repeat(wide), vec![0x10], number(function)].concat();
    call.repeat(calls)
}

/// Work on vectors that one instruction of the machine does not do.
pub fn vectors(count: usize) -> Vec<u8> {
    // i32x4.splat, then i8x16.shl and i8x16.shr_s again and again, and v128.any_true.
    let mut out = vec![0x20, 0, 0xfd, 0x11];
    out.extend([0x20, 0, 0xfd, 0x6b, 0x20, 0, 0xfd, 0x6c].repeat(count));
    out.extend([0xfd, 0x53, 0x1a]);
    out
}

/// `if`s one after the other.
pub fn many_ifs(count: usize) -> Vec<u8> {
    [0x20, 0, 0x04, EMPTY, 0x20, 0, 0x41, 7, 0x6a, 0x21, 0, 0x0b].repeat(count)
}

pub fn divisions(count: usize) -> Vec<u8> {
    [vec![0x20, 0], [0x20, 0, 0x6f].repeat(count), vec![0x21, 0]].concat()
}

/// The worst modules that are let in, by name.
pub fn worst() -> Vec<(&'static str, Vec<u8>)> {
    // As many copies as the caps on code and on locals and blocks allow.
    let filled = |locals: u32, blocks: u32, loops: u32, code: &[u8]| {
        let by_joins = 3_000_000 / u64::from(locals * blocks + loops * loops).max(1);
        copies(((2 << 20) / (code.len() + 12)).min(by_joins as usize), locals, code)
    };
    let calls = 128 * 1024 / (64 * 2 + 3) - 1;
    let wide = wide_calls(calls, 64, 15);
    vec![
        ("nested ifs", filled(1, 499, 0, &nested_ifs(499))),
        ("ifs in a row", filled(1, 3_900, 0, &many_ifs(3_900))),
        ("2000 locals in 200 loops", filled(2_000, 200, 200, &loops(2_000, 200))),
        ("200 locals in 1000 loops", filled(200, 1_000, 1_000, &loops(200, 1_000))),
        ("50 locals in 1700 loops", filled(50, 1_700, 1_700, &loops(50, 1_700))),
        ("1 local in 300 loops", filled(1, 300, 300, &loops(1, 300))),
        ("900 locals in loops 440 deep", filled(900, 440, 440, &deep_loops(900, 440))),
        ("values that live together", filled(0, 0, 0, &live_values(16_500))),
        ("tables of branches", filled(1, 499, 0, &branch_tables(1, 9_000, 499))),
        ("calls with 64 parameters", module(&vec![body(1, &wide); 15], 64)),
        ("vectors", filled(1, 0, 0, &vectors(15_000))),
        ("divisions", filled(1, 0, 0, &divisions(42_000))),
        ("20000 functions", copies(19_990, 1, &[many_ifs(5), vec![0x41, 0, 0x20, 0, 0x36, 2, 0]].concat())),
    ]
}
