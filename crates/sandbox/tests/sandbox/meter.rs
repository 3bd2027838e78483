//! The count of fuel: compared with the runtime's, and by hand.

use wasmtime::{Config, Engine, Instance, OperatorCost, Store, Trap, Val};

use ludus_sandbox::meter::{BEGIN, ELEMENT_FUEL, FUEL, GROW_FUEL, MOVE_FUEL, NAME_FUEL, PAGE_FUEL, STOPPED, metered};

/// Code with every way through a function, and what `work` is called with.
const CASES: [(&str, &str, &[i32]); 7] = [
    ("nothing", "(func (export \"work\") (param i32))", &[0]),
    (
        "a loop",
        "(func (export \"work\") (param i32)
           (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))",
        &[1, 2, 1000],
    ),
    (
        "branches",
        "(func (export \"work\") (param i32) (local i64 i64 f64)
           (block (block (block (br_table 0 1 2 (local.get 0))) nop (return) (unreachable))
             (if (local.get 0) (then nop (br 1)) (else (drop (i32.const 1))))))",
        &[0, 1, 2, 3],
    ),
    (
        "a jump to the end with results",
        "(func (export \"work\") (param i32) (drop (drop (call $two (local.get 0)))))
         (func $two (param i32) (result i32 i64) (i32.const 1) (i64.const 2) (br_if 0 (local.get 0)) (drop)
           (block (result i64) (i32.const 4) (i64.const 3) (br 1)))",
        &[0, 1],
    ),
    (
        "calls",
        "(table funcref (elem $one $fibonacci)) (type $f (func (param i32) (result i32)))
         (func $one (param i32) (result i32) (i32.const 1))
         (func $fibonacci (param i32) (result i32)
           (if (i32.lt_s (local.get 0) (i32.const 2)) (then (return (local.get 0))))
           (i32.add (call $fibonacci (i32.sub (local.get 0) (i32.const 1)))
                    (call_indirect (type $f) (i32.sub (local.get 0) (i32.const 2)) (i32.const 1))))
         (func (export \"work\") (param i32) (drop (call $fibonacci (local.get 0))))",
        &[1, 10],
    ),
    (
        "moves",
        "(memory 1) (table 100 funcref) (data \"some bytes\") (elem func)
         (func (export \"work\") (param i32)
           (memory.fill (i32.const 0) (i32.const 1) (local.get 0))
           (memory.copy (i32.const 0) (i32.const 500) (local.get 0))
           (memory.copy (i32.const 0) (i32.const 500) (i32.const 16))
           (memory.copy (i32.const 0) (i32.const 500) (i32.const 1000))
           (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 10))
           (table.fill (i32.const 0) (ref.null func) (local.get 0))
           (table.copy (i32.const 0) (i32.const 0) (local.get 0))
           (drop (table.grow (ref.null func) (local.get 0)))
           (drop (memory.grow (i32.const 1))))",
        &[0, 99],
    ),
    (
        "globals of its own",
        "(import \"x\" \"y\" (global i32)) (global $g (mut i64) (i64.const 7))
         (func (export \"work\") (param i32) (global.set $g (i64.add (global.get $g) (i64.const 1))))",
        &[0],
    ),
];

const FILLED: i64 = 1_000_000;

/// What a call uses, or the count at its end if it was stopped.
fn count(wasm: &[u8], argument: i32, filled: i64) -> Result<i64, i64> {
    let engine = Engine::default();
    let module = wasmtime::Module::from_binary(&engine, &metered(wasm).unwrap()).unwrap();
    let mut store = Store::new(&engine, ());
    let imports: Vec<_> = module.imports().map(|import| global(&mut store, &import)).collect();
    let instance = Instance::new(&mut store, &module, &imports).unwrap();
    let fuel = instance.get_global(&mut store, FUEL).unwrap();
    fuel.set(&mut store, Val::I64(-filled)).unwrap();
    if let Ok(begin) = instance.get_typed_func::<(), ()>(&mut store, BEGIN) {
        begin.call(&mut store, ()).unwrap();
    }
    let work = instance.get_typed_func::<i32, ()>(&mut store, "work").unwrap();
    let done = work.call(&mut store, argument);
    let count = fuel.get(&mut store).unwrap_i64();
    if done.is_ok() { Ok(count + filled) } else { Err(count) }
}

/// Our prices as the runtime knows them: all but that of a page.
pub fn prices() -> OperatorCost {
    let price = |fuel: i64| u8::try_from(fuel).unwrap();
    let mut prices = OperatorCost::new();
    prices.MemoryGrow = price(GROW_FUEL);
    prices.TableGrow = price(GROW_FUEL);
    prices.MemoryInit = price(MOVE_FUEL);
    prices.TableCopy = price(MOVE_FUEL);
    prices.TableFill = price(MOVE_FUEL);
    prices.TableInit = price(MOVE_FUEL);
    prices.RefFunc = price(NAME_FUEL);
    prices.DataDrop = price(NAME_FUEL);
    prices.ElemDrop = price(NAME_FUEL);
    for variable in [
        &mut prices.variable.table_copy_per_element,
        &mut prices.variable.table_fill_per_element,
        &mut prices.variable.table_init_per_element,
        &mut prices.variable.table_grow_per_element,
    ] {
        *variable = price(ELEMENT_FUEL);
    }
    prices
}

/// What the runtime says that a call uses, at our prices for all but pages.
fn count_of_runtime(wasm: &[u8], argument: i32) -> i64 {
    let engine = Engine::new(Config::new().consume_fuel(true).operator_cost(prices())).unwrap();
    count_with(&engine, wasm, argument)
}

fn count_with(engine: &Engine, wasm: &[u8], argument: i32) -> i64 {
    let module = wasmtime::Module::from_binary(engine, wasm).unwrap();
    let mut store = Store::new(engine, ());
    let imports: Vec<_> = module.imports().map(|import| global(&mut store, &import)).collect();
    // To fill tables may cost some fuel, which players do not pay.
    store.set_fuel(FILLED as u64).unwrap();
    let instance = Instance::new(&mut store, &module, &imports).unwrap();
    store.set_fuel(FILLED as u64).unwrap();
    instance.get_typed_func::<i32, ()>(&mut store, "work").unwrap().call(&mut store, argument).unwrap();
    FILLED - store.get_fuel().unwrap() as i64
}

fn global(store: &mut Store<()>, import: &wasmtime::ImportType<'_>) -> wasmtime::Extern {
    let of = import.ty().unwrap_global().clone();
    wasmtime::Global::new(store, of, Val::I32(1)).unwrap().into()
}

#[test]
fn the_count_is_the_runtimes() {
    for (name, text, arguments) in CASES {
        let wasm = wat::parse_str(text).unwrap();
        for &argument in arguments {
            let pages = text.matches("memory.grow").count() as i64;
            let expected = count_of_runtime(&wasm, argument) + pages * PAGE_FUEL;
            assert_eq!(count(&wasm, argument, FILLED), Ok(expected), "{name} {argument}");
        }
    }
}

#[test]
fn only_pages_that_are_there_are_paid_for() {
    let text = "(memory 1 3) (func (export \"work\") (param i32) (drop (memory.grow (local.get 0))))";
    let wasm = wat::parse_str(text).unwrap();
    let call = 1 + 1 + GROW_FUEL;
    assert_eq!(count(&wasm, 0, FILLED), Ok(call));
    assert_eq!(count(&wasm, 2, FILLED), Ok(call + 2 * PAGE_FUEL));
    // More than there may be, and the largest number there is.
    assert_eq!(count(&wasm, 3, FILLED), Ok(call));
    assert_eq!(count(&wasm, -1, FILLED), Ok(call));
    assert_eq!(count(&wasm, 2, 2 * PAGE_FUEL), Err(STOPPED));
}

/// What a second's fuel must buy on any machine: the parts of a program that
/// neither calls the host nor grows cost what they always have.
#[test]
fn plain_code_costs_what_it_always_has() {
    for (name, text, arguments) in CASES.into_iter().filter(|(name, _, _)| *name != "moves") {
        let wasm = wat::parse_str(text).unwrap();
        let engine = Engine::new(Config::new().consume_fuel(true)).unwrap();
        for &argument in arguments {
            assert_eq!(count(&wasm, argument, FILLED), Ok(count_with(&engine, &wasm, argument)), "{name} {argument}");
        }
    }
}

#[test]
fn a_count_by_hand() {
    let wasm = wat::parse_str(CASES[1].1).unwrap();
    // The function, and five instructions each time.
    assert_eq!(count(&wasm, 20, FILLED), Ok(1 + 5 * 20));
    let text = "(global $g (mut i32) (i32.const 7)) (start $s) (func $s (global.set $g (i32.const 8)))
                (func (export \"work\") (param i32) (loop (br_if 0 (i32.ne (global.get $g) (i32.const 8)))))";
    // What a module begins with is paid for, and has been done.
    assert_eq!(count(&wat::parse_str(text).unwrap(), 0, FILLED), Ok((1 + 2) + (1 + 4)));
}

#[test]
fn whoever_runs_out_of_fuel_is_stopped() {
    let endless = [
        "(func (export \"work\") (param i32) (loop (br 0)))",
        "(func $f (export \"work\") (param i32) (call $f (i32.const 0)))",
        "(memory 1) (func (export \"work\") (param i32) (memory.fill (i32.const 0) (i32.const 1) (local.get 0)))",
        "(memory 1) (func (export \"work\") (param i32) (memory.fill (i32.const 0) (i32.const 1) (i32.const 60000)))",
    ];
    for text in endless {
        assert_eq!(count(&wat::parse_str(text).unwrap(), 60_000, 5_000), Err(STOPPED), "{text}");
    }
    let spent = wat::parse_str("(func (export \"work\") (param i32) (unreachable))").unwrap();
    assert_eq!(count(&spent, 0, FILLED), Err(1 - FILLED));
    assert_eq!(count(&spent, 0, 1), Err(STOPPED));
}

#[test]
fn nothing_but_code_is_added() {
    // What no valid module has: a second count.
    let text = format!("(global (export \"{FUEL}\") (mut i64) (i64.const 0))");
    let twice = metered(&wat::parse_str(text).unwrap()).unwrap();
    assert!(wasmtime::Module::validate(&Engine::default(), &twice).is_err());
    assert!(metered(b"\0asm\x01\0\0\0\x01\x7f").is_err());
}

#[test]
fn traps_are_those_of_the_module() {
    let wasm = wat::parse_str("(func (export \"work\") (param i32) (drop (i32.div_s (i32.const 1) (i32.const 0))))");
    let engine = Engine::default();
    let module = wasmtime::Module::from_binary(&engine, &metered(&wasm.unwrap()).unwrap()).unwrap();
    let mut store = Store::new(&engine, ());
    let instance = Instance::new(&mut store, &module, &[]).unwrap();
    instance.get_global(&mut store, FUEL).unwrap().set(&mut store, Val::I64(-100)).unwrap();
    let work = instance.get_typed_func::<i32, ()>(&mut store, "work").unwrap();
    let error = work.call(&mut store, 0).unwrap_err();
    assert_eq!(error.downcast_ref::<Trap>(), Some(&Trap::IntegerDivisionByZero));
}
