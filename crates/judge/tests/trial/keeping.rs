//! The caretaker, who thins, sweeps, and makes again what the disk has lost.

use std::time::Duration;

use ludus_judge::caretaker::{Caretaker, Rule};
use ludus_judge::losses::{self, Kind};
use ludus_judge::store::Lost;
use sqlx::Row as _;

use crate::Trial;
use crate::world::World;

impl World {
    /// A caretaker without patience: everything is thinned and swept at once.
    fn caretaker(&self) -> Caretaker {
        Caretaker {
            database: self.site.database.clone(),
            store: self.site.store.clone(),
            restorer: self.environment.restorer(),
            rule: Rule { newest: 3, days: 90, training_days: 30, grace: Duration::ZERO, stray: Duration::ZERO },
        }
    }
}

impl Trial {
    pub async fn tidy(&mut self) -> &'static str {
        let folder = self.draw(256) as u8;
        let done = self.world.caretaker().turn(folder).await;
        assert!(self.is_broken || done.is_ok(), "nothing is broken: {done:?}");
        "tidy"
    }

    /// Whatever is referred to is there in the end, or can be made again.
    pub async fn check_store(&self) {
        let referred = "SELECT 'replay' AS kind, id, replay AS hash FROM matches WHERE thinned_at IS NULL
            UNION ALL SELECT 'module', id, module FROM submissions WHERE thinned_at IS NULL AND module IS NOT NULL";
        let rows = sqlx::query(referred).fetch_all(&self.world.observer).await.unwrap();
        assert!(!rows.is_empty());
        let mut lost = 0;
        for row in &rows {
            let kind = if row.get::<String, _>("kind") == "module" { Kind::Module } else { Kind::Replay };
            if let Err(error) = self.world.site.store.get(&row.get::<String, _>("hash")) {
                let missing = Lost::of(&error).unwrap();
                losses::note(&self.world.site.database, missing, kind, row.get("id")).await.unwrap();
                lost += 1;
            }
        }
        while self.world.caretaker().restorer.next().await.unwrap() {}
        for row in &rows {
            self.world.site.store.get(&row.get::<String, _>("hash")).unwrap();
        }
        // What was thinned after it was found to be lost is the only thing that stays so.
        let unended = "SELECT COUNT(*) FROM losses l WHERE state <> 'restored' AND NOT EXISTS
            (SELECT 1 FROM matches m WHERE m.id = l.subject AND m.thinned_at IS NOT NULL)";
        assert_eq!(self.world.count(unended).await, 0);
        let ended = self.world.count("SELECT COUNT(*) FROM losses").await;
        println!("{ended} files were lost and made again, {lost} of them in the end");
    }
}
