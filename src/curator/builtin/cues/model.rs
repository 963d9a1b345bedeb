//! What is worth keeping of what is said: choices, causes, fixes, lessons, open ends, facts.

use super::{Cue, cue};

pub(super) const SETTLINGS: &[Cue] = &[
    cue(
        34,
        r"^(decision|design settled|design decision|rationale|the rule|general rule|design)\b.{0,30}[:—]",
        "Decision: one writer",
        "the decision was hard to make",
    ),
    cue(
        30,
        r"\bby design\b|\bon purpose\b|\bintentional(ly)?\b|\bdeliberate(ly)?\b",
        "it is so by design",
        "a design doc",
    ),
    cue(
        28,
        r"\b(rules?|ruled) out\b|\bis out\b|\brejected because\b",
        "this rules out a pool",
        "the rules",
    ),
    cue(
        26,
        r"\b(kept|stays?|left|remains?)\b.{0,60}\b(because|since|as they|so that|still used)\b",
        "the helper stays because raw uses it",
        "it stays",
    ),
    cue(
        24,
        r"\binstead of\b.{0,160}\b(because|since|so that|so)\b|\b(because|since)\b.{0,160}\binstead of\b",
        "a list instead of a map, so order holds",
        "instead of that",
    ),
    cue(
        24,
        r"\bmutually exclusive\b|\bprecedence\b|\bsingle source of truth\b|\brules? of thumb\b",
        "the flags are mutually exclusive",
        "longer names",
    ),
    cue(
        20,
        r"\b(chose|chosen|opted for|went with|settled on|picked)\b",
        "I chose HCL blending",
        "choose one",
    ),
    cue(
        20,
        r"\bnow (uses?|goes|takes?|accepts?|requires?|returns?|resolves?|lives?|defaults?|honou?rs?|carr(y|ies)|rejects?|exempt)\b|\bno longer\b",
        "`run` now takes a writer",
        "now let me",
    ),
];

pub(super) const CAUSES: &[Cue] = &[
    cue(
        30,
        r"\broot cause\b|^(the )?cause\b|\bthe (real |actual |underlying )?(cause|culprit)\b.{0,30}\b(is|was|:)",
        "Root cause: a stale lock",
        "because of it",
    ),
    cue(
        26,
        r"\bthe (\S+ ){0,2}(issue|problem|bug|failure|error|failures)\b.{0,25}\b(is|was|were|came from|comes from)\b",
        "The lint failure was a format issue",
        "no issue here",
    ),
    cue(
        26,
        r"\bcaused by\b|\bturn(s|ed) out\b|\bdue to\b|\bstems from\b|\btraces? to\b|\bthe reason\b",
        "caused by a race",
        "cause and effect",
    ),
    cue(
        22,
        r"\bbecause\b",
        "it fails because the lock is held",
        "be cause",
    ),
    cue(
        20,
        r"\bnever (reset|set|reached|reaches|flushed|called|released|closed|awaited|hits?|cleared|gets?)\b|\bwas missing\b|\bsilently\b|\bdid ?n[o']t (persist|match|exist|include|handle)\b|\bdoes ?n[o']t (recognize|expose|persist|match|exist|include|handle|know)\b",
        "the flag was never reset",
        "never mind",
    ),
];

pub(super) const FIXES: &[Cue] = &[
    cue(
        26,
        r"^(the )?(fix|fixed|solution|resolved|workaround|prevention)\b",
        "Fix: take the lock first",
        "a fixture",
    ),
    cue(
        22,
        r"\b(fixed|solved|resolved) (by|with|in|and|it)\b|\bthe fix\b",
        "it was fixed by a retry",
        "fixed width",
    ),
    cue(
        20,
        r"\bnow (uses?|goes|takes?|accepts?|requires?|returns?|resolves?|sets?|checks?|skips?|exempt|counts?|reads?|handles?|consults?)\b|\bare now\b|\bis now\b",
        "the reader now skips it",
        "now let me",
    ),
    cue(
        18,
        r"^((i|we) )?(added|changed|replaced|renamed|removed|switched|moved|reordered|plugged|quoted|introduced)\b",
        "I added a `quote` helper",
        "nothing happened",
    ),
];

pub(super) const LESSONS: &[Cue] = &[
    cue(
        28,
        r"\bto (catch|avoid|prevent) (this|that|it)\b|\bnext time\b|\bfrom now on\b|\bin future\b",
        "To avoid this, run fmt first",
        "to avoid",
    ),
    cue(
        26,
        r"\b(always|never) (use|run|quote|call|write|check|set|put|start|infer|rely|assume|log|return|pass|commit|push)\b|\bgeneral rule\b|\bthe rule\b|\bremember to\b",
        "Always quote the glob",
        "it will always appear",
    ),
    cue(
        18,
        r"^\S+ (must|should) (be|use|go|come|never|always|go)\b|\bneeds? to be\b.{0,40}\b(every|each|all|before|first)\b",
        "Flags must come first",
        "it must have been me",
    ),
];

