//! What users say: rules, trouble, and the steering of a session.

use super::{Cue, cue};

pub(super) const RULES: &[Cue] = &[
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

pub(super) const TROUBLES: &[Cue] = &[
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

pub(super) const STEERINGS: &[Cue] = &[
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
        r"\bthis (session|conversation|task|turn)\b|\byour (plan|answer|reply|output|todo)\b|\bimplement the following\b|\bwait\b|\binterrupt\b|\btodos?\b list|\bstop if\b|\bdeviate\b|\bask me\b|\b(from|in|to) (the|this|that) commit\b|\bdo ?n[o']t need to\b",
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

pub(super) const PACES: &[Cue] = &[cue(
    1,
    r"\b(next|proceed|continue|now|session|commit|phase|handle it|go on|ready|first|start)\b",
    "What should I do next?",
    "Where should the file live?",
)];

pub(super) const HYPOTHESES: &[Cue] = &[cue(
    1,
    r"\b(should|would|might|maybe|if)\b",
    "it should help",
    "it is broken",
)];
