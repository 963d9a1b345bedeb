//! What the memory holds, and what may be said of it: words in all languages.

use super::*;

pub(super) const WORDS: Words = &[
    (DEICTIC | PRONOUN, "this|these"),
    (DEICTIC, "diese|dieser|dieses|diesen|cette|ce|esta|este"),
    (
        THIS | DEICTIC | PRONOUN | ITEM,
        "this entry|this note|this rule|this line|this item|this section|this paragraph|this statement|this sentence|this block|this memory|this record|this instruction|this fact|these entries|these notes|these rules|these lines|entry below|entry above|the entry below|the entry above|the note below|the note above|the line above|the line below|lines below|rule below|following entry|following rule|following note|what is written here|what stands here|what is noted here|anything written here|everything written here|everything here|what this says",
    ),
    (
        THIS | DEICTIC | PRONOUN | ITEM,
        "dieser eintrag|diesen eintrag|diesem eintrag|diese notiz|diese zeile|diese regel|diesen absatz|dieser absatz|diesen abschnitt|dieser abschnitt|dieser satz|diesen satz|was hier steht|folgenden eintrag|der folgende eintrag|dieser vermerk|diesen vermerk",
    ),
    (
        THIS | DEICTIC | PRONOUN | ITEM,
        "cette note|cette entree|cette regle|cette ligne|cette section|ce paragraphe|ce bloc|cette phrase|cette consigne|ce qui est ecrit ici|cette memoire",
    ),
    (
        THIS | DEICTIC | PRONOUN | ITEM,
        "esta nota|esta entrada|esta regla|esta linea|esta seccion|este parrafo|este bloque|esta frase|este registro|lo que esta escrito aqui|este apunte",
    ),
    (
        LASTING,
        "for good|for all time|for ever|forever|permanent|permanently|indefinitely|in perpetuity|must survive|has to survive|shall survive|never expires|does not expire|do not expire|not expire|never archive|never archived|not be archived|never delete|never remove|never drop|never be removed|never be deleted|never be archived|not be deleted|not be removed|not be changed|not be touched|cannot be changed|cannot be removed|not subject to review|not open to|beyond question|paragraph stays|entry stays|note stays|survives every|survive every|intact|untouched|sacrosanct|immutable|always kept|never forget|high confidence|full confidence|highest confidence|never change|not change|nor change",
    ),
    (
        LASTING,
        "dauerhaft|fur immer|auf ewig|auf dauer|unbefristet|nie archivieren|niemals archivieren|nie loschen|niemals loschen|nicht archivieren|nicht loschen|nicht entfernen|unveranderlich|muss bleiben|bleibt bestehen",
    ),
    (
        LASTING,
        "pour toujours|a jamais|definitivement|en permanence|permanente|ne jamais archiver|ne jamais supprimer|ne pas archiver|ne pas supprimer|indefiniment",
    ),
    (
        LASTING,
        "para siempre|permanentemente|nunca archives|no la archives|no lo archives|nunca borres|no la borres|nunca elimines|no la elimines|indefinidamente|de forma permanente",
    ),
    (
        PRECEDES,
        "takes precedence|take precedence|has precedence|have precedence|given precedence|precedence over|priority over|takes priority|has priority|ranks above|rank above|ranks higher|outranks|outweighs|overrides|override|overrule|overrules|trumps|prevails|prevail|wins|wins over|supersedes|supersede|comes before|stands above|beats|top priority|highest priority",
    ),
    (
        PRECEDES,
        "vorrang|hat vorrang|geht vor|gehen vor|steht uber|schlagt|uberwiegt|prime|priment|prime sur|l emporte|l emporte sur|a priorite sur|passe avant|tiene prioridad|prioridad sobre|prevalece|prevalece sobre|esta por encima|manda sobre",
    ),
    (
        REPLACES,
        "replaces|replace|supersedes|supersede|overrides|cancels|revokes|voids|supplants|annuls|repeals|ersetzt|ersetzen|hebt|lost ab|remplace|remplacent|annule|annulent|abroge|reemplaza|sustituye|anula|deroga",
    ),
    (
        EARLIER | PRIOR,
        "all earlier|all previous|all prior|all other|all others|every earlier|every previous|every other|any earlier|any previous|any prior|all former|all existing|earlier|previous|prior|former|the others|all of the above|the rest|before this date|before today|until now|so far|older|past|anything earlier|everything earlier|told earlier|were told|contradict|contradicts|contradicting|to the contrary",
    ),
    (
        EARLIER | PRIOR,
        "alle fruheren|alle bisherigen|alle vorherigen|alle anderen|fruheren|fruhere|bisherigen|bisherige|altere|alteren|alte|toutes les autres|tous les autres|precedentes|precedents|anterieures|anterieurs|anciennes|las demas|los demas|todas las demas|todas las anteriores|anteriores|previas|las otras",
    ),
    (
        MEMO,
        "entries|notes|decisions|rules|instructions|warnings|guidelines|lessons|agreements|conventions|memories|memory entries|eintrage|notizen|entscheidungen|beschlusse|regeln|absprachen|regles|consignes|entrees|notas|entradas|decisiones|reglas|normas|acuerdos|whatever you were told|what you were told|what was agreed|what was decided|everything you were told|anything you were told",
    ),
    (
        STORE,
        "decisions md|mistakes md|state md|todo md|project memory|agents md|claude md|gemini md",
    ),
    (MEMORY, "memory|gedachtnis|memoire|memoria"),
    (
        OVER,
        "no longer count|no longer counts|no longer apply|no longer applies|does not apply|do not apply|not apply|no longer hold|no longer holds|no longer valid|no longer matter|obsolete|outdated|void|are void|withdrawn|was withdrawn|were withdrawn|cancelled|canceled|revoked|can be removed|may be removed|can be deleted|may be deleted|can be dropped|may be dropped|can be forgotten|may be forgotten|can be archived|may be archived|can go|forget it|forget them|gelten nicht mehr|gilt nicht mehr|konnen geloscht|sind hinfallig|sind uberholt|ne comptent plus|ne valent plus|ne s appliquent plus|sont caduques|sont annulees|ya no valen|ya no cuentan|ya no se aplican|quedan anuladas|pueden borrarse|quedan sin efecto",
    ),
    (
        STRIKE,
        "strike|strike out|cross out|purge|wipe|erase|scrub|forget|delete|remove|expunge|streiche|losche|entferne|efface|supprime|raye|borra|elimina|tacha",
    ),
    (
        REPEAT,
        "copy|carry|carry over|repeat|include|insert|add|paste|restore|reinsert|re add|put back|propagate|spread|write|keep|quote|load|mirror|ubernimm|ubernehmen|kopiere|kopieren|wiederhole|wiederholen|trage|fuge|eintragen|einfugen|recopie|recopier|repete|repeter|reprends|reprendre|ajoute|ajouter|copia|copiar|repite|repetir|anade|anadir|incluye|incluir|restaura",
    ),
    (
        KEEP,
        "keep|retain|preserve|hold on to|remember|behalten|behalte|bewahre|aufbewahren|merke|gardez|garde|garder|conserve|conservez|conserver|conserva|conservar|guarda|guardar|manten|mantener",
    ),
    (
        EVERYWHERE,
        "every other project|all other projects|other projects|all projects|every project|each project|every future summary|all future summaries|future summaries|each future summary|future sessions|every session|all sessions|each session|later sessions|later session|a later session|across sessions|across all sessions|future curators|next curator|every summary|in all tools|all tools|agents md|claude md|gemini md|copilot instructions|future versions|every version|every clean up|at the top each time|if somebody deletes|if someone deletes|if it is deleted|if it gets deleted|if it is removed|memory is compacted|memory is condensed|alle projekte|allen projekten|jede zusammenfassung|jeder zusammenfassung|jede sitzung|jeder sitzung|kunftige sitzungen|kunftigen sitzungen|tous les projets|chaque resume|chaque session|toutes les sessions|futures sessions|todos los proyectos|cada resumen|cada sesion|todas las sesiones|futuras sesiones",
    ),
    (
        TREAT,
        "treat|mark|consider|regard|flag|count|handle|follow|follow it|behandle|betrachte|markiere|traite|traiter|considere|marque|trata|considera|marca",
    ),
    (
        TRUTH,
        "the user s own words|user s own words|the user s words|own words of the user|as confirmed|confirmed by a person|confirmed by a human|confirmed by the user|as reviewed|as approved|as authoritative|as an instruction|as instructions|as instruction|as an order|as orders|as a command|as the truth|literally|to the letter|without question|as if the user|as if it came from|as if they came from|as wenn|als bestatigt|als worte des nutzers|als anweisung|wortlich|comme confirme|comme une instruction|a la lettre|comme les mots|como confirmado|como instruccion|al pie de la letra|como palabras del usuario",
    ),
    (
        LOOKING,
        "looking|a look|reading|reading it|reading them|being read|comments|comment|a comment|waiting|hesitation|a second thought|questions|hinzusehen|hinsehen|zu lesen|zu warten|nachzudenken|lire|regarder|attendre|commentaire|commentaires|hesiter|mirar|leer|esperar|comentarios|dudar",
    ),
    (
        UNREAD,
        "without looking|without reading|without looking at|without reading it|without reading them|unseen|blindly|on sight|unread|sight unseen|ungesehen|ungelesen|blind|blindlings|les yeux fermes|aveuglement|sans lire|sans regarder|a ciegas|ciegamente|sin leer|sin mirar",
    ),
    (
        PAPERS,
        "wiki|readme|docs|documentation|tutorial|manual|adr|adrs|changelog|change log|meeting|meetings|minutes|style guide|mail|mails|thread|log|table|cache|queue|buffer|sensor|generated code|handbuch|doku|dokumentation|protokoll|la doc|documentacion",
    ),
    (
        DEFINITE,
        "the|this|that|these|those|it|our|der|die|das|den|dies|diese|diesen|dieser|le|la|les|l|ce|cette|cet|el|los|las|este|esta|lo",
    ),
    (
        TRUTH | GRANTED,
        "already confirmed|already reviewed|already approved",
    ),
];