pub(super) const OPENINGS: &[Cue] = &[
    cue(
        40,
        r"(?-i:^(TODO|FIXME)\b)|(?-i:\b(TODO|FIXME)): ",
        "TODO: delete the shim",
        "all done",
    ),
    cue(
        36,
        r"\bnot (yet |been )*(committed|pushed|merged|implemented|covered|tested|verified|wired|documented|deployed)\b|\b(is|are|still|left|remains?|all|everything|currently) (uncommitted|unpushed|unverified)\b",
        "the change is not committed yet",
        "commits uncommitted changes",
    ),
    cue(
        34,
        r"^next( natural)?( steps?| slices?| up)?\b.{0,20}:|\bnext( natural)? (steps?|slices?)\b",
        "Next steps: write docs",
        "next to it",
    ),
    cue(
        30,
        r"\bfollow-?ups?\b|\bremain(s|ing)\b|\bstill (needs?|open|to do|pending|missing|to be|unresolved)\b|\bleft to do\b|\bdeferred\b|\bparked\b",
        "still needs a test",
        "it is still",
    ),
    cue(
        30,
        r"\bworth (filing|adding|documenting|doing|a follow|checking|revisiting)\b|\bopen question\b",
        "Worth filing an issue",
        "it is worth it",
    ),
    cue(
        28,
        r"\byou (may|might|will need|'ll need|need)\b.{0,12}\b(want|to|delete|check|remove|update|re-?run)\b|\bif you'd rather\b",
        "You may want to delete it by hand",
        "if you may",
    ),
    cue(
        28,
        r"\b(do|fix|add|handle|revisit|come back to|tackle|implement|support)\b.{0,30}\b(later|another time|in a follow)\b",
        "we fix that later",
        "later versions",
    ),
    cue(
        26,
        r"\bwhen you'?re ready\b|\bready for (your |a )?(PR|review|merge)\b|\bahead of (origin|the remote|main)\b|\bbefore (pushing|merging|release)\b",
        "when you're ready, push",
        "get ready",
    ),
];

pub(super) const FACTS: &[Cue] = &[
    cue(
        34,
        r"\b(port|listens? on|runs? on|served (at|on)|localhost:)\b.{0,30}\d{2,5}\b",
        "the API listens on port 8443",
        "on port side",
    ),
    cue(
        30,
        r"\b(is|are|lives?|live|sits?|located|stored|kept|found) (in|at|under) [`'\x22]?(\.{0,2}/|~/|[\w.-]+/)[\w./~-]+",
        "the backend is in ../server",
        "it is in place",
    ),
    cue(
        30,
        r"\b(requires?|needs?|since|ships? (with|since|in)|added in|only (works|from))\b.{0,40}(≥ ?|>= ?|\bv)?\d+\.\d+",
        "it needs shell ≥ 2.39",
        "needs work",
    ),
    cue(
        30,
        r"\bdefaults? (to|is|of)\b|\bprecedence: ",
        "the size defaults to 5,000",
        "no fault",
    ),
    cue(
        30,
        r"\bonly (supports?|accepts?|works|exists?)\b|\b(does|do) ?n[o']t (support|expose|have|accept)\b|\bunsupported\b|\bnot supported\b|\bthere is no\b|\bhas no\b",
        "the tool has no `delete` call",
        "only one",
    ),
    cue(
        28,
        r"\b(limit|cap|caps|capped|maximum|max|at most|up to|at least|minimum)\b.{0,40}\d",
        "at most 25,000 per request",
        "the cap",
    ),
    cue(
        28,
        r"\b(won'?t|not|never|is ?n[o']t|aren'?t) (be )?(re)?(generated?|loaded?|read|reloaded?|built|persisted?|cached)\b|\bneeds? (a )?re(build|start|generat)|\bmust be re|\brebuild\b.{0,40}\bafter\b",
        "the cache is not regenerated",
        "regenerate",
    ),
    cue(
        26,
        r"^(note|heads-?up|one heads-?up|caveat|one caveat|side note\b.{0,30}|important|gotcha|one .{0,20}note\b.{0,40}|key finding|for your memory|limitations?)\b ?[:—]",
        "Heads-up: the file is cached",
        "a note",
    ),
    cue(
        24,
        r"\bmust (mirror|match|be|stay|come|run|go)\b|\brequires? (a|an|the|that|`)\b",
        "the caps must mirror the stops",
        "mustard",
    ),
    cue(
        22,
        r"\b(pre-commit|CI|hook|pipeline)\b.{0,20}\b(runs?|checks?|enforces?|requires?|uses?)\b",
        "CI runs the lint group",
        "CI is red",
    ),
    cue(
        22,
        r"\benv(ironment)? var(iable)?\b",
        "set by the env var A_B",
        "environs",
    ),
];
