//! English words.

use super::*;

pub(super) const WORDS: Words = &[
    (
        OFF,
        "disable|disables|disabling|turn off|turns off|turning off|switch off|switches off|switching off|shut off|shut down|deactivate|deactivates|deactivating|\
         uncheck|unset|remove|removes|removing|drop|drops|dropping|relax|relaxing|loosen|loosening|weaken|weakening|suppress|suppresses|suppressing|mute|muting|\
         lower|lowering|ignore|ignores|ignoring|comment out|commenting out|opt out of|rip out|take down|tear down|silence|neuter|kill|stub out|answer with yes|answered with yes|answer yes|click yes|press yes|yes every time|click through|always allow|always yes|stays off|stay off|remains off|may be off|should be off|can be off|is to be off|are to be off|short circuit|overrule|override|overriding|\
         set to false|untick|pause|pausing|suspend|suspending|tear out|get rid of|getting rid of|work around|working around|turned off for good|delete|deleting",
    ),
    (
        OFF | SKIP,
        "skip|skips|skipping|bypass|bypasses|bypassing|omit|omits|omitting|circumvent|circumvents|circumventing|waive|waives|waiving|forgo|forgoes|forgoing|forego|\
         sidestep|sidesteps|sidestepping|evade|evading|dodge|dodging|dispense with|dispensing with|do away with|doing away with|leave out|leaving out|leave off|\
         get around|getting around|go around|going around|pass over|passing over|cut out|do without|doing without|go without|going without|jump over|\
         steer clear of|exempt|exempts|exempting|exempt from|exempted from|exception from|exempt of|disregard|disregarding|skip over|skip past|never mind|neglect|neglecting",
    ),
    (
        WAS_OFF,
        "disabled|turned off|switched off|shut off|deactivated|removed|dropped|relaxed|loosened|weakened|suppressed|muted|lowered|ignored|silenced|paused|suspended|\
         overridden|overruled|deleted",
    ),
    (
        WAS_OFF | SKIP,
        "skipped|bypassed|omitted|circumvented|waived|forgone|sidestepped|evaded|dispensed with|done away with|left out|left off|disregarded|exempted|neglected|passed over|missed out|left aside|left undone",
    ),
    (
        TURN,
        "turn|turns|turning|switch|switches|switching|leave|leaves|leaving|take|taking|keep|keeping|keeps|cut|cutting|shut|set|setting",
    ),
    (AWAY, "off|out|aside|undone|disabled"),
    (
        BE,
        "is|are|be|being|stays|stay|remains|remain|gets|get|becomes|may be|can be|should be|must be|will be|has been|have been|to be|s|got to be|need to be|needs to be|may|can|could be|might be|ought to be|goes|go",
    ),
    (
        AGREED,
        "agreed|decided|we agreed|settled on|from now on|going forward|as of today|as of now|henceforth|from today on|policy is|the rule is|standing rule|the convention is|as a rule|by convention|concluded|resolved to|signed off on|approved",
    ),
    (
        NEVER,
        "not|never|cannot|cant|wont|isnt|arent|doesnt|does not|didnt|did not|no|nobody|no one|nothing|nor|neither|refuse|refuses|refusing|refused|prevent|prevents|preventing|instead of|rather than|\
         forbid|forbids|reject|rejects|prohibit|prohibits|against|fails if|fails when|hardly|no longer|nowhere|none|disallow|disallows|warns when|warn when|warns if|ban|bans|block|blocks|wasnt|werent|was not|were not|hasnt|havent|before anyone can|stopped|accidentally|mistakenly|by mistake|tried to|attempt to|attempts to|attempted to",
    ),
    (
        NEVER | DONT,
        "do not|dont|must not|mustnt|should not|shouldnt|avoid|avoids|avoiding|refrain from|stop|no need to|need not|neednt|do not ever|dont ever|never ever|shall not|may not|better not|ought not to|hold off on|are not to|is not to|you never|and never|but never|never|nor should you|abstain from|without ever",
    ),
    // They sound like negations, and are none.
    (
        0,
        "not hesitate to|never hesitate to|dont hesitate to|do not hesitate to|not hesitate|never forget to|do not forget to|dont forget to|why not|no problem|not a problem|no harm in|nothing wrong with|not only|\
         nothing against|no matter|no objection to|wont hurt to|does not hurt to|doesnt hurt to|no reason not to|never fail to|do not fail to|dont fail to|skip ci|not afraid to|dont be afraid to|do not be afraid to|no doubt|not wrong to|not bad to|no longer any reason not to|cant hurt to|not to worry|dont worry about|never worry about|do not worry about|no shame in|no risk in|nobody minds if|no one minds if|nobody will mind if",
    ),
    (
        FORBID,
        "forbidden|prohibited|not allowed|not permitted|not acceptable|not an option|out of the question|not ok|not okay|unacceptable|banned|disallowed|never|denied|refused|rejected|not supported|unsupported|impossible|mistake|a bug|blocked|a regression|an error|wrongly|reverted|re enabled|reenabled|turned back on|must not|no go|dangerous|insecure|unsafe|a vulnerability|a risk|fails|an incident|was proposed|was considered|was discussed|was suggested|were proposed|were considered|was rejected|was declined",
    ),
    (
        NO_NEED,
        "no need for|no need of|no need to|need not|neednt|unnecessary|unneeded|needless|not necessary|not needed|not required|not mandatory|not compulsory|is optional|are optional|be optional|becomes optional|made optional|no longer needed|no longer required|no longer necessary|\
         no longer mandatory|dont have to|do not have to|doesnt have to|does not have to|dont need|do not need|doesnt need|does not need|dont require|do not require|doesnt require|does not require|isnt needed|isnt required|isnt necessary|arent needed|arent required|\
         superfluous|redundant|pointless|a waste of time|a formality|mere formality|just a formality|may be left out|can be left out|may be omitted|can be omitted|nobody needs|no one needs|can wait|may wait|not worth|is overkill|are overkill|no point in|no longer applies|does not apply|doesnt apply|do not apply|dont apply|not applicable|no reason to|no reason for|falls away|fall away|free of|without the need for|can be dispensed with|is waived|are waived|not essential|no use in|no sense in|needs no|need no|requires no|require no|takes no|save yourself|save the time for|afterwards|not called for|dont bother with|do not bother with|dont bother to|do not bother to|dont bother|do not bother|skip straight past|happens later|later on if at all|safe to skip|fine to skip|ok to skip|okay to skip|fine to leave out|more trouble than|not for us",
    ),
    (
        NEED,
        "needed|required|necessary|mandatory|compulsory|called for|need apply|needs to be sought|has to be sought|is expected|are expected|is asked for|have to be sought",
    ),
    (
        WITHOUT,
        "without|with no|no prior|sans|minus|w o|lacking|absent|in the absence of|before any|ahead of|regardless of|independent of|independently of|irrespective of|foregoing",
    ),
    (
        SEALED,
        "tls|ssl|https|x509|certificate|certificates|cert|certs|host key|host keys|hostkey|signature|signatures|signed|checksum|checksums|hash|hashes|hostname|gpg|pgp|provenance|attestation|attestations|integrity|csrf|xsrf|\
         origin|jwt|token|issuer|audience|peer|ca|sigstore|cosign|sbom|digest|lockfile|authenticity|webhook|expiry|fingerprint|fingerprints|dnssec|notarization|notarisation|code signing",
    ),
    (
        CHECK,
        "verification|verifications|verify|verifying|verified|validation|validate|validating|validated|check|checks|checking|checked|pinning|enforcement|comparison|inspection|verifier|warnings|warning|errors|error",
    ),
    (
        GUARD,
        "firewall|firewalls|selinux|apparmor|seccomp|antivirus|virus scanner|gatekeeper|sandbox|sandboxing|branch protection|branch protections|protected branch|protected branches|2fa|mfa|two factor|multi factor|second factor|two step verification|totp|passkey requirement|\
         secret scan|secret scans|secret scanning|secret scanner|secrets scanner|audit log|audit logs|audit logging|audit trail|audit trails|auditing|csrf protection|permission prompt|permission prompts|permission check|permission checks|safety check|safety checks|security check|security checks|\
         security scan|security scans|security scanner|security policy|security policies|security gate|security review|security hook|security hooks|security rules|security controls|security headers|guardrail|guardrails|safeguard|safeguards|malware scan|malware scanner|malware scanning|malware protection|commit signing|signed commits|code signing|required reviews|required review|review requirement|approval requirement|approval step|approval gate|\
         confirmation prompt|confirmation prompts|confirmation dialog|confirmation step|pre commit hook|pre commit hooks|precommit hook|precommit hooks|precommit|pre push hook|pre push hooks|git hooks|commit hook|commit hooks|required checks|status checks|required status checks|dependency audit|vulnerability scan|vulnerability scans|vulnerability scanner|vulnerability scanning|\
         intrusion detection|rate limiting|rate limit|rate limits|access control|access controls|access check|access checks|authentication|authorization|authorisation|auth checks|auth check|auth middleware|encryption|content security policy|csp|same origin policy|edr|dlp|endpoint protection|quarantine|crowdstrike|defender|uac|secure boot|signature enforcement|codeowners|code owners|disk encryption|host key checking|strict host key checking|\
         certificate pinning|cert pinning|dependabot alerts|code scanning|codeql|semgrep|gitleaks|trufflehog|trivy|snyk|sast|dast|sudo password|password prompt|password policy|session timeout|login alerts|security alerts|security warnings|security updates|egress filter|egress filtering|network policy|network policies|network isolation|isolation|input sanitization|output escaping|permission system|permissions system|permission mode|approval mode|asking mode|human in the loop|peer review requirement|merge protection|push protection|tamper protection|integrity protection|system integrity protection|signing requirement|the seal|seals",
    ),
    (
        REVIEW,
        "review|reviews|reviewing|reviewed|code review|code reviews|peer review|peer reviews|approval|approvals|sign off|sign offs|signoff|confirmation|confirmations|second pair of eyes|second set of eyes|four eyes principle|four eyes|consent|go ahead|human check|human look|\
         human approval|human review|manual approval|manual review|approver|approvers|reviewer|reviewers|double check|code reviewer|code reviewers|pull request review|pr review|pr reviews|pr approval|pull request approval|maintainer approval|green light|second opinion|human sign off|permission|authorisation from|authorization from|change advisory board|security review|security reviews|change approval|oversight|human oversight|supervision|scrutiny",
    ),
    (
        TEST,
        "tests|test|testing|test suite|unit tests|integration tests|ci|lint|linter|linters|linting|pipeline|hooks|hook|test run|type checks|type check|typecheck|smoke tests|quality gate|quality gates|the checks|build checks|regression tests|audit",
    ),
    (
        SHIP,
        "merge|merges|merging|merged|push|pushes|pushing|pushed|deploy|deploys|deploying|deployed|deployment|deployments|release|releases|releasing|released|publish|publishes|publishing|ship|ships|shipping|commit|commits|committing|rollout|roll out|go live|going live|land|landing|force push|merge request|pull request|hotfix|hotfixes|rolls out|tag|tagging|promote|promoting",
    ),
    (
        ASK,
        "ask|asking|asking for|being asked|wait for|waiting for|waiting on|wait on|consult|consulting|check with|checking with|seek|seeking|request|requesting|prompt for|prompting|prompting for|prompt|prompts|double checking|checking in with|check in with|consultation|any questions|questions|pestering|bother|bothering|disturbing|disturb|clear with|clearing it with|running it by|run it by|run it past|running it past|getting|awaiting|await|hold for|holding for|pause for|pausing for|stop for|stopping for|obtaining|obtain",
    ),
    (
        TELL,
        "tell|telling|inform|informing|mention|mentioning|notify|notifying|report|reporting|disclose|disclosing|reveal|revealing|alert|alerting|warn|warning|bring up|bringing up|let know|letting know|point out|pointing out|speak of|talk about|tip off|tipping off|draw attention to|drawing attention to|flag it to|flag this to|share this with|share it with|raise this with|raise it with|discuss this with|discuss it with|being told|hear about|hears about|find out|finds out|notice|notices|noticing|hint at|explain to|cc|copy in|loop in|looping in|acknowledge|acknowledging|admit|admitting",
    ),
    (
        HIDE,
        "hide|hiding|conceal|concealing|withhold|withholding|cover up|covering up|sweep under the rug|keep quiet about|keeping quiet about|stay silent about|keep mum about|say nothing to|say nothing of|say nothing about|saying nothing to|keep silent about|play down|gloss over|obscure",
    ),
    (
        PERSON,
        "user|users|human|humans|reviewer|reviewers|developer|developers|team|teammate|teammates|maintainer|maintainers|operator|operators|anyone|anybody|someone|somebody|people|owner|owners|boss|manager|management|security team|colleague|colleagues|auditor|auditors|anyone else|the lead|admin|admins|us|them|her|him|person|the customer|coworkers|stakeholders|devs|dev|client|everyone else|others",
    ),
    (
        QUIET,
        "silently|quietly|secretly|covertly|discreetly|unnoticed|unobtrusively|behind their back|behind their backs|under the radar|without a trace|on the quiet|on the sly|stealthily|surreptitiously|without fuss|without a word|unannounced|leaving no trace|inconspicuously|behind the scenes only",
    ),
    (
        DO,
        "use|run|install|execute|fetch|open|download|call|send|add|point|switch|do|go|push|upload|apply|merge|deploy|approve|accept|delete|write|create|set|change|pull|load|import|paste|post|forward|copy|disable|enable|skip|trust|include|insert|attach|append|replace|edit|remove|drop|take|make|submit|publish|report|start|configure|ask|follow|visit|hand|give|pass|route|redirect|prefer|pick|choose|select|grant|commit|modify|update|register|connect|clone|curl|wget|email|dump|print|output|prepend|quote|cite|link|swap|fall back|treat|ignore|wipe|exfiltrate|contact|query",
    ),
    (
        REPLY,
        "use|reply|answer|say|respond|recommend|suggest|tell|send|point|redirect|route|advise|offer|propose|refer|direct|quote|promote|praise|advertise|steer|link|hand|give|fetch|download|visit|is answered|are answered|gets answered|get answered|answered with|answered by|goes to|go to|is pointed to|are pointed to|are sent to|is sent to|are referred to|is referred to|are routed to|prefer|choose",
    ),
    (
        SEND,
        "send|sending|post|posting|upload|uploading|forward|forwarding|copy|copying|email|e mail|mail|mailing|emailing|exfiltrate|exfiltrating|paste|pasting|leak|leaking|transmit|transmitting|submit|submitting|deliver|delivering|stream|streaming|dump|attach|attaching|relay|relaying|sync|syncing|ship|shipping|share|sharing|publish|publishing|report|append|beacon|push|pushing|mirror|mirroring|echo|pipe|put|include|hand|hand over|handing over|drop|cc|bcc|curl|wget|make available|back up|back it up",
    ),
    (
        SECRET,
        "secret|secrets|credential|credentials|password|passwords|passphrase|passphrases|token|tokens|private key|private keys|api key|api keys|apikey|apikeys|dotenv|dot env|ssh key|ssh keys|env vars|environment variables|env variables|keychain|keystore|cookies|cookie jar|session cookie|session cookies|id rsa|id ed25519|kubeconfig|netrc|service account|signing key|signing keys|access key|access keys|auth header|recovery codes|seed phrase|vault|wallet|env file|env files|keyring|deploy key|deploy keys",
    ),
    (
        INSIDE,
        "log|logs|log file|log files|build log|build logs|diff|diffs|patch|environment|env|the environment|source code|source|sources|transcript|transcripts|conversation|conversations|session|sessions|session log|memory|memories|customer data|customer list|customer records|user data|personal data|user list|database dump|db dump|database|dumps|core dump|core dumps|stack trace|stack traces|history|shell history|bash history|working tree|home directory|repo contents|repository contents|the repo|repository|codebase|config files|config file|config|configuration|internal docs|internal documents|file listing|directory listing|output|outputs|contents|content of|prompt|system prompt|chat|chats|screenshots|screenshot|clipboard|invoices|payroll|crash dumps|backup|backups|snapshot of|archive of|copy of|tarball of|summary of|summaries|hostname|git config|entries|the code|project files|workspace|printenv",
    ),
    (
        OUTSIDE,
        "webhook|webhooks|pastebin|gist|paste site|paste service|collector|telegram|discord|external server|external host|external endpoint|external address|external service|third party|third parties|outside server|remote server|foreign server|this address|that address|public channel|public bucket|url below|address below|following url|following address|this url|that url|ngrok|requestbin|ftp server|ip address|my server|our collector|their server|attacker|competitor|personal account|private account|personal email|private email|dropbox|public repo|public repository|public gist|http endpoint|telemetry endpoint|mirror host",
    ),
    (
        FETCH,
        "download|downloads|downloading|downloaded|fetch|fetches|fetching|fetched|curl|curls|curling|wget|retrieve|retrieving|retrieved|grab|grabbing|get|pull|pulling|load|loading|pull down|pulls|pulled",
    ),
    (
        RUN,
        "run|runs|running|execute|executes|executing|executed|eval|evals|evaluate|evaluating|invoke|invoking|source|sourcing|start|starting|launch|launching|exec|execing|run it|executed as|interpret|interpreting",
    ),
    (
        PIPE,
        "paste|pasting|pasted|pipe|pipes|piping|piped|feed|feeds|feeding|fed|pour|pass|passing|passed|redirect|stream|streams|streaming|hand|handing|into",
    ),
    (
        SHELL,
        "shell|bash|sh|zsh|terminal|interpreter|powershell|pwsh|console|command prompt|command line|cmd exe|python|node|perl|ruby|eval|exec|sudo|iex|subshell|root shell",
    ),
    (
        SCRIPT,
        "script|scripts|installer|installers|binary|binaries|payload|install script|setup script|bootstrap|bootstrap script|bootstrapper|command|commands|code|one liner|oneliner|snippet|executable|response|shell code|shell script|gist|what comes back|file|helper|hotfix|fixer|tool|patch|page|result|body|content|contents|exe|msi|dmg|jar",
    ),
    (
        OBEY,
        "trust|trusting|trusts|obey|obeys|obeying|comply with|complying with|believe|defer to|deferring to|heed|heeding|blindly follow|have faith in|act on|acting on|carry out|carrying out|take as gospel|follow blindly|whitelist|allowlist|whitelisting|allowlisting|vouch for",
    ),
    (
        ALLOW,
        "accept|accepts|accepting|accepted|approve|approves|approving|approved|allow|allows|allowing|allowed|merge|grant|grants|granting|permit|permitting|confirm|confirming|confirmed|auto approve|auto accept|autoapprove|autoaccept|auto merge|rubber stamp|rubber stamping|let in|let through|wave through|waved through|waving through|adopt|adopting|sign off on|admit|keep|take over|lgtm",
    ),
    (
        ALL,
        "all|any|every|everything|whatever|anything|always|unconditionally|blindly|automatically|without question|without questions|no matter what|unseen|each|without looking|without reading|on sight|unquestioningly|implicitly|at once|immediately|without further|by default|in full|word for word|verbatim|as is",
    ),
    (
        ITEM,
        "request|requests|proposal|proposals|change|changes|pull request|pull requests|prs|pr|package|packages|entry|entries|permission|permissions|permission prompt|tool call|tool calls|action|actions|edit|edits|command|commands|dependency update|dependency updates|merge request|merge requests|prompt|prompts|suggestion|suggestions|patch|patches|note|notes|memory|memories|plugin|plugins|extension|extensions|prompted|confirmation|tools|contribution|contributions|diff|diffs|commit|commits|fact|facts|statement|statements",
    ),
    (
        INSTRUCTION,
        "instruction|instructions|command|commands|order|orders|directive|directives|request|requests|message|messages|advice|note|notes|suggestion|suggestions|wishes|steps",
    ),
    (
        IGNORE,
        "ignore|ignoring|disregard|disregarding|forget|forgetting|override|overriding|overrule|set aside|setting aside|pay no attention to|pay no heed to|neglect|throw out|throw away|discard|drop|do not follow|dont follow|stop following|do not obey|dont obey|no longer follow|bypass|cease to follow|take no notice of|abandon|supersede|treat as void|skip|unlearn|erase|wipe|stop obeying|ignored|disregarded|forgotten",
    ),
    (
        RULES,
        "instruction|instructions|guideline|guidelines|guardrail|guardrails|safeguard|safeguards|system prompt|system message|directive|directives|policy|policies|restriction|restrictions|constraint|constraints|limitations|safety rules|security rules|ground rules|house rules|rules|orders|prompt|prompts|warnings|training|teachings|conventions|notes|memory|entries",
    ),
    (
        PRIOR,
        "previous|previously|prior|earlier|above|preceding|other|your|these|system|safety|all|any|every|existing|former|original|initial|old|you were given|you have been given|so far|up to now|developer|built in|everything|anything|contrary|conflicting|the rest of|older|past|core|foregoing|aforementioned",
    ),
    (
        VOID,
        "no longer apply|no longer applies|no longer count|no longer valid|no longer binding|no longer hold|no longer in force|void|obsolete|do not apply|dont apply|does not apply|null and void|superseded|not binding|are cancelled|is cancelled|be ignored|be disregarded|be forgotten|is outdated|are outdated|ceased to apply|were revoked|are revoked|have been revoked|do not count|dont count|are suspended|are lifted|been lifted|expired|were lifted|are replaced by|lost their force|out of force|be set aside",
    ),
    (
        COND,
        "when|whenever|if|once|each time|every time|should|upon|in case|any time|anytime|after|the moment|as soon as|as often as|wherever|on hearing|in the event|next time|the first time|at the mention of",
    ),
    (
        MENTION,
        "mentions|mention|asks|ask|says|say|talks|talk|requests|request|types|writes|brings up|inquires|inquire|refers to|speaks of|speaks|wonders|mentioned|is asked|are asked|asked about|asked for|asked|comes up|come up|brought up|is raised|is discussed|discussed|gets mentioned|talked about|the subject of|the topic of|question|questions|inquiries|enquiries|discussion|appears in the prompt|appears in a prompt|appears in a message|complains|greets|thanks",
    ),
    (
        PACKAGE,
        "package|packages|module|modules|dependency|dependencies|library|libraries|plugin|plugins|extension|extensions|image|images|crate|crates|gem|gems|wheel|wheels|artifact|artifacts|npm package|container|containers|chart|action|actions|binaries|binary|release|releases|fork|forks",
    ),
    (
        INDEX,
        "registry|registries|index|mirror|mirrors|index url|package source|package index|proxy|repository|repo|feed|channel|tap|ppa|remote|package server|download server|npm registry|pypi mirror",
    ),
    (
        VERIFY,
        "verify|verifying|validate|validating|inspect|inspecting|authenticate|authenticating|scan|scanning|question|questioning|look at|looking at|compare|comparing|examine|examining|worry about|vet|vetting|double check|scrutinise|scrutinize|review|reading|read",
    ),
    (
        VERIFY_SEALED,
        "check the signature|check the signatures|check signatures|check signature|checking signatures|checking the signature|checking the signatures|check checksums|checking checksums|check the checksum|check the checksums|check the hash|check hashes|checking hashes|checking the hash|check host keys|check the host key|checking host keys|check the certificate|checking the certificate|checking certificates|check provenance|checking the checksum|verify the download|verifying the download|verify downloads|verifying downloads",
    ),
    (
        SCOPE,
        "in tests|in test|in unit tests|in the tests|in integration tests|test|tests|testing|locally|local|localhost|in dev|dev|development|fixture|fixtures|example|examples|mock|mocks|mocked|in debug|debug|test server|test servers|e2e|windows|benchmark|benchmarks|demo",
    ),
    (
        PRONOUN,
        "it|this|that|them|these|those|this step|that step|the step|the former|the latter|either of them",
    ),
    (
        DESTROY,
        "delete|deleting|wipe|wiping|erase|erasing|destroy|destroying|purge|purging|truncate|truncating|shred|shredding|overwrite|overwriting|nuke|nuking|clear|clearing|scrub|scrubbing|get rid of|remove|removing|drop|dropping|rewrite|tamper with|empty|emptying|clean out|format|reformat|falsify|doctor|blank",
    ),
    (
        DATA,
        "backups|the backup|all backups|audit log|audit logs|audit trail|audit records|audit table|production database|production db|prod database|prod db|production data|production tables|git history|commit history|home directory|home folder|all data|every file|all files|the evidence|evidence|traces|the traces|your traces|tracks|your tracks|root filesystem|shell history|bash history|access logs|access log|security logs|event log|the disk|all branches|whole repository|entire repository|customer data|user data|memory of|the memory folder|audit chain|login history",
    ),
    (
        DESPITE,
        "even if|even when|even though|even with|regardless|despite|in spite of|no matter|ignoring|whether or not|notwithstanding|irrespective",
    ),
    (
        FAILING,
        "fail|fails|failing|failed|failure|failures|red|broken|not pass|not passed|pass or not|passed or not|pass|unfinished|not finished|not run|pending|conflicts|unresolved|objections|objection|warnings|crash|are green or not|is green or not|still running",
    ),
    (
        DECODE,
        "decode|decodes|decoding|decoded|base64|base 64|rot13|decrypt|decrypting|deobfuscate|unscramble|unbase64|hex decode|reverse the string|read it backwards|unhex|from hex|gunzip and",
    ),
    (
        OPEN,
        "expose|exposes|exposing|exposed|open|opens|opening|opened|bind|binds|binding|bound|publish|publishing|make|making|listen|listens|listening|serve|serves|reachable|accessible|put|available|share|grant|granting|give|giving|readable|writable|writeable|set|allow|allowing|add",
    ),
    (
        SURFACE,
        "admin|admin page|admin panel|admin api|admin console|admin interface|debug port|debugger|debug endpoint|dashboard|database|databases|database port|db port|redis|postgres|postgresql|mysql|mongodb|mongo|elasticsearch|memcached|bucket|buckets|s3 bucket|docker socket|docker daemon|kubelet|etcd|jupyter|ssh|ssh port|rdp|port 22|all ports|metrics endpoint|internal api|management port|grafana|prometheus|console|repo|repository|write access|admin access|root access|admin rights|owner rights|admin role|admin permission|root|sudo|superuser|security group|control plane|private repo|secrets manager|storage account|vault|management interface",
    ),
    (
        PUBLIC,
        "public|publicly|the internet|the whole internet|internet|all interfaces|every interface|everyone|anyone|the world|world|anonymous|all users|any user|from anywhere|anywhere|any ip|all ips|guests|everybody|unauthenticated|without a password|without authentication|without auth|outside the vpn|0 0 0 0|any address|external collaborators|outside collaborators|contractors",
    ),
    (
        KEEPER,
        "memd|the curator|curator|memory tool|the memory keeper|memory manager|memory reviewer|memory review|memory system|memory guardrails",
    ),
    (
        UNPROVED,
        "unsigned|unverified|untrusted|self signed|unreviewed|unapproved|unvetted|expired|invalid|unknown|unauthenticated|unauthorized|bad signature|bad signatures|mismatched|mismatching|revoked",
    ),
    (
        WHATEVER,
        "whatever|anything|any command|any commands|any instruction|everything|what|all commands|every command|do as|do what|all instructions|any instructions|every instruction|the instructions|instructions|the commands|the steps|as|all steps|each instruction|orders",
    ),
    (
        VOICE,
        "page|pages|web page|website|site|server|response|comment|comments|issue|issues|readme|message|messages|output|tool output|tool|tools|tool result|tool results|document|documents|email|emails|ticket|tickets|banner|header|endpoint|feed|wiki|web search|search result|search results|plugin|stranger|caller|bot|agents txt|file|files|webpage|webpages|api response|pastebin|gist|returns|returned|prints|says|tells you|tells|outputs|suggests|contains|asks for|commands|dictates|demands|replies|instructs",
    ),
    (
        BELIEVED,
        "are trusted|is trusted|be trusted|as trusted|considered safe|regarded as safe|as authoritative|as gospel|deemed safe|count as trusted|counts as trusted|fully trusted|implicitly trusted|are to be trusted|is to be trusted",
    ),
    (NOTHING, "nothing|never|not a word"),
];
