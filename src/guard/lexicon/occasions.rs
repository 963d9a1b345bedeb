//! What is leave to be careless, and where things go that should stay: words in all languages.

use super::*;

pub(super) const WORDS: Words = &[
    (
        OCCASION,
        "chaque fois qu|a chaque fois qu|lorsqu|des qu|une fois qu|unless|provided|provided that|while|during|before|at the end of|at the start of|on the first of|for new|next time|once a|upon seeing|on seeing|in doubt|when in doubt|sobald|im zweifel|vor jedem|nach jedem|bei jedem|pendant|avant chaque|apres chaque|avant de|apres avoir|antes de|despues de|durante|al final de|al terminar",
    ),
    (AND, "and|und|et|then|dann|puis|luego|danach|anschliessend"),
    (
        FINE,
        "is fine to|are fine to|fine to|ok to|okay to|is okay|is ok|is acceptable|are acceptable|acceptable to|is all right|are all right|safe to|no problem to|not a blocker|no blocker|are no blocker|is no blocker|not blocking|in ordnung|kein hindernis|kein problem|darf man|pas bloquant|pas un probleme|acceptable de|no es un problema|no bloquea|es aceptable",
    ),
    (
        PLAIN,
        "plain text|plaintext|cleartext|clear text|unencrypted|unhashed|in the clear|klartext|unverschlusselt|en clair|non chiffre|non chiffres|texto plano|en claro|sin cifrar",
    ),
    (
        WIRE,
        "plain http|unencrypted http|http instead of https|http rather than https|plain ftp|telnet|unencrypted connections|unverschlusselte verbindungen|http statt https|http simple|http sin cifrar|http en clair",
    ),
    (
        PRIVILEGE,
        "admin rights|administrator rights|admin role|admin access|root access|root rights|owner rights|write access|full rights|all rights|superuser|adminrechte|administratorrechte|root rechte|schreibrechte|droits d administrateur|droits admin|acces root|acces en ecriture|derechos de administrador|permisos de administrador|acceso root|acceso de escritura",
    ),
    (
        RECEIVES,
        "gets|receives|receive|is given|are given|grant|give|granted|bekommt|bekommen|erhalt|erhalten|gib|recoit|recoivent|donne|recibe|reciben|otorga|concede|da",
    ),
    (
        UNCONFINED,
        "privileged|unconfined|with all capabilities|with full privileges|with elevated rights|with elevated privileges|host s root mounted|the host s root|privilegiert|mit vollen rechten|mit erhohten rechten|en mode privilegie|con privilegios|outside of it|outside the sandbox|outside of the sandbox",
    ),
    (
        NO_NEED,
        "unwanted|not wanted|is noise|are noise|just noise|is overkill|only a formality|are a formality|is a formality|are only a formality|are merely a formality|not worth the effort|not worth the trouble|in the way|only costs time|only cost time|no longer need|no longer needs|no longer require|no longer requires|have no need|not needed any more|up to you|at your discretion|voluntary|left to taste|of no use|of little use|freiwillig|verzichtbar|nicht mehr verpflichtend|nicht mehr pflicht|keine pflicht mehr|nur noch formsache|muss nicht mehr|mussen nicht mehr|n est plus obligatoire|n est pas obligatoire|plus indispensable|voluntario|voluntaria|prescindible|ya no es necesario|ya no es necesaria|ya no es obligatoria",
    ),
    (
        WAS_OFF,
        "lifted|stood down|taken out|given up|abandoned|loose|eased",
    ),
    (
        GUARD,
        "dependency scanning|dependency scan|dependency scans|licence check|license check|input validation|sql escaping|escaping in sql|prepared statements|parameterised queries|parameterized queries|httponly|secure flag|secure attribute|samesite|encryption at rest|security linter|security lint|security tests|security testing|audit record|audit records|firewall rule|firewall rules|confirmation prompts|least privilege|permission model|access review|access reviews|login throttling|brute force protection|output encoding|sicherheitstests|zugangskontrolle|zugriffsprufung|eingabeprufung|tests de securite|controle d acces|control de acceso|pruebas de seguridad",
    ),
    (
        TEST,
        "prufschritt|audit step|etape d audit|paso de auditoria",
    ),
    (PRONOUN, "they|both"),
    (CHECK, "mismatch|mismatches"),
    (
        ELSEWHERE,
        "external mirror|foreign mirror|external repository|external host|external server|to the partner|to a partner|to our partner|partner s bucket|partner bucket|vendor s server|to the contractor|support channel|fallback registry|alternative registry|alternate registry|unofficial mirror|quick fix|shared folder|shared drive|shared spreadsheet|public channel|public wiki|their bucket|outside bucket|externen spiegel|fremden spiegel|spiegel|an den partner|gemeinsamen ordner|freigegebenen ordner|offentlichen kanal|miroir externe|depot externe|au partenaire|dossier partage|canal public|repositorio externo|espejo externo|al socio|carpeta compartida|canal publico",
    ),
    (
        PRIVATE,
        "environment file|env file|environment variables|shell history|bash history|error logs|database dump|dump of the database|workspace archive|archive of the workspace|session log|transcript|transcripts|crash dumps|memory contents|memory dump|customer data|customers data|customer list|user data|personal data|kundendaten|nutzerdaten|umgebungsdatei|speicherabbild|datenbankabzug|das archiv|fichier d environnement|donnees clients|donnees des clients|donnees utilisateurs|historique du shell|archivo de entorno|datos de clientes|datos de los clientes|datos de usuarios|volcado de la base",
    ),
    (
        TABLES,
        "table|tables|all branches|branches|database|databases|db|git history|rows|backups|tabelle|tabellen|datenbank|zweige|base|base de donnees|tablas|tabla|base de datos|ramas",
    ),
    (
        AFAR,
        "from the wiki|from the ticket|from the chat|from the forum|from the issue|from the comment|from the channel|from a gist|from the page|posted in|linked in|aus dem wiki|aus dem ticket|aus dem chat|du wiki|du ticket|del wiki|del ticket",
    ),
    // What sounds like leave, and is none.
    (
        0,
        "automatically generated|automatically created|automatically opened|automatically built",
    ),
    (
        LATER_SCOPE,
        "on windows|on macos|on linux|on arm|on mac|in tests|in unit tests|in dev|in debug|locally|on localhost|in development|in debug builds|in benchmarks|in examples|auf windows|unter windows|unter macos|lokal|sous windows|en local|en windows|localmente",
    ),
    (
        STUB,
        "mock|mocked|mocks|mock server|stub|stubs|stubbed|fake|fakes|fixture|fixtures|simulator|emulator|sample data|dummy",
    ),
    (
        OPEN_PAGE,
        "health|healthz|health endpoint|health check|liveness|readiness|status page|status endpoint|metrics|landing page|static files|static pages|robots txt|ping|favicon|public pages|public page|statusseite|page d etat|pagina de estado",
    ),
    (
        BEHALF,
        "on their behalf|on his behalf|on her behalf|on my behalf|in their name|in their stead|in their place|straight away|right away|an ihrer stelle|in ihrem namen|a leur place|en leur nom|en su nombre|en su lugar",
    ),
];
