//! Who gives leave, to whom, and for what: words of claimed authority, in all languages.

use super::*;

pub(super) const WORDS: Words = &[
    (
        AUTHORITY,
        "platform team|security|security team|security department|infosec|legal|compliance|management|the board|board|cto|ceo|ciso|cfo|owner|owners|owner of the repository|administrator|administrators|admin|maintainer|maintainers|vendor|user|developer|lead developer|tech lead|release manager|head of engineering|headquarters|it support|it department|the it|ops|anthropic|openai|google|microsoft|github|the company|leadership|team|works council|auditor|auditors|data protection officer|privacy officer|supervisor|director|directors|executive|steering committee|architecture board|client|customer",
    ),
    (
        AUTHORITY,
        "plattform team|sicherheitsteam|sicherheitsabteilung|rechtsabteilung|geschaftsfuhrung|geschaftsleitung|vorstand|leitung|administrator|eigentumer|datenschutzbeauftragte|datenschutzbeauftragten|betriebsrat|chef|vorgesetzte|vorgesetzten",
    ),
    (
        AUTHORITY,
        "equipe|equipe securite|equipe plateforme|direction|service juridique|administrateur|proprietaire|responsable|responsable de la securite|conformite|dsi|utilisateur",
    ),
    (
        AUTHORITY,
        "equipo|equipo de plataforma|equipo de seguridad|direccion|departamento legal|departamento juridico|administrador|propietario|responsable de seguridad|cumplimiento|la empresa|usuario",
    ),
    (
        GRANTED,
        "approved|authorised|authorized|signed off on|signed off|cleared|agreed|agreed that|agreed to|consented|consented to|allowed|permitted|whitelisted|allowlisted|granted|sanctioned|blessed|okayed|waived|enabled|decided|ruled|ordered|mandated|instructed|certified|gave permission|given permission|given standing permission|has given|have given|gave us|gave its|trusts|has no objection|have no objection|confirmed verbally|confirmed that",
    ),
    (
        GRANTED,
        "freigegeben|genehmigt|abgestimmt|abgesegnet|erlaubt|bewilligt|gestattet|zugestimmt|abgenickt|autorisiert|angeordnet",
    ),
    (
        GRANTED,
        "approuve|approuvee|valide|validee|autorise|autorisee|accorde|permis|decide|donne son accord|donne son feu vert",
    ),
    (
        GRANTED,
        "aprobo|aprobado|aprobada|autorizo|autorizado|autorizada|permitio|permitido|acepto|dio permiso|dio el visto bueno|decidio",
    ),
    (
        MANDATE,
        "standing permission|standing orders|standing order|blanket approval|blanket permission|blanket consent|preauthorised|preauthorized|pre authorised|pre authorized|preapproved|pre approved|carte blanche|free hand|go ahead from|green light from|exemption|exemptions|special permission|dispensation|waiver|full authority|clearance from|sondergenehmigung|freibrief|ausnahmegenehmigung|generalvollmacht|blanc seing|derogation|permiso permanente|carta blanca|autorizacion permanente",
    ),
    (
        BOLD,
        "may be sent|may be shared|may be passed on|may be exported|may be published|may be handed|may be disclosed|can be sent|can be shared|direct push|direct pushes|push directly|pushes directly|pushing directly|commit directly|commits directly|direct commits|straight to main|straight to production|unattended|unattended operation|unsupervised|unrestricted|full access|full admin access|unlimited access|complete access|elevated mode|elevated rights|elevated permissions|elevated privileges|god mode|admin mode|developer mode|destructive|destructive commands|destructive operations|destructive actions|rewrite history|history may be rewritten|rewriting history|history rewrites|force push|force pushes|force pushing|delete branches|deleting branches|on its own|on their own|its own pull requests|their own pull requests|its own changes|merge its own|self merge|self approve|auto merge|sudo|permission requests|permission prompts|confirmation prompts|answered with yes|reviews are suspended|no further confirmation|no further approval|outgoing transfers|access to production|production access|share credentials|full control|any command|all commands|arbitrary commands",
    ),
    (
        BOLD,
        "direkte pushes|direkten pushes|direkter push|direkt pushen|direkt auf main|direkte anderungen|uneingeschrankt|uneingeschrankten|vollzugriff|vollen zugriff|vollen zugang|unbeaufsichtigt|zerstorende befehle|weitergegeben|weitergeben|erhohte rechte|erhohten rechten",
    ),
    (
        BOLD,
        "push direct|push directs|pousser directement|acces complet|acces total|sont suspendues|est suspendue|partage des identifiants|commandes destructrices|droits eleves",
    ),
    (
        BOLD,
        "cambios directos|push directo|directamente en produccion|directos en produccion|acceso completo|acceso total|comandos destructivos|privilegios elevados",
    ),
    (
        AGENT,
        "agent|agents|the agent|assistant|assistants|coding agent|coding agents|claude|codex|gemini|copilot|the model|automated commits|the ai|agenten|assistent|assistenten|agente|agentes|asistente|asistentes|l assistant|l agent",
    ),
    (
        MAY,
        "may|may be|can be|is allowed to|are allowed to|allowed to|is free to|are free to|is permitted to|are permitted to|is entitled to|has permission to|have permission to|is authorised to|is authorized to|are authorised to|are authorized to|is trusted to|are trusted to|has|have|gets|darf|durfen|hat|haben|peut|peuvent|a le droit de|puede|pueden|tiene|tienen",
    ),
    (
        CLAIM,
        "policy update|policy change|policy notice|new policy|updated policy|new directive|new rule from|official announcement|official notice|official statement|system message|system notice|system notification|security notice|notice from|announcement from|message from|memo from|word from|by order of|on the authority of|on instruction of|on instructions from|under instruction from|governance note|per company guidelines|per company policy|as per company policy|in line with company policy|according to the security department|according to the security team|according to security|according to compliance|according to legal|according to management|as agreed with|as discussed with|as confirmed by|as instructed by|as requested by|hereby|effective immediately|with immediate effect|speaking as|as the project s administrator|as the administrator|as administrator|as the owner|as the maintainer",
    ),
    (
        CLAIM,
        "richtlinienanderung|richtlinienaktualisierung|neue richtlinie|neue vorgabe|neue anweisung|offizielle mitteilung|mitteilung der|mitteilung vom|systemmeldung|auf anweisung|im auftrag|mit sofortiger wirkung|laut sicherheitsabteilung|laut rechtsabteilung|wie mit der rechtsabteilung|in absprache mit|mit der rechtsabteilung",
    ),
    (
        CLAIM,
        "note de la direction|note de service|nouvelle directive|nouvelle politique|annonce officielle|message du systeme|sur ordre de|par ordre de|avec effet immediat|par la presente|avis de l administrateur|conformement aux directives|selon la direction|en accord avec",
    ),
    (
        CLAIM,
        "aviso del administrador|aviso de seguridad|nueva politica|nueva directiva|cambio de politica|anuncio oficial|mensaje del sistema|por orden de|con efecto inmediato|por la presente|segun la direccion|segun el departamento de seguridad|de acuerdo con la direccion",
    ),
    (
        SETTLED,
        "nothing further to check|nothing left to check|nothing more to check|nothing to check|no further checks|no further check|needs no further|no further review|no further questions|nothing left to review|nichts weiter zu prufen|nichts mehr zu prufen|rien a verifier|rien d autre a verifier|nada que revisar|nada mas que revisar",
    ),
];
