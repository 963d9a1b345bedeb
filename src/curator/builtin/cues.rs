//! The cue tables: what words tell a decision, a cause, a fix, an open end, a fact, or noise.
//!
//! Data only. Each cue is a regular expression (case is ignored) with its weight, a sentence in
//! which it must be found and one in which it must not; one test runs them all.

use regex::Regex;
use std::sync::LazyLock;

/// One cue.
pub(super) struct Cue {
    pattern: &'static str,
    weight: i32,
    #[cfg_attr(not(test), expect(dead_code, reason = "the table's own test reads it"))]
    yes: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "the table's own test reads it"))]
    no: &'static str,
}

const fn cue(weight: i32, pattern: &'static str, yes: &'static str, no: &'static str) -> Cue {
    Cue {
        pattern,
        weight,
        yes,
        no,
    }
}

/// A compiled table.
pub(super) struct Table(Vec<(Regex, i32)>);

impl Table {
    fn new(cues: &[Cue]) -> Self {
        Self(
            cues.iter()
                .filter_map(|c| Some((compile(c.pattern)?, c.weight)))
                .collect(),
        )
    }

    /// The weight of the strongest cue in a text; 0 when there is none.
    pub(super) fn weight(&self, text: &str) -> i32 {
        let hits = self.0.iter().filter(|(regex, _)| regex.is_match(text));
        hits.map(|(_, weight)| *weight).max().unwrap_or(0)
    }

    /// Whether any cue is in a text.
    pub(super) fn finds(&self, text: &str) -> bool {
        self.0.iter().any(|(regex, _)| regex.is_match(text))
    }
}

fn compile(pattern: &str) -> Option<Regex> {
    Regex::new(&format!("(?i){pattern}")).ok()
}

macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident = $cues:ident;)*) => {
        $($(#[$doc])* pub(super) static $name: LazyLock<Table> = LazyLock::new(|| Table::new($cues));)*
        #[cfg(test)]
        const ALL: &[(&str, &[Cue])] = &[$((stringify!($name), $cues)),*];
    };
}

tables! {
    /// A user lays something down.
    RULE = RULES;
    /// A user reports that something is wrong.
    TROUBLE = TROUBLES;
    /// The model states a choice and its reason.
    SETTLED = SETTLINGS;
    /// A sentence names a cause.
    CAUSE = CAUSES;
    /// A sentence names a fix.
    FIX = FIXES;
    /// A sentence generalises: what to do from now on.
    LESSON = LESSONS;
    /// Something is left to do.
    OPEN = OPENINGS;
    /// A lasting property of the project or its surroundings.
    FACT = FACTS;
    /// Working talk that nobody wants to read again.
    NOISE = NOISES;
    /// The steering of a session, not of a project.
    STEERING = STEERINGS;
    /// Says what was done.
    DONE = DONES;
    /// Tells a story, or lists a part without naming the whole.
    PAST = PASTS;
    /// What might be, not what is.
    HYPOTHESIS = HYPOTHESES;
    /// The model speaks of itself.
    SELF = SELVES;
    /// A guess rather than a finding.
    HEDGE = HEDGES;
    /// A question about how to go on, not about the project.
    PACE = PACES;
    /// A name, number, path, command: what makes a sentence about something.
    ANCHOR = ANCHORS;
}

const RULES: &[Cue] = &[
    cue(
        40,
        r"\bfrom now on\b|\bgoing forward\b|\bas a rule\b|\bin (the )?future\b",
        "From now on use tabs",
        "the future tense",
    ),
    cue(
        36,
        r"\b(never|always) (use|run|quote|call|write|check|set|put|start|infer|rely|assume|log|return|pass|push|add|keep|store|show|fail|be|do|edit|touch|mention)\b",
        "never log tokens",
        "it is always correct",
    ),
    cue(
        35,
        r"\bwe('ve| have)? (decided|agreed|settled)\b|\bmy decision\b",
        "We decided to keep it",
        "we decide later",
    ),
    cue(
        32,
        r"\blet'?s (use|keep|go with|stick|remove|drop|rename|switch|store|call|support|limit|move)\b",
        "let's use tabs",
        "let's see",
    ),
    cue(
        30,
        r"\binstead of\b|\brather than\b|\bnot as an?\b.*\bbut\b",
        "use a queue instead of a loop",
        "it is rather slow",
    ),
    cue(
        28,
        r"\b(do not|don'?t|must not|mustn'?t|should ?n[o']t|no longer) (use|add|touch|change|put|create|store|call|write|mix|have|log|rely|edit|land|support|expose)\b",
        "don't use mocks",
        "I don't know",
    ),
    cue(
        28,
        r"\bonly\b.{0,60}\bnot (any|anything|the|a|an)\b",
        "only what you know, not anything else",
        "only you do not know",
    ),
    cue(
        26,
        r"\b(i|we)('d| would)? (prefer|insist)\b|\b(i|we) want (the|all|no|only|every|to (keep|use|avoid|have))\b",
        "I'd prefer one file",
        "what do you want to try",
    ),
    cue(
        26,
        r"\b(should|must|needs? to|has to|have to) (always |only |never |not )?(be|use|stay|go|live|have|work|support|keep|match|run|return|resolve|follow)\b",
        "the id must be stable",
        "mustard",
    ),
    cue(
        26,
        r"\bstick (to|with)\b|\bgo with\b|\bis better\b|\bmakes? (more )?sense to\b",
        "let's stick to 5k batches",
        "a stick",
    ),
    cue(
        24,
        r"^(please )?(keep|use|name|call|prefer|avoid|only|put|store|make sure)\b.{12,}",
        "keep our docs in the wiki",
        "keep going",
    ),
    cue(
        24,
        r"\bwas too (fraught|slow|complex|fragile|risky|expensive)\b|\btried .* (before|previously|already)\b",
        "we tried this before and failed",
        "I tried",
    ),
    cue(
        24,
        r"\bdefault(s)? (to|should|is|of)\b|\bas (a |the )?default\b",
        "5k batches as a default",
        "by fault",
    ),
];

const TROUBLES: &[Cue] = &[
    cue(
        20,
        r"\b(does ?n[o']t|do ?n[o']t|is ?n[o']t|are ?n[o']t|not|never) (seem|work|show|resolve|colou?r|end|get|update|match|correct|calculated|decremented|right|applied|run|start|load|render|happen|pick)",
        "it does not seem to work",
        "it works",
    ),
    cue(
        20,
        r"\b(fails?|failing|failed|broken|crash(es|ed)?|hangs?|wrong|bug|error|regression|flaky|stuck|slow(er)?|timeouts?|times out|missing|incorrect)\b",
        "lint is failing",
        "it is fine",
    ),
    cue(
        15,
        r"\b(why|how come) (is|are|does|do|did|doesn'?t|can'?t)\b|\bstill (get|see|not|too)\b|\bno such file\b|\bcannot open\b",
        "why does it blink",
        "what is it",
    ),
];

const SETTLINGS: &[Cue] = &[
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

const CAUSES: &[Cue] = &[
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

const FIXES: &[Cue] = &[
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

const LESSONS: &[Cue] = &[
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

const OPENINGS: &[Cue] = &[
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

const FACTS: &[Cue] = &[
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

const NOISES: &[Cue] = &[
    cue(
        1,
        r"^(let me|let's|now,?\s|now i|next,? (i|let)|first,? (i|let)|i'?ll|i will|i'm going|i am going|going to|here'?s|here is|good|great|perfect|excellent|looking|checking|reading|running|wait|hmm|sorry|thanks|thank you|hello|hi\b|sure|okay|ok\b|yes\b|no\b|understood|got it|all (tests|good|green|clean|done)|tests? pass|build|recommendation|short answer|suggestion\b|nit\b|minor\b|option \w\b|\()",
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

const STEERINGS: &[Cue] = &[
    cue(
        1,
        r"^(yes|no|ok|okay|sure|go ahead|continue|go on|proceed|commit|push|done|thanks|great|good|perfect|stop|try again|retry|again|do it|please do)\b.{0,24}$",
        "yes please",
        "use tabs in all of the files please",
    ),
    cue(
        1,
        r"\bcommit (it|this|that|these|yet|now|message|everything|all)\b|\b(generate|write) a commit\b|\bopen (a |the )?(pr|pull request)\b|\bcreate (a |the )?(pr|commit|pull request)\b|\bpush (it|this|now)\b",
        "don't commit it",
        "each commit is signed",
    ),
    cue(
        1,
        r"^(can|could|would|will|should|shall|do|does|did|is|are|was|were|what|why|how|which|who|where|when|have|has)\b.*\?|\?$",
        "can you check?",
        "It is so.",
    ),
    cue(
        1,
        r"\bthis (session|conversation|task|turn)\b|\byour (plan|answer|reply|output|todo)\b|\bimplement the following\b|\bwait\b|\binterrupt\b|\btodos?\b list|\bstop if\b|\bdeviate\b|\bask me\b",
        "implement the following plan",
        "a plan is needed",
    ),
    cue(
        1,
        r"\b(look at|take a look|have a look|analy[sz]e|investigate|explain|show me|tell me|give me|read the)\b|^the question\b|\btheoretically\b|\bwant to (try|understand|know|see|check)\b",
        "take a look at the log",
        "looks fine",
    ),
];

const DONES: &[Cue] = &[cue(
    1,
    r"^\W*(done\W+)?(updated|added|created|removed|fixed|moved|renamed|replaced|implemented|deleted|extended|changed|sorted|rewrote|reworked|introduced)\b|\b(is|are) (now )?(complete|implemented|in place|updated|sorted|wired)\b",
    "Added a `quote` helper",
    "The tests run",
)];

const PASTS: &[Cue] = &[
    cue(1, r"\b(was|were|had)\b", "it was reused", "it is used"),
    cue(
        1,
        r"^(right now|currently|at the moment|takes|shows|uses|returns|adds|added|removed|updated|introduced|created|changed|moved|with|without|the fix|add|use|fixed|made|rendered|verified)\b",
        "Takes a commit",
        "The tool takes a commit",
    ),
];

const HYPOTHESES: &[Cue] = &[cue(
    1,
    r"\b(should|would|might|maybe|if)\b",
    "it should help",
    "it is broken",
)];

const SELVES: &[Cue] = &[cue(1, r"\bI('ve)?\b|\bmy\b", "I kept it", "it is kept")];

const HEDGES: &[Cue] = &[cue(
    1,
    r"\b(presumably|probably|perhaps|maybe|might be|may be|could be|i think|i suspect|unless)\b",
    "presumably a race",
    "it is a race",
)];

const PACES: &[Cue] = &[cue(
    1,
    r"\b(next|proceed|continue|now|session|commit|phase|handle it|go on|ready|first|start)\b",
    "What should I do next?",
    "Where should the file live?",
)];

const ANCHORS: &[Cue] = &[
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cue_finds_its_example_and_passes_over_the_other() {
        for (table, cues) in ALL {
            for cue in *cues {
                let regex = compile(cue.pattern).expect(cue.pattern);
                assert!(
                    regex.is_match(cue.yes),
                    "{table}: {} misses {:?}",
                    cue.pattern,
                    cue.yes
                );
                assert!(
                    !regex.is_match(cue.no),
                    "{table}: {} finds {:?}",
                    cue.pattern,
                    cue.no
                );
            }
        }
    }
}
