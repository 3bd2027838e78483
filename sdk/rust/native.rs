//! The program around a player that runs as a process of its own, for
//! debuggers and profilers (`ludus play --native`). What it does is in the SDK.

extern crate player as _;

unsafe extern "C" {
    safe fn ludus_room(bytes: i32) -> *mut u8;
    safe fn ludus_start(seat: i32, seed: i32, bytes: i32);
    safe fn ludus_play(bytes: i32) -> *const i32;
}

fn main() {
    ludus_player::host::native::run(ludus_room, ludus_start, ludus_play);
}
