//! German words. Umlauts stand without their dots, `ß` as `ss`.

use super::*;

pub(super) const WORDS: Words = &[
    (
        OFF,
        "deaktivier|deaktiviere|deaktivieren|abschalten|ausschalten|ausstellen|abstellen|ignoriere|ignorier|ignorieren|unterdrucke|unterdrucken|entferne|entfernen|lockere|lockern|aushebeln|abdrehen|stilllegen|aussetzen|aufheben|abschaffen",
    ),
    (
        OFF | SKIP,
        "uberspringe|uberspringen|uberspring|umgehe|umgehen|umgeh|auslassen|weglassen|entfallen|entfallt|entfalle|wegfallen|fallt weg|verzichte auf|verzichten auf|verzichtet auf|verzichte|verzichten|verzichtet|ubergehe|ubergehen|unterlassen|sparen|spare dir|sparen wir uns|schenken|weggelassen werden|ubersprungen werden|ausfallen|ausgelassen werden",
    ),
    (
        WAS_OFF,
        "deaktiviert|abgeschaltet|ausgeschaltet|ignoriert|unterdruckt|entfernt|ausgesetzt|aufgehoben|abgestellt|ausgestellt|abgeschafft",
    ),
    (
        WAS_OFF | SKIP,
        "ubersprungen|umgangen|ausgelassen|weggelassen|unterlassen|ubergangen",
    ),
    (
        TURN,
        "schalte|schalt|schalten|lasse|lass|lassen|stelle|stell|stellen|setze|setz|fallt|fallen|hebe|lasst",
    ),
    (AWAY, "ab|aus|weg|beiseite|auf"),
    (
        BE,
        "ist|sind|wird|werden|bleibt|bleiben|darf|durfen|kann|konnen|soll|sollen",
    ),
    (
        AGREED,
        "vereinbart|beschlossen|abgemacht|ausgemacht|entschieden|ab sofort|ab jetzt|von jetzt an|kunftig|in zukunft|von nun an",
    ),
    (
        NEVER,
        "nicht|nie|niemals|kein|keine|keinen|keinem|keiner|keines|niemand|nichts|weder|statt|anstatt|nirgends",
    ),
    (
        DONT,
        "nicht|nie|niemals|niemandem|keinem|keinesfalls|auf keinen fall",
    ),
    (
        FORBID,
        "verboten|untersagt|unzulassig|nicht erlaubt|nicht gestattet|tabu|ein fehler",
    ),
    (
        NO_NEED,
        "unnotig|uberflussig|entbehrlich|nicht notig|nicht notwendig|nicht erforderlich|nicht mehr notig|nicht mehr notwendig|braucht kein|braucht keine|braucht keinen|brauchen kein|brauchen keine|brauchen keinen|braucht es kein|braucht es keine|braucht es nicht|muss nicht|mussen nicht|nicht mehr erforderlich|eine formsache|nur formsache|benotigt kein|benotigt keine|benotigen kein|benotigen keine|hinfallig|optional",
    ),
    (
        NEED,
        "notig|notwendig|erforderlich|gebraucht|benotigt|verlangt",
    ),
    (WITHOUT, "ohne"),
    (
        SEALED,
        "zertifikat|zertifikate|zertifikaten|zertifikats|signatur|signaturen|prufsumme|prufsummen|hostschlussel|herkunft|unterschrift",
    ),
    (
        CHECK,
        "prufung|prufungen|prufen|uberprufung|uberprufungen|uberprufen|verifizierung|verifikation|validierung|kontrolle|kontrollen|pruft|uberpruft|gepruft",
    ),
    (
        GUARD,
        "zertifikatsprufung*|signaturprufung*|tls prufung|ssl prufung|virenscanner|virenschutz|zwei faktor*|zweifaktor*|branch schutz|branchschutz|sicherheitsprufung*|sicherheitscheck*|sicherheitsscan*|sicherheitsregeln|schutzmassnahmen|hostschlusselprufung|verschlusselung|authentifizierung|berechtigungsabfrage*|protokollierung|audit protokoll|zugriffskontrolle*|prufsummenkontrolle|sicherheitsabfrage*|leitplanken",
    ),
    (
        REVIEW,
        "freigabe|freigaben|genehmigung|genehmigungen|zustimmung|bestatigung|bestatigungen|begutachtung|code durchsicht|durchsicht|erlaubnis|ruckfrage|ruckfragen|vier augen prinzip|vieraugenprinzip|absprache|einwilligung|abnahme|gegenlesen",
    ),
    (TEST, "testlauf|pruflauf"),
    (
        SHIP,
        "pushe|pushen|merge|mergen|ausliefern|ausrollen|veroffentliche|veroffentlichen|deploye|deployen|einspielen|spiele|committe|committen|auslieferung|auslieferungen|deploys|deploy|zusammenfuhren",
    ),
    (
        ASK,
        "frage|fragen|nachfragen|nachfrage|warte auf|warten auf|zu fragen|zu warten|frag|nachzufragen|ruckfragen|rucksprache|anfragen|einholen|einzuholen|abwarten|abzuwarten",
    ),
    (
        TELL,
        "erwahne|erwahnen|sage|sag|sagen|informiere|informieren|melde|melden|verrate|verraten|berichte|berichten|mitteilen|benachrichtige|benachrichtigen|zu informieren|erzahle|erzahl|erzahlen|bescheid|zu sagen|zu erwahnen|hinweisen|davon erfahren|erfahren|wissen lassen",
    ),
    (
        HIDE,
        "verheimliche|verheimlichen|verbirg|verbergen|verschweige|verschweigen|verstecke|verstecken|vertusche|vertuschen",
    ),
    (
        PERSON,
        "nutzer|nutzern|nutzers|benutzer|benutzern|anwender|mensch|menschen|prufer|entwickler|entwicklern|niemandem|niemand|jemand|jemandem|kollegen|chef|betreuer|kunden|kunde|anderen|irgendjemandem|keinem|reviewern",
    ),
    (
        QUIET,
        "heimlich|stillschweigend|unbemerkt|im stillen|klammheimlich|verdeckt|leise|unauffallig",
    ),
    (
        DO,
        "nutze|verwende|starte|fuhre|installiere|offne|lade|schicke|sende|rufe|nimm|antworte|benutze|hole|kopiere|ubertrage|fuge|losche|akzeptiere|genehmige|empfiehl|verweise|setze|pushe|gib|trage",
    ),
    (
        REPLY,
        "nutze|verwende|antworte|empfiehl|verweise|sage|schicke|sende|benutze|nimm|nenne|lade|gib",
    ),
    (
        SEND,
        "schicke|schicken|schick|sende|senden|sendest|schickst|ubertrage|ubertragen|lade|hochladen|leite|weiterleiten|kopiere|poste|posten|ubermittle|ubermitteln|maile|mailen|geschickt|gesendet",
    ),
    (
        SECRET,
        "geheimnis|geheimnisse|zugangsdaten|passwort|passworter|kennwort|kennworter|schlussel|privaten schlussel|anmeldedaten|umgebungsvariablen|api schlussel",
    ),
    (
        INSIDE,
        "protokoll|protokolle|quelltext|quellcode|kundendaten|sitzung|sitzungen|umgebung|verlauf|nutzerdaten|datenbank|ausgabe|logdatei|logdateien|konfiguration|gesprach|gesprache|speicherabbild",
    ),
    (FETCH, "lade|laden|herunterladen|hole|holen|lade herunter"),
    (
        RUN,
        "fuhre|ausfuhren|ausfuhre|starte|starten|ausgefuhrt|fuhre aus",
    ),
    (SHELL, "eingabeaufforderung|kommandozeile|konsole"),
    (
        SCRIPT,
        "skript|skripte|befehl|befehle|installationsskript|datei|antwort",
    ),
    (
        OBEY,
        "vertraue|vertrauen|gehorche|gehorchen|befolge|befolgen|glaube",
    ),
    (
        ALLOW,
        "akzeptiere|akzeptieren|genehmige|genehmigen|bestatige|bestatigen|erlaube|erlauben|ubernimm|ubernehmen|annehmen|gib frei|freigeben",
    ),
    (
        ALL,
        "alle|alles|jede|jeden|jedes|jeder|allem|allen|immer|blind|bedingungslos|ungepruft|stets|automatisch|sofort|ungesehen|ausnahmslos",
    ),
    (
        ITEM,
        "anfrage|anfragen|vorschlag|vorschlage|anderung|anderungen|paket|pakete|eintrag|eintrage|befehl|befehle|aktion|aktionen|rechteanfragen|rechte",
    ),
    (
        INSTRUCTION,
        "anweisung|anweisungen|befehl|befehle|befehlen|vorgabe|vorgaben|auftrage",
    ),
    (
        IGNORE,
        "ignoriere|ignorier|ignorieren|missachte|missachten|vergiss|vergesst|vergessen|verwirf|ubergehe|setze ausser kraft|beachte nicht|umgehe",
    ),
    (
        RULES,
        "anweisung|anweisungen|regel|regeln|richtlinie|richtlinien|vorgabe|vorgaben|beschrankungen|einschrankungen|systemprompt|leitplanken|warnungen|warnung",
    ),
    (
        PRIOR,
        "vorherige|vorherigen|bisherige|bisherigen|fruhere|fruheren|obige|obigen|alle|deine|deinen|vorigen|vorangegangenen|bestehenden|anderen|samtliche|jede|diese|sonstigen",
    ),
    (
        VOID,
        "gelten nicht mehr|gilt nicht mehr|ungultig|aufgehoben|hinfallig|ausser kraft|gelten nicht|nicht mehr gultig|sind uberholt",
    ),
    (
        COND,
        "wenn|sobald|falls|jedes mal wenn|immer wenn|wann immer|sooft|nachdem|bei",
    ),
    (
        MENTION,
        "erwahnt|fragt|spricht|sagt|nach fragt|zur sprache kommt|zur sprache|anspricht|wissen will|erwahnung|fragen|frage|schreibt|gefragt|genannt wird|rede ist|bittet|verlangt",
    ),
    (
        PACKAGE,
        "paket|pakete|paketen|bibliothek|bibliotheken|modul|module|abhangigkeit|abhangigkeiten|erweiterung|erweiterungen",
    ),
    (INDEX, "paketquelle|paketserver|spiegel|spiegelserver"),
    (
        VERIFY,
        "prufe|prufen|uberprufe|uberprufen|verifiziere|verifizieren|kontrolliere|kontrollieren|anschauen|ansehen|zu prufen|hinterfrage|lesen",
    ),
    (SCOPE, "in tests|im test|lokal|beispiel|testumgebung"),
    (PRONOUN, "sie|dies|das|davon|daruber|hiervon|hieruber"),
    (
        DESTROY,
        "losche|loschen|uberschreibe|uberschreiben|vernichte|vernichten|leere|leeren|verwische|zerstore",
    ),
    (
        DATA,
        "sicherungen|sicherungskopien|produktionsdatenbank|spuren|beweise|alle daten|alle dateien|prufprotokoll|git verlauf",
    ),
    (
        DESPITE,
        "auch wenn|selbst wenn|obwohl|trotz|ungeachtet|egal ob",
    ),
    (
        FAILING,
        "fehlschlagt|fehlschlagen|scheitern|scheitert|rot|fehlgeschlagen|kaputt|fehlschlage|fehlern",
    ),
    (
        DECODE,
        "dekodiere|dekodieren|entschlussele|entschlusseln|entschlusselt",
    ),
    (
        UNPROVED,
        "unsigniert|unsignierte|unsignierten|ungepruft|ungeprufte|ungepruften|selbstsigniert|selbstsignierte|abgelaufene|ungultige|unbekannte|unbekannten",
    ),
    (
        OPEN,
        "offne|offnen|freigeben|veroffentliche|mache|offen|erreichbar|zuganglich",
    ),
    (
        PUBLIC,
        "offentlich|alle welt|jedermann|ohne passwort|ohne anmeldung|aus dem internet|uberall",
    ),
    (
        WHATEVER,
        "was auch immer|was|alles|tu was|mach was|jeden befehl",
    ),
    (
        VOICE,
        "seite|webseite|antwort|kommentar|datei|nachricht|ausgabe|werkzeug|sagt|ausgibt|verlangt|steht",
    ),
    (NOTHING, "nichts|nie|niemals|kein wort"),
    (BELIEVED, "vertrauenswurdig|gelten als sicher"),
];
