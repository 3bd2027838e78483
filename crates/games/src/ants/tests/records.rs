//! Records written, read and damaged.

use super::{config, start};
use crate::ants::{ABOUT, Ants};
use crate::record::Header;
use crate::{Game as _, Orders, PerSeat, Seat, Status};

/// A short match of four Demo, whose orders never change, as the text of its record.
fn recorded(judged: bool) -> Vec<u8> {
    let text = config(&[
        ("NUM_ROUNDS", "40"),
        ("BONUS_PERIOD", "3"),
        ("WORKER_LIFE", "30"),
        ("SOLDIER_CARBO", "0"),
        ("SOLDIER_PROTE", "0"),
        ("SOLDIER_LIPID", "0"),
    ]);
    let mut engine = start(&text, 5).unwrap();
    let demo = ABOUT.players.iter().find(|player| player.name == "Demo").unwrap();
    let mut players = Seat::ALL.map(|seat| (demo.new)(5, seat));
    let header = Header { judged, seed: 5, names: ["Ann", "Bob", "Cat", "Dan"].map(String::from) };
    let mut record = Vec::new();
    let mut writer = Ants.begin_record(&header, engine.state(), &mut record);
    for round in 1..=40 {
        let mut orders: PerSeat<Orders> = PerSeat::default();
        for (player, orders) in players.iter_mut().zip(&mut orders) {
            player.play(engine.state(), orders);
        }
        engine.step(&orders).unwrap();
        if judged {
            let used = |seconds: i32| Status::used(f64::from(seconds) / 3000.0);
            engine.set_status([used(round), Status::FROZEN, Status::UNUSED, used(7 * round)]);
        }
        writer.round(engine.done(), engine.state(), &mut record);
    }
    record
}

#[test]
fn records_are_read_as_they_were_written() {
    for judged in [false, true] {
        let text = recorded(judged);
        let record = Ants.read_record(&text).unwrap();
        let mut again = Vec::new();
        record.write(&mut again);
        assert!(again == text);
        assert_eq!((record.frames.len(), record.damage, record.header.judged), (41, None, judged));
    }
    let judged = String::from_utf8(recorded(true)).unwrap();
    assert!(judged.starts_with("SecGame\n") && judged.contains("\nstatus\t0.00333333\t-1\t0\t0.0233333\n"));
}

#[test]
fn damaged_records_give_what_is_before_the_damage() {
    let text = String::from_utf8(recorded(false)).unwrap();
    let check = |text: &str, frames: usize, damage: &str| {
        let record = Ants.read_record(text.as_bytes()).unwrap();
        let found = record.damage.unwrap().message;
        assert_eq!((record.frames.len(), found.as_str()), (frames, damage));
    };
    let round = |n: usize| text.match_indices("commands\n").nth(n).unwrap().0;
    check(&text[..round(3)], 4, "the match breaks off after round 3 of 40");
    check(&text[..round(3) + 4], 4, "expected commands, found 'comm'");
    check(&text.replace("round 7\n", "round 8\n"), 7, "expected round 7, found round 8");
    check(&format!("{text}and more"), 41, "there is more text after the last round");
    let (before, after) = text.split_at(round(3));
    for (from, to, damage) in [
        ("\tm\tu\t_\t", "\tm\tx\t_\t", "expected d, r, u or l, found 'x'"),
        ("\tm\tu\t_\t", "\tz\tu\t_\t", "expected m, t, l or y, found 'z'"),
        ("\tm\tu\t_\t", "\ty\tu\tq\t", "expected s or w, found 'q'"),
        ("\tm\tu\t_\t", "\tt\tu\t_\t", "expected _, found 'u'"),
        ("\tn\t", "\tx\t", "expected b, s, l or n, found 'x'"),
        ("ants\n", "ants\n9", "the number of ants must be from 0 to 625, found 956"),
    ] {
        assert!(after.contains(from));
        check(&format!("{before}{}", after.replacen(from, to, 1)), 4, damage);
    }
    for text in ["", "Game", &text[..text.find("rivers").unwrap()]] {
        assert!(Ants.read_record(text.as_bytes()).is_err());
    }
}
