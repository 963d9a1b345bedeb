//! How a sentence is made: noise, guesses, stories, and what gives it a subject.

use super::{Cue, cue};

pub(super) const NOISES: &[Cue] = &[
    cue(
        1,
        r"^(let me|let's|now,?\s|now i|next,? (i|let)|first,? (i|let)|i'?ll|i will|i'm going|i am going|going to|here'?s|here is|good|great|perfect|excellent|looking|checking|reading|running|wait|hmm|sorry|thanks|thank you|hello|hi\b|sure|okay|ok\b|yes\b|no\b|understood|got it|all (tests|good|green|clean|done)|tests? pass|build|recommendation|short answer|suggestion\b|nit\b|minor\b|(low|medium|high) risk\b|option \w\b|\()",
        "Let me look at it",
        "The cap is 5",
    ),
    cue(
        1,
        r"\b(let me|i'?ll|i will|i need|i should|i want to|i can see|i see|i'm|i was|i'd|we could|could also|re-?run all)\b",
        "then I'll run it",
        "it will run",
    ),
    cue(
        1,
        r"\b(agents?|subagents?) (is|are|reported|in|running)\b|\bwaiting (for|on)\b|\bT\d\b|^honest",
        "waiting for the agent",
        "an agent's key",
    ),
    cue(
        1,
        r"^(fixed|solved|done|pushed)?\W*(and )?(amended|pushed|committed)\b.{0,60}$",
        "Fixed, amended into `abc`.",
        "the reader skips it",
    ),
    cue(1, r"^\W*$|^[\w./-]+$|[{};]$", "};", "it ends."),
];

pub(super) const DONES: &[Cue] = &[cue(
    1,
    r"^\W*(done\W+)?(updated|added|created|removed|fixed|moved|renamed|replaced|implemented|deleted|extended|changed|sorted|rewrote|reworked|introduced)\b|\b(is|are) (now )?(complete|implemented|in place|updated|sorted|wired)\b",
    "Added a `quote` helper",
    "The tests run",
)];

pub(super) const PASTS: &[Cue] = &[
    cue(1, r"\b(was|were|had)\b", "it was reused", "it is used"),
    cue(
        1,
        r"^(right now|currently|at the moment|takes|shows|uses|returns|adds|added|removed|updated|introduced|created|changed|moved|with|without|the fix|add|use|fixed|made|rendered|verified)\b",
        "Takes a commit",
        "The tool takes a commit",
    ),
];

pub(super) const SELVES: &[Cue] = &[cue(
    1,
    r"\bI('ve)?\b|\bmy\b|\byour?\b",
    "I kept it",
    "it is kept",
)];

pub(super) const HEDGES: &[Cue] = &[cue(
    1,
    r"\b(presumably|probably|perhaps|maybe|might be|may be|could be|i think|i suspect|unless)\b",
    "presumably a race",
    "it is a race",
)];

pub(super) const ANCHORS: &[Cue] = &[
    cue(1, r"`[^`]+`", "use `a`", "use a"),
    cue(
        1,
        r"\b\w+[/.]\w+[\w./-]*\w\b|\.\./|~/",
        "see src/lib.rs",
        "see it",
    ),
    cue(
        1,
        r"(?-i:\b[a-z]+[A-Z]\w+\b|\b[A-Z]{2,}\b|\b[A-Z]\w*[a-z][A-Z]\w*\b)|\b\w+_\w+\b",
        "call readAll",
        "call me",
    ),
    cue(1, r"\d{2,}|#\d+|https?://", "port 80", "a port"),
    cue(
        1,
        r"(?-i:[a-z,] [A-Z][a-z]{2,})|--\w+",
        "keep it in Linear",
        "keep it there",
    ),
];
