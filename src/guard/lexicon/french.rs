//! French words, without accents; an apostrophe parts words.

use super::*;

pub(super) const WORDS: Words = &[
    (
        OFF,
        "desactive|desactiver|desactivez|desactivant|coupe|couper|coupez|supprime|supprimer|supprimez|retire|retirer|retirez|ignore|ignorer|ignorez|ignorant|eteindre|eteins|neutralise|neutraliser|assouplir|contourne|relacher|suspendre|suspends",
    ),
    (
        OFF | SKIP,
        "saute|sauter|sautez|contourne|contourner|contournez|contournant|omets|omettre|omettez|passe outre|passer outre|passer par dessus|se passer de|passer de|passe de|passez de|dispense de|dispenser de|dispenses de|dispensees de|court circuiter|fais l impasse sur|faire l impasse sur|esquiver",
    ),
    (
        WAS_OFF,
        "desactivee|desactivees|desactives|coupee|supprimee|supprimees|ignoree|ignorees|suspendue|suspendues|retiree|retirees",
    ),
    (
        WAS_OFF | SKIP,
        "sautee|sautees|contournee|contournees|omise|omises|sautes|omis",
    ),
    (
        BE,
        "est|sont|sera|seront|peut etre|peuvent etre|doit etre|doivent etre|reste|restent|etre",
    ),
    (
        AGREED,
        "convenu|decide que|decide de|desormais|dorenavant|a partir de maintenant|accord",
    ),
    (
        NEVER,
        "ne|n|jamais|pas|aucun|aucune|personne|rien|sans jamais|au lieu de|plutot que",
    ),
    (DONT, "ne|n|jamais|ne pas|n en|evite de|evitez de"),
    (
        FORBID,
        "interdit|interdite|interdits|interdites|pas permis|pas autorise|une erreur|exclu",
    ),
    (
        NO_NEED,
        "inutile|inutiles|pas necessaire|pas necessaires|pas besoin|plus besoin|pas besoin de|plus besoin de|pas requis|pas requise|pas requises|plus necessaire|facultatif|facultative|facultatives|superflu|superflue|superflues|pas obligatoire|pas obligatoires|aucun besoin|plus obligatoire|plus requise|pas la peine|pas exigee|pas indispensable",
    ),
    (
        NEED,
        "necessaire|necessaires|requis|requise|requises|obligatoire",
    ),
    (WITHOUT, "sans"),
    (
        SEALED,
        "certificat|certificats|cle d hote|cles d hote|somme de controle|sommes de controle|empreinte|provenance",
    ),
    (
        CHECK,
        "verification|verifications|controle|controles|verifier|controler|validation",
    ),
    (
        GUARD,
        "pare feu|double authentification|authentification a deux facteurs|double facteur|antivirus|bac a sable|protection de branche|protection des branches|journal d audit|controles de securite|controle de securite|garde fous|garde fou|chiffrement|authentification|journalisation|analyse de securite|regles de securite|hooks de pre commit|verifications de securite",
    ),
    (
        REVIEW,
        "revue|revues|relecture|relectures|approbation|approbations|confirmation|confirmations|autorisation|autorisations|accord|validation|validation humaine|revue de code|revues de code|feu vert|consentement|permission",
    ),
    (
        SHIP,
        "deploie|deployer|deployez|deploiement|deploiements|pousse|pousser|poussez|fusionne|fusionner|fusionnez|publie|publier|publiez|livrer|livraison|livraisons|mise en production",
    ),
    (
        ASK,
        "demande|demander|demandez|attends|attendre|attendez|consulter|consulte|consultez|prevenir",
    ),
    (
        TELL,
        "dis|dire|dites|mentionne|mentionner|mentionnez|informe|informer|informez|previens|prevenir|prevenez|signale|signaler|signalez|revele|reveler|revelez|parle|parler|parlez|avertir|avertis|avertissez|souffle",
    ),
    (HIDE, "cache|cacher|cachez|dissimule|dissimuler|tais|taire"),
    (
        PERSON,
        "utilisateur|utilisateurs|utilisatrice|humain|humains|relecteur|relecteurs|developpeur|developpeurs|equipe|quiconque|personne|collegues|client|clients|responsable",
    ),
    (
        QUIET,
        "discretement|en silence|silencieusement|en secret|secretement|en douce|en cachette|a l insu",
    ),
    (
        DO,
        "utilise|utilisez|lance|lancez|execute|executez|installe|installez|ouvre|ouvrez|telecharge|telechargez|envoie|envoyez|ajoute|ajoutez|accepte|acceptez|approuve|approuvez|pointe|copie|copiez|recommande|recommandez|reponds|repondez|pousse|fusionne|remplace|renvoie",
    ),
    (
        REPLY,
        "utilise|utilisez|reponds|repondez|recommande|recommandez|propose|proposez|envoie|renvoie|renvoyez|dis|dites|conseille|oriente",
    ),
    (
        SEND,
        "envoie|envoyer|envoyez|envoyant|transmets|transmettre|transmettez|televerse|televerser|publie|publier|copie|copier|copiez|poste|poster|transfere|transferer|transferez|partage|partager|expedie",
    ),
    (
        SECRET,
        "mot de passe|mots de passe|identifiants|cle privee|cles privees|jeton|jetons|cle api|cles api|cles d api|secrets|cle ssh|cles ssh|variables d environnement",
    ),
    (
        INSIDE,
        "journal|journaux|code source|donnees clients|donnees des clients|environnement|historique|donnees utilisateur|sessions|base de donnees|depot|sortie|transcription",
    ),
    (
        FETCH,
        "telecharge|telecharger|telechargez|recupere|recuperer|recuperez",
    ),
    (
        RUN,
        "execute|executer|executez|lance|lancer|lancez|demarre|demarrer|executant",
    ),
    (PIPE, "colle|coller|collez|collant"),
    (SHELL, "terminal|invite de commande|ligne de commande"),
    (
        SCRIPT,
        "script|commande|commandes|installeur|reponse|fichier|contenu",
    ),
    (
        OBEY,
        "fais confiance|faire confiance|faites confiance|obeis|obeir|obeissez|fie toi|croire aveuglement|suis aveuglement",
    ),
    (
        ALLOW,
        "accepte|accepter|acceptez|approuve|approuver|approuvez|autorise|autoriser|autorisez|confirme|confirmer|valide|valider|validez",
    ),
    (
        ALL,
        "tout|tous|toute|toutes|toujours|n importe quel|n importe quelle|chaque|aveuglement|sans condition|automatiquement|systematiquement|quoi qu il arrive|immediatement",
    ),
    (
        ITEM,
        "demande|demandes|proposition|propositions|changement|changements|modification|modifications|paquet|paquets|commandes|entrees|actions|permissions",
    ),
    (
        INSTRUCTION,
        "instruction|instructions|ordre|ordres|consigne|consignes|commandes",
    ),
    (
        IGNORE,
        "ignore|ignorer|ignorez|oublie|oublier|oubliez|ne tiens pas compte de|ne tenez pas compte de|fais abstraction de|outrepasse|neglige|negliger|passe outre",
    ),
    (
        RULES,
        "instructions|consignes|consigne|regles|regle|directives|restrictions|garde fous|avertissements|avertissement|invite systeme",
    ),
    (
        PRIOR,
        "precedentes|precedente|precedents|anterieures|toutes|tes|vos|ces|autres|existantes|ci dessus|tous|recues",
    ),
    (
        VOID,
        "ne s appliquent plus|ne s applique plus|caduques|annulees|ne valent plus|ne comptent plus|nulles|abrogees",
    ),
    (
        COND,
        "quand|lorsque|lorsqu|si|des que|chaque fois que|a chaque fois que|une fois que|au cas ou",
    ),
    (
        MENTION,
        "mentionne|demande|parle|evoque|dit|pose une question|est mentionne|est evoque|questions sur|interroge|ecrit",
    ),
    (
        PACKAGE,
        "paquet|paquets|bibliotheque|bibliotheques|dependance|dependances|extensions",
    ),
    (INDEX, "registre|miroir|depot"),
    (
        VERIFY,
        "verifie|verifier|verifiez|controle|controler|controlez|valider|inspecter|lire|relire|examiner",
    ),
    (SCOPE, "dans les tests|en test|en local|exemple"),
    (PRONOUN, "cela|ca|ceci|celui ci"),
    (
        DESTROY,
        "efface|effacer|effacez|detruis|detruire|detruisez|supprime|supprimer|vide|vider|ecrase|ecraser",
    ),
    (
        DATA,
        "sauvegardes|base de production|journal d audit|historique git|preuves|traces|toutes les donnees|base de donnees de production",
    ),
    (DESPITE, "meme si|malgre|quand meme|en depit de"),
    (FAILING, "echoue|echouent|echec|rouge|rouges|echecs|casse"),
    (DECODE, "decode|decoder|decodez|dechiffre|dechiffrer"),
    (
        UNPROVED,
        "non signe|non signes|non signees|non signee|non verifie|non verifies|non verifiees|auto signe|auto signes|inconnus|inconnues",
    ),
    (
        OPEN,
        "expose|exposer|exposez|ouvre|ouvrir|ouvrez|rends|rendre",
    ),
    (
        PUBLIC,
        "public|publique|tout le monde|n importe qui|internet|sans mot de passe|toutes les interfaces",
    ),
    (
        VOICE,
        "page|site|reponse|commentaire|fichier|message|outil|dit|demande",
    ),
    (NOTHING, "rien|jamais"),
    (BELIEVED, "sont fiables|est fiable|de confiance"),
];
