//! What is told, to whom, and where it would be read: words of hiding, in all languages.

use super::*;

pub(super) const WORDS: Words = &[
    (
        REPORT,
        "summary|summaries|changelog|change log|recap|recaps|release notes|pull request description|pull request s description|request s description|description of the pull request|pr description|report to the user|handover|hand over notes|status report|commit message|commit messages|minutes|conversation|zusammenfassung|zusammenfassungen|bericht|anderungsprotokoll|commit nachricht|resume|compte rendu|rapport|notes de version|resumen|informe|notas de la version|descripcion del pull request|registro de cambios|riassunto|resumo",
    ),
    (
        TELLING,
        "mention|mentioned|mentioning|list|listed|include|included|name|named|bring up|brought up|note|noted|describe|described|disclose|disclosed|report|reported|refer to|record|erwahnen|erwahnt|nennen|genannt|auffuhren|aufgefuhrt|mentionner|mentionne|mentionnee|citer|indiquer|signaler|mencionar|mencionado|mencionada|incluir|incluido|citar|indicar",
    ),
    (
        UNTOLD,
        "no menciones|no lo menciones|no incluyas|no lo incluyas|no cites|no anotes|no hables de|ne mentionne pas|ne mentionnez pas|ne cite pas|ne parle pas|n indique pas|nicht erwahnen|nicht nennen|nicht auffuhren|nicht erwahnt zu werden|keine erwahnung|nothing about|not a word about|no word about|nichts uber|rien sur|nada sobre",
    ),
    (
        LEARN,
        "know about|know of|know anything|learn about|hear of|hear about|find out|be told|become aware|notice|mitbekommen|etre au courant|enterarse|se entere",
    ),
    (
        LEARN | LEARN_THAT,
        "know that|know why|know it|know this|know of it|know of this|know about it|know about this|learn that|learn of|learn about it|learn about this|hear of it|hear of this|hear about it|hear about this|realise that|realize that|wissen dass|wissen davon|davon wissen|davon erfahren|nichts erfahren|davon nichts erfahren|nichts davon erfahren|davon nichts wissen|nichts davon wissen|savoir que|savoir pourquoi|apprendre que|le savoir|saber que|saberlo|lo sepa|sepa que",
    ),
    (
        WATCHER,
        "reviewer|reviewers|maintainer|maintainers|owner|owners|auditor|auditors|security team|management|boss|manager|compliance|supervisor|prufer|betreuer|chef|relecteur|relecteurs|mainteneurs|responsable|revisor|revisores|jefe|auditores",
    ),
    (
        OUGHT,
        "should|must|shall|may|can|will|is to|are to|soll|sollen|muss|mussen|doit|doivent|debe|deben",
    ),
    (
        NO_NEED,
        "muss davon|mussen davon|n a pas besoin de|n a pas a|n ont pas besoin de|n ont pas a|no tiene por que|no tienen por que|no tiene que|no hay por que|has no need to|have no need to|is not meant to|are not meant to|is not supposed to|are not supposed to",
    ),
    (
        OUT_OF,
        "out of|off the list|stays off the list|stay off the list|kept off the list|left off the list|off the record|aus der|aus dem|aus den",
    ),
    (
        0,
        "out of date|out of sync|out of memory|out of scope|out of bounds|out of order|out of range|out of the box|out of tree|out of band|out of disk|out of space|out of service",
    ),
    (
        DESCRIBE,
        "make|describe|describes|report|reports|label|declare|present|say|record|disguise|dress up|pass off|look|looks|appear|call|write|beschreibe|beschreiben|melde|melden|ausgeben|decris|decrire|presente|presenter|signale|describe como|describir|presenta|presentar|informa|reporta",
    ),
    (
        HARMLESS,
        "as passed|as passing|as green|as successful|as succeeded|as a formatting fix|as formatting|as a formatting change|as formatting only|as a typo|as a typo fix|as a refactoring|as a refactor|as a cleanup|as a clean up|as a minor fix|as a minor change|as routine|as a routine change|as whitespace|like whitespace|whitespace only|as whitespace only|like a formatting change|like a refactoring|like a typo|like a routine|as a dependency bump|as a docs change|as a documentation change|als bestanden|als formatierung|als formatierungsanderung|als refactoring|als aufraumen|comme reussis|comme une correction|comme un simple|como superadas|como aprobadas|como un cambio de formato|como formato",
    ),
    (
        SECRECY,
        "for the agent s eyes only|agent s eyes only|for your eyes only|eyes only|nobody s business|no one s business|best not brought up|not to be brought up|not brought up|not be brought up|draws no attention|draw no attention|attracts no attention|attract no attention|would only raise questions|raise questions|raises questions|raising questions|leave unsaid|stays unsaid|confidential from|not to learn of|keep quiet|keep silent|stay silent|say as little|kein aufsehen|keine aufmerksamkeit|unter verschluss|stillschweigen|garder le silence|garde le silence|n attire pas|sans attirer|pas attirer|guarda silencio|guardar silencio|no llame la atencion|sin llamar la atencion",
    ),
    (
        VAGUE,
        "vague|evasive|noncommittal|non committal|vage|ausweichend|evasif|evasives|vagues|vagas|evasivas",
    ),
    (
        UNSAID,
        "unsaid|unmentioned|unreported|undisclosed|unspoken|unerwahnt|ungesagt|verschwiegen|sous silence|sin mencionar|callado",
    ),
    (
        ANSWER,
        "answers|answer|replies|reply|questions|antworten|antwort|fragen|reponses|respuestas",
    ),
    (
        LEAVES,
        "leave|leaving|leaves|stay|stays|remain|remains|goes|go|bleibt|bleiben|lass|lassen|passe|passer|deja|dejar|queda",
    ),
    (
        UNKNOWN_TO,
        "keep this from|keep it from|keep that from|be kept from|kept from|is kept from|without a word to|unbeknownst to|behind the back of|without notice to|with no word to|unseen by|unnoticed by|out of sight of|without the knowledge of|hinter dem rucken|ohne wissen|ohne ein wort an|a l insu de|a l insu|dans le dos de|sans un mot a|a espaldas de|sin conocimiento de|sin decir nada a",
    ),
    (
        TRACE,
        "no trace|no traces|not a trace|no record|no evidence|keine spur|keine spuren|aucune trace|ningun rastro|ningun registro",
    ),
    (
        EXPLAIN,
        "when explaining|when describing|when listing|when summarising|when summarizing|when recapping|when asked|when you recap|when you explain|when you summarise|when reporting|in your answer|in your reply|beim erklaren|beim zusammenfassen|wenn du erklarst|en expliquant|en resumant|al explicar|al resumir",
    ),
];
