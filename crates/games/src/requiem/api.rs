//! What the functions of a player of the original answer, and complain about:
//! the calls of a recorded player, made again.

use super::random::Generator;
use super::state::Model;
use super::view::{Refusal, RobotSeen, View};
use crate::text::WriteText;
use crate::{Orders, Pos, Seat};

/// The functions of one player in one round.
pub struct Api<'a> {
    view: View<'a>,
    seat: Seat,
    name: &'a str,
    generator: Generator,
    /// Every call of `ordena`, accepted or not.
    asked: Orders,
    /// Ids of the robots with an accepted order.
    ordered: std::collections::BTreeSet<i32>,
    /// What the call under way has complained about.
    complaints: Vec<u8>,
}

impl<'a> Api<'a> {
    pub fn new(view: View<'a>, seat: Seat, name: &'a str) -> Self {
        Api {
            view,
            seat,
            name,
            generator: view.generator(),
            asked: Orders::new(),
            ordered: Default::default(),
            complaints: Vec::new(),
        }
    }

    pub fn asked(&self) -> &Orders {
        &self.asked
    }

    /// Makes the call of a line `function arguments => result` again, and
    /// writes the line and the complaints.
    pub fn call(&mut self, line: &[u8], out: &mut Vec<u8>) {
        let line = String::from_utf8_lossy(line);
        let call = line.split(" => ").next().unwrap_or_default();
        let mut words = call.split(' ');
        let function = words.next().unwrap_or_default();
        let arguments: Vec<i32> = words.filter_map(|word| word.parse().ok()).collect();
        let result = self.result(function, &arguments);
        out.text(call);
        out.text(" =>");
        for value in result.unwrap_or_default() {
            out.text(" ");
            out.int(value);
        }
        out.text("\n");
        out.append(&mut self.complaints);
    }

    fn result(&mut self, function: &str, arguments: &[i32]) -> Option<Vec<i32>> {
        Some(match (function, arguments) {
            ("torn_actual", []) => vec![self.view.round()],
            ("torns_restants", []) => vec![self.view.rounds_left()],
            ("color", &[i, j]) => vec![self.colour(i, j)],
            ("existeix", &[i, j]) => vec![self.exists_at(i, j).is_some().into()],
            ("existeix", &[id]) => vec![self.exists(id).is_some().into()],
            ("robot", &[i, j]) => fields(self.robot_at(i, j)),
            ("robot", &[id]) => fields(self.robot(id)),
            ("pagesos" | "T80PAG", &[team]) => self.list("pagesos", team, Model::Farmer),
            ("cavallers" | "T100CAV", &[team]) => self.list("cavallers", team, Model::Knight),
            ("num_caselles", &[colour]) => vec![self.squares(colour)],
            ("random", &[n]) => vec![self.random(n)],
            ("ordena", &[id, direction]) => vec![self.order(id, direction).into()],
            _ => return None,
        })
    }

    fn colour(&mut self, i: i32, j: i32) -> i32 {
        match self.view.colour(Pos::new(i, j)) {
            Some(colour) => colour.number(),
            None => {
                self.complain("color", &[i, j], "Square out of bounds");
                -1
            }
        }
    }

    fn exists_at(&mut self, i: i32, j: i32) -> Option<RobotSeen> {
        if self.view.colour(Pos::new(i, j)).is_none() {
            self.complain("existeix", &[i, j], "Square out of bounds");
        }
        self.view.robot_at(Pos::new(i, j))
    }

    fn exists(&mut self, id: i32) -> Option<RobotSeen> {
        if id < 0 {
            self.complain("existeix", &[id], "No robot with negative id");
        }
        self.view.robot(id)
    }

    fn robot_at(&mut self, i: i32, j: i32) -> Option<RobotSeen> {
        let robot = self.exists_at(i, j);
        if robot.is_none() {
            self.complain("robot", &[i, j], "No robot at given square");
        }
        robot
    }

    fn robot(&mut self, id: i32) -> Option<RobotSeen> {
        let robot = self.exists(id);
        if robot.is_none() {
            self.complain("robot", &[id], "Robot does not exist");
        }
        robot
    }

    /// The number of robots, and their ids.
    fn list(&mut self, function: &str, team: i32, model: Model) -> Vec<i32> {
        if !(1..=4).contains(&team) {
            self.complain(function, &[team], "Wrong team");
        }
        let mut list = vec![0];
        list.extend(self.view.ids(team, model));
        list[0] = list.len() as i32 - 1;
        list
    }

    fn squares(&mut self, colour: i32) -> i32 {
        self.view.squares(colour).unwrap_or_else(|| {
            self.complain("num_caselles", &[colour], "Wrong parameter");
            -1
        })
    }

    fn random(&mut self, n: i32) -> i32 {
        if n <= 0 {
            self.complain("random", &[n], "Wrong parameter");
            return -1;
        }
        self.generator.pick(n as u32) as i32
    }

    fn order(&mut self, id: i32, direction: i32) -> bool {
        self.asked.push(&[id, direction]);
        let refusal = match self.exists(id).and_then(|_| self.view.state().robot(id)) {
            Some(robot) => self.view.refusal(robot, direction, self.ordered.contains(&id)).map(explain),
            None => Some(format!("No robot with id={id}")),
        };
        match refusal {
            Some(reason) => self.complain("ordena", &[id, direction], &reason),
            None => {
                self.ordered.insert(id);
                return true;
            }
        }
        false
    }

    fn complain(&mut self, function: &str, arguments: &[i32], message: &str) {
        let arguments = arguments.iter().map(i32::to_string).collect::<Vec<_>>().join(",");
        let (name, team) = (self.name, self.seat.index() + 1);
        self.complaints.text(&format!("! ERROR {name}({team}), {function}({arguments}): {message}.\n"));
    }
}

/// A robot as its fields are declared, all -1 if there is none.
fn fields(robot: Option<RobotSeen>) -> Vec<i32> {
    robot.map_or(vec![-1; 6], |robot| {
        vec![robot.id, robot.pos.i, robot.pos.j, robot.team, robot.model as i32, robot.life]
    })
}

fn explain(refusal: Refusal) -> String {
    let reason = match refusal {
        Refusal::NotYours => "The robot is not yours",
        Refusal::NoDirection => "Invalid movement direction",
        Refusal::SecondOrder => "The robot has already received an order",
        Refusal::IntoWall => "You are asking the robot to move to a wall",
    };
    reason.to_owned()
}
