//! What is kept, for instructors: how much of it, and what the store has lost.

use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse as _;
use axum::routing::get;
use maud::{Markup, html};

use super::layout::Sheet;
use crate::losses::{self, Kind, Loss};
use crate::storage::{self, Share};
use crate::texts::{self, Text};
use crate::web::{Answer, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/storage", get(show))
}

async fn show(State(site): State<Site>, visitor: Visitor) -> Answer {
    visitor.instructor()?;
    let quota = site.settings.quota;
    let (seasons, people) = (storage::seasons(&site.database).await?, storage::people(&site.database).await?);
    let losses = losses::list(&site.database).await?;
    let title = visitor.t(texts::STORAGE);
    let body = html! {
        h1 { (title) }
        p.lead { (visitor.t(texts::STORAGE_HINT)) }
        section {
            h2 { (visitor.t(texts::LOSSES)) }
            @if losses.is_empty() { p.quiet { (visitor.t(texts::NO_LOSSES)) } }
            @else {
                table.collapsing {
                    thead { tr { th { (visitor.t(texts::WHAT)) } th { (visitor.t(texts::STATE)) } th { (visitor.t(texts::WHEN)) } } }
                    tbody { @for loss in &losses { (loss_row(&visitor, loss)) } }
                }
            }
        }
        (shares(&visitor, texts::SEASONS, &seasons, quota.season_bytes))
        (shares(&visitor, texts::PEOPLE, &people, quota.account_bytes))
    };
    let crumbs = vec![("/workshop".to_owned(), visitor.t(texts::WORKSHOP).to_owned())];
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

fn loss_row(visitor: &Visitor, loss: &Loss) -> Markup {
    let address = match loss.kind {
        Kind::Module => format!("/submissions/{}", loss.subject),
        Kind::Replay | Kind::Output => format!("/matches/{}", loss.subject),
    };
    let (class, state) = match loss.state {
        losses::State::Found => ("waiting", texts::LOSS_FOUND),
        losses::State::Restored => ("accepted", texts::LOSS_RESTORED),
        losses::State::Lost => ("rejected", texts::LOSS_FINAL),
    };
    html! {
        tr {
            td { a href=(address) { (loss.kind.word()) " " (loss.subject) } }
            td data-label=(visitor.t(texts::STATE)) { span class={ "badge " (class) } { (visitor.t(state)) } p.quiet { (loss.note) } }
            td data-label=(visitor.t(texts::WHEN)) { (visitor.time(loss.found_at)) }
        }
    }
}

fn shares(visitor: &Visitor, heading: Text, shares: &[Share], most: i64) -> Markup {
    html! {
        @if !shares.is_empty() {
            section {
                h2 { (visitor.t(heading)) }
                table.collapsing {
                    thead { tr {
                        th { (visitor.t(texts::NAME)) } th.number { (visitor.t(texts::SUBMISSIONS)) }
                        th.number { (visitor.t(texts::THINNED)) } th.number { (visitor.t(texts::SIZE)) }
                    } }
                    tbody { @for share in shares {
                        tr {
                            td { (share.name) }
                            td.number data-label=(visitor.t(texts::SUBMISSIONS)) { (share.submissions) }
                            td.number data-label=(visitor.t(texts::THINNED)) { (share.thinned) }
                            td.number data-label=(visitor.t(texts::SIZE)) { (mebibytes(share.bytes)) " MiB / " (gibibytes(most)) }
                        }
                    } }
                }
            }
        }
    }
}

/// A limit, which is round.
fn gibibytes(bytes: i64) -> String {
    if bytes % (1 << 30) == 0 { format!("{} GiB", bytes >> 30) } else { format!("{} MiB", mebibytes(bytes)) }
}

fn mebibytes(bytes: i64) -> String {
    format!("{}.{}", bytes >> 20, ((bytes & 0xf_ffff) * 10) >> 20)
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_are_told_to_a_tenth() {
        assert_eq!(super::mebibytes(0), "0.0");
        assert_eq!(super::mebibytes(3 << 19), "1.5");
        assert_eq!(super::mebibytes((1 << 20) - 1), "0.9");
        assert_eq!((super::gibibytes(32 << 30), super::gibibytes(3 << 19)), ("32 GiB".into(), "1.5 MiB".into()));
    }
}
