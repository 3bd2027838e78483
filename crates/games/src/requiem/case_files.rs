//! The further files of recorded cases, written again.

use std::any::Any;
use std::collections::BTreeSet;

use super::api::Api;
use super::engine::Engine;
use super::state::{Model, State};
use super::view::View;
use crate::game::CaseFile;
use crate::text::WriteText;
use crate::{Orders, PerSeat, Pos, Seat};

/// `states.txt`: the whole board before every round and at the end.
pub struct States;

impl CaseFile for States {
    fn write(&mut self, engine: &dyn crate::Engine, out: &mut Vec<u8>) {
        let engine = typed(engine);
        let state = engine.board();
        line(out, "round", &[state.round]);
        for i in 0..state.settings.dim {
            out.extend(state.colours.row(i).iter().map(|&colour| colour as u8));
            out.text("\n");
        }
        line(out, "robots", &[state.robots.len() as i32]);
        for robot in &state.robots {
            let team = robot.seat.index() as i32 + 1;
            let Pos { i, j } = state.pos(robot);
            numbers(out, &[robot.id, team, robot.model as i32, i, j, state.force(robot)]);
        }
        for seat in Seat::ALL {
            let [farmers, knights] = Model::ALL.map(|model| state.robots_of(seat, model).len() as i32);
            line(out, "team", &[seat.index() as i32 + 1, farmers, knights, state.squares[seat], state.score(seat)]);
        }
        line(out, "last_id", &[state.last_id]);
        line(out, "rng", &[engine.generator().state()]);
    }
}

/// `views.txt`: what each player sees before some of the rounds.
pub struct Views;

impl CaseFile for Views {
    fn write(&mut self, engine: &dyn crate::Engine, out: &mut Vec<u8>) {
        let state = typed(engine).board();
        let (round, left) = (state.round + 1, state.rounds_left());
        if left > 0 && (round <= 3 || round % 60 == 0 || left == 1) {
            Seat::ALL.into_iter().for_each(|seat| write_view(state, seat, out));
        }
    }
}

fn write_view(state: &State, seat: Seat, out: &mut Vec<u8>) {
    let view = View::new(state, seat);
    out.text("view ");
    out.int(view.round());
    line(out, " player", &[seat.index() as i32 + 1]);
    line(out, "turn", &[view.round(), view.rounds_left()]);
    line(out, "size", &[view.dim()]);
    for i in 0..view.dim() {
        out.extend(view.row(i).map(u8::from));
        out.text("\n");
    }
    line(out, "robots", &[state.robots.len() as i32]);
    for robot in view.robots() {
        numbers(out, &[robot.id, robot.team, robot.model as i32, robot.pos.i, robot.pos.j, robot.life]);
    }
    line(out, "cells", &[-1, 0, 1, 2, 3, 4].map(|colour| view.squares(colour).unwrap_or(-1)));
    line(out, "seed", &[view.seed()]);
    let mut generator = view.generator();
    line(out, "draws", &[0; 8].map(|_| generator.below(1000) as i32));
}

/// `api.txt`: the calls of the player that is known to record them, made again.
pub struct Calls {
    recorded: Vec<u8>,
    at: usize,
    names: PerSeat<String>,
    /// The orders that follow from the calls of the round being played.
    derived: BTreeSet<(i32, i32)>,
}

/// The player whose calls were recorded.
const CALLER: &str = "Chaos";

impl Calls {
    pub fn new(recorded: &[u8], names: &PerSeat<String>) -> Self {
        Calls { recorded: recorded.to_vec(), at: 0, names: names.clone(), derived: BTreeSet::new() }
    }

    fn next_line(&mut self) -> Option<Vec<u8>> {
        let rest = &self.recorded[self.at..];
        let line = rest.split(|&c| c == b'\n').next().filter(|line| !line.is_empty())?.to_vec();
        self.at = (self.at + line.len() + 1).min(self.recorded.len());
        Some(line)
    }

    /// The calls recorded for one player in one round.
    fn next_calls(&mut self) -> Vec<Vec<u8>> {
        let mut calls = Vec::new();
        while let Some(line) = self.next_line() {
            if line.starts_with(b"round ") {
                self.at -= line.len() + 1;
                break;
            }
            if !line.starts_with(b"! ") {
                calls.push(line);
            }
        }
        calls
    }

    /// Says so in the file, which then differs, if the last round was played
    /// with other orders than the calls lead to.
    fn check_orders(&mut self, engine: &Engine, out: &mut Vec<u8>) {
        use crate::Engine as _;
        for order in engine.done().iter() {
            if let &[id, direction] = order {
                self.derived.remove(&(id, direction));
            }
        }
        for (id, direction) in std::mem::take(&mut self.derived) {
            line(out, "missing order", &[id, direction]);
        }
    }
}

impl CaseFile for Calls {
    fn write(&mut self, engine: &dyn crate::Engine, out: &mut Vec<u8>) {
        let engine = typed(engine);
        self.check_orders(engine, out);
        let state = engine.board();
        if state.rounds_left() == 0 {
            return;
        }
        let mut orders = Orders::new();
        for seat in Seat::ALL {
            out.text("round ");
            out.int(state.round + 1);
            line(out, " player", &[seat.index() as i32 + 1]);
            self.next_line();
            if self.names[seat] != CALLER {
                continue;
            }
            let calls = self.next_calls();
            let mut api = Api::new(View::new(state, seat), seat, &self.names[seat]);
            calls.iter().for_each(|call| api.call(call, out));
            crate::Engine::accept(engine, seat, api.asked(), &mut orders).expect("calls are not limited");
            self.derived.extend(orders.iter().map(|order| (order[0], order[1])));
        }
    }
}

fn typed(engine: &dyn crate::Engine) -> &Engine {
    let any: &dyn Any = engine;
    any.downcast_ref().expect("an engine of this game")
}

fn line(out: &mut Vec<u8>, label: &str, values: &[i32]) {
    out.text(label);
    out.text(" ");
    numbers(out, values);
}

fn numbers(out: &mut Vec<u8>, values: &[i32]) {
    for (k, &value) in values.iter().enumerate() {
        if k > 0 {
            out.text(" ");
        }
        out.int(value);
    }
    out.text("\n");
}
