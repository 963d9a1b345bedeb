//! The manifests of projects against what the head of the chain is sealed with, or against the chain
//! itself where the head is of a memd that sealed nothing with it.

use super::super::audit::AuditRow;
use super::super::key::Trust;
use super::super::newest::Newest;
use super::{Break, BreakKind, Evidence, ProjectEvidence};

/// What stands by the newest acts.
pub(super) enum Standing {
    /// As the head of the chain is sealed with it.
    Sealed(Newest),
    /// Only the records of the chain say it.
    NotYet,
    /// Nothing says it any more.
    Gone,
}

/// What there is to go by, and a break where what is kept of it is not what was sealed.
pub(super) fn standing(evidence: &Evidence, trust: &Trust) -> (Standing, Option<Break>) {
    let head = evidence.head.as_ref().filter(|head| trust.is_head(head));
    let Some(sealed) = head.and_then(|head| head.newest.as_ref()) else {
        return (Standing::NotYet, None);
    };
    if evidence.newest.hash() == *sealed {
        return (Standing::Sealed(evidence.newest.clone()), None);
    }
    let mut told = Newest::default();
    let written = evidence.audit.iter().filter(|row| trust.is_written(row));
    written.for_each(|row| told.take(row));
    match told.hash() == *sealed {
        true => {
            let what =
                "it was changed; the chain itself says all of it, and the next act makes it anew";
            (Standing::Sealed(told), Some(changed(what)))
        }
        false => {
            let what =
                "it was changed, and the chain does not say all of it: nothing is given by it";
            (Standing::Gone, Some(changed(what)))
        }
    }
}

fn changed(what: &str) -> Break {
    Break {
        kind: BreakKind::ManifestAgainstChain,
        project: None,
        place: "what stands by the newest acts (table newest)".to_owned(),
        what: what.to_owned(),
    }
}

/// What is wrong with a project's manifest.
pub(super) fn against(
    project: &ProjectEvidence,
    standing: &Standing,
    audit: &[AuditRow],
) -> Option<String> {
    let newest = match standing {
        Standing::Sealed(newest) => newest,
        Standing::NotYet => return against_chain(project, audit),
        // It is named once, for all of them.
        Standing::Gone => return None,
    };
    let id = project.project.as_str();
    let manifest = project.manifest.as_ref();
    if newest.is_manifest(id, manifest.map(|m| (m.sequence, m.root.as_str()))) {
        return None;
    }
    Some(match (newest.sequence(id), manifest) {
        (None, _) => "nothing sealed speaks of this manifest".to_owned(),
        (Some(_), None) => "a manifest was sealed, and is not there".to_owned(),
        (Some(sealed), Some(m)) => format!(
            "the manifest is number {}, the sealed head of the audit chain says {sealed}: the records were put back or replaced",
            m.sequence
        ),
    })
}

/// What the newest act that changed a project's records says of them.
fn against_chain(project: &ProjectEvidence, audit: &[AuditRow]) -> Option<String> {
    let chained = audit
        .iter()
        .rev()
        .filter(|row| row.project == project.project.as_str())
        .find_map(|row| {
            let details: serde_json::Value = serde_json::from_str(&row.details).ok()?;
            let root = details.get("root")?.as_str()?.to_owned();
            Some((row.seq, details.get("sequence")?.as_u64()?, root))
        });
    match (chained, &project.manifest) {
        (None, None) => None,
        (None, Some(_)) => Some("no audit record speaks of this manifest".to_owned()),
        (Some((seq, ..)), None) => Some(format!(
            "audit record {seq} speaks of a manifest that is not there"
        )),
        (Some((seq, sequence, root)), Some(m)) if m.sequence != sequence || m.root != root => {
            Some(format!(
                "the manifest is number {}, audit record {seq} says {sequence}: the records were put back or replaced",
                m.sequence
            ))
        }
        _ => None,
    }
}
