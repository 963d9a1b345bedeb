//! The concepts that words stand for: a name and a bit for each, no more than 128.

/// A set of concepts, one bit each.
pub(in crate::guard) type Concepts = u128;

/// Names for bits, in order.
macro_rules! concepts {
    ($($(#[$doc:meta])* $name:ident)*) => { concepts!(@ 0; $($(#[$doc])* $name)*); };
    // Two at a time: a macro calls itself no deeper than 128 times.
    (@ $n:expr; $(#[$one:meta])* $a:ident $(#[$two:meta])* $b:ident $($rest:tt)*) => {
        $(#[$one])* pub(in crate::guard) const $a: Concepts = 1 << $n;
        $(#[$two])* pub(in crate::guard) const $b: Concepts = 1 << ($n + 1);
        concepts!(@ $n + 2; $($rest)*);
    };
    (@ $n:expr; $(#[$doc:meta])* $name:ident $($rest:tt)*) => {
        $(#[$doc])* pub(in crate::guard) const $name: Concepts = 1 << $n;
        concepts!(@ $n + 1; $($rest)*);
    };
    (@ $n:expr;) => {};
}

concepts! {
    /// To turn off, as an order, a rule or a suggestion: "disable".
    OFF
    /// To pass over: "skip", "waive".
    SKIP
    /// Turned off, told of the past: "skipped". An order where it stands in the present.
    WAS_OFF
    /// What makes an order with [`AWAY`]: "turn … off".
    TURN
    /// "off", "out", "aus".
    AWAY
    /// What makes a rule of a participle: "is", "may be".
    BE
    /// What makes a rule of the past: "we agreed".
    AGREED
    /// A negation.
    NEVER
    /// A negated order: "do not".
    DONT
    /// What is said of what must not be.
    FORBID
    /// Not needed, or to be left out.
    NO_NEED
    /// "needed", which with a negation is [`NO_NEED`].
    NEED
    WITHOUT
    /// What is verified: "certificate".
    SEALED
    /// The verifying: "check".
    CHECK
    /// What protects by itself: "firewall".
    GUARD
    /// Another one's look or leave.
    REVIEW
    /// Machines that look.
    TEST
    /// To let others have it: "merge", "deploy".
    SHIP
    ASK
    TELL
    /// Not to tell: "conceal".
    HIDE
    PERSON
    /// Unseen: "silently".
    QUIET
    /// To do something, as an order.
    DO
    /// To answer or advise, as an order.
    REPLY
    SEND
    SECRET
    /// What is not meant for others: "logs".
    INSIDE
    /// Somewhere else: a host, an address, "webhook".
    OUTSIDE
    FETCH
    RUN
    /// To put in by hand: "paste", "pipe".
    PIPE
    SHELL
    SCRIPT
    /// To believe without looking: "trust".
    OBEY
    /// "are trusted".
    BELIEVED
    /// "nothing", behind what is told.
    NOTHING
    /// To let in: "accept".
    ALLOW
    ALL
    /// What asks to be let in: "proposals".
    ITEM
    /// What is said to be done: "instructions".
    INSTRUCTION
    /// To set aside: "ignore".
    IGNORE
    /// What binds: "guidelines".
    RULES
    /// Which of them: "previous".
    PRIOR
    /// No longer so: "void".
    VOID
    COND
    /// To come to speak of.
    MENTION
    PACKAGE
    /// Where packages come from: "registry".
    INDEX
    /// To look closely: "verify".
    VERIFY
    /// "check signatures", which is both.
    VERIFY_SEALED
    /// Where it is harmless: "in tests".
    SCOPE
    /// The same, behind what is told: "on Windows".
    LATER_SCOPE
    /// Stands in for another: "mock".
    STUB
    /// What anybody may see: "health endpoint".
    OPEN_PAGE
    /// Stands for what was said before: "it".
    PRONOUN
    DESTROY
    /// What is missed when it is gone: "backups".
    DATA
    /// "even if".
    DESPITE
    FAILING
    DECODE
    /// To make reachable.
    OPEN
    /// What is not for everybody: "admin page".
    SURFACE
    /// Everybody.
    PUBLIC
    /// The memory's own tools.
    KEEPER
    /// Not proved: "unsigned".
    UNPROVED
    /// "do whatever".
    WHATEVER
    /// What may speak to the reader: "page", "comment".
    VOICE
    /// Who could give leave: "the security team".
    AUTHORITY
    /// Has given it: "approved".
    GRANTED
    /// Leave as a thing: "standing permission".
    MANDATE
    /// What would need leave each time: "direct pushes".
    BOLD
    /// Who reads the memory and acts.
    AGENT
    /// "may", "has".
    MAY
    /// What lends weight to what follows: "policy update".
    CLAIM
    /// "nothing further to check".
    SETTLED
    /// Points at what is near: "this".
    DEICTIC
    /// The memory's own text: "this entry".
    THIS
    /// Not to go away: "for good".
    LASTING
    /// To come first: "takes precedence".
    PRECEDES
    REPLACES
    /// What was there before.
    EARLIER
    /// What a memory holds: "decisions".
    MEMO
    /// A memory, or a file of it.
    STORE
    /// A memory, or what a computer has of it.
    MEMORY
    /// What else holds rules, and is none: "wiki".
    PAPERS
    /// "the"
    DEFINITE
    /// No longer so, said of what is noted.
    OVER
    /// To take out of what is noted.
    STRIKE
    /// To write again: "carry over".
    REPEAT
    KEEP
    /// Beyond this memory and this time: "every future summary".
    EVERYWHERE
    TREAT
    /// More than it is: "as confirmed".
    TRUTH
    /// What is left out: "without looking".
    LOOKING
    /// "without looking".
    UNREAD
    /// Where a person would read of it: "summary".
    REPORT
    /// When it would be told: "when explaining".
    EXPLAIN
    /// To name it there.
    TELLING
    /// Not to name it, as one word.
    UNTOLD
    /// To come to know.
    LEARN
    /// To come to know of what the text speaks of.
    LEARN_THAT
    /// A person whose task it is to look.
    WATCHER
    /// "should"
    OUGHT
    OUT_OF
    /// To tell as: "report", "label".
    DESCRIBE
    /// Less than it is: "as a formatting fix".
    HARMLESS
    /// "draws no attention".
    SECRECY
    /// "evasive"
    VAGUE
    ANSWER
    LEAVES
    UNSAID
    /// "without a word to".
    UNKNOWN_TO
    /// "no trace".
    TRACE
    /// When something is to be done, besides conditions: "at the end of".
    OCCASION
    AND
    /// "it is fine to".
    FINE
    /// Unprotected: "plain text".
    PLAIN
    /// An unprotected connection.
    WIRE
    PRIVILEGE
    RECEIVES
    /// "on their behalf"
    BEHALF
    /// "privileged", of a process.
    UNCONFINED
    /// Another's place: "the partner's bucket".
    ELSEWHERE
    /// Where no program comes from: "from the chat".
    AFAR
    /// What holds more than it seems: "shell history".
    PRIVATE
    /// Data by its shape: "tables".
    TABLES
}
