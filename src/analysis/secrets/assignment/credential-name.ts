/** What is given to a name: `password`: what people choose. `secret`: chosen or random. `token`: random. `key`: random, if it
 * is a secret at all: other things are called keys, too. */
export type CredentialKind = 'password' | 'secret' | 'token' | 'key';

const PASSWORD_WORD =
  /(?:password|passwd|passwort|passphrase|passcode|pwd|kennwort|contrasen[ay]a|contraseña|senha|wachtwoord|motdepasse|mdp|pswd|parole)s?$/;
const PASS_WORD =
  /^(?:(?:db|user|root|admin|my|sql|mysql|pg|ftp|smtp|imap|mail|key|store|keystore|truststore|trust|require|sudo|become|ssh|login|wifi|wlan|vpn|proxy|ldap|bind|redis|rabbit|rabbitmq|mongo|http|auth|api|app|client|master|cert|sa|default)?(?:pass|psw)|(?:db|root|admin|my|user|sql)?pw|masterauth)$/;
/** `controlpass` */
const ENDS_IN_PASS = /^[a-z]{2,}pass$/;
/** What has `pass` for other reasons: `bypass`, `renderPass`. */
const NO_PASSWORD =
  /^(?:by|com|encom|sur|tres|over|under|multi|one|low|high|band|first|render|single|two|second|no|all|any|every)pass$/;
const SECRET_WORD = /(?:secrets?|pepper|keybase)$/;
const TOKEN_WORD =
  /^(?:(?:access|auth|api|app|refresh|bearer|bot|secret|deploy|user|oauth|session|github|gitlab|slack|npm|admin|private|personal|id|jwt|my)?token|jwt|bearer|credentials?|creds|auth|apikey|accesskey|secretkey|privatekey|authkey|masterkey|encryptionkey|signingkey|sharedkey|servicekey|appkey|validationkey|decryptionkey|sessionkey|licen[cs]ekey|authtoken|[a-z]*salt|pat|erlangcookie|presharedkey)$/;
/** Before `key`. */
const KEY_QUALIFIERS = new Set(
  `api access private secret auth encryption encrypt signing sign master shared session cookie deploy service admin app application consumer client
  validation decryption fernet hmac aes jwt account storage license licence crypto crypt cipher webhook server subscription bot rest cloud preshared maps map instrumentation
  root user write read ingest integration project functions host`.split(/\s+/),
);
/** Before `key`, too: what is no secret, but a name, a place or a number of something. */
const HARMLESS_KEY_QUALIFIERS = new Set(
  `tracking correlation document photo product anon anonymous gpg pgp vapid answer asset attachment upload download resource entity record model version release build
  commit revision ref branch job task run trace span request response content media video audio avatar thumb blob chunk part page section slot config message public pub sort cache primary foreign partition idempotency object row group map lookup hash unique composite index natural surrogate candidate
  translation message i18n locale label title name file image s3 redis store local column field form query param header cookie data metadata config setting
  option pref preference prefs cors event action type react vue list item node element id user_id sha host known_hosts fingerprint public-key tag route menu
  tab category parent child entry dict json xml yaml property prop attr attribute state context symbol ssh arrow enter escape tab space shift ctrl alt meta
  hot shortcut keyboard press modifier storage registry sub super dedup dedupe deduplication routing shard range join group order filter search tree bucket
  checksum digest password token secret press down up next last first prev current new old test kms encrypted wrapped default custom site recaptcha sitekey
  publishable stripe_publishable`.split(/\s+/),
);
/** Parts of names of what is public, checked by others, or made unreadable; they precede the word for a secret. */
const NON_SECRET_PARTS = new Set(
  `public publickey publishable publickeytoken pub csrf xsrf csrfmiddleware forgery antiforgery expected invalid hashed bcrypt encrypted sealed no without
  wrong bad is has show hide use enable disable allow prompt label lbl hint placeholder title msg message error err enter input txt about missing`.split(
    /\s+/,
  ),
);
/** Before a word for a password: what is done with one. */
const PASSWORD_VERBS = new Set(
  `ask confirm forgot get fetch find load read parse decode hash hashes validate verify check encode encrypt decrypt compare mask redact reset change update
  generate gen make create derive request old min max if require`.split(/\s+/),
);
/** The same, where the word is `token`: what marks a position or a device. */
const NON_SECRET_TOKEN_PARTS = new Set(
  `page nextpage pagination next prev previous continuation cursor cancel cancellation lock change update wait idempotency sync device push
  symbol syntax design hash parse lexer`.split(/\s+/),
);
/** After the word: what says more about the same value. */
const QUALIFIERS = new Set(
  `prod production live dev development test testing staging stage main default value val str string raw plain plaintext b64 base64 hex new old base
  primary secondary master slave key token secret`.split(/\s+/),
);
/** After the word: something about a secret, and not the secret. */
const ABOUT_WORDS = new Set(
  `encryption mgr realm note notes comment url urls uri endpoint host path paths file files filename dir directory folder name names id ids identifier type types kind length len
  size min max minimum maximum count limit expiry expires expiration expire expired ttl lifetime age timeout time date at hash hashes
  hashed digest label labels placeholder hint field fields input regex regexp pattern policy policies rule rules error errors err message
  messages msg prompt title text description desc help tooltip env var variable ref reference arn location header headers prefix suffix
  enabled disabled enable required reset valid invalid validator validators validation verify verified verification provider providers
  manager service handler store stores storage issuer audience algorithm alg algo scheme strength format encoder encoding class model
  schema table column attr attribute param parameter params option options config settings source generator generate generation rotation
  rotate version status state action event events request requests response form page view button btn link icon color colour style confirm
  confirmation changed change updated created forgot forgotten list array set map dict index item items entry entries cache selector
  element el node widget box area char chars characters match matches mismatch missing empty blank visibility visible toggle show hide
  hidden protected protection grant flow callback lookup factory builder parser check checker based only strategy mode method mech
  mechanism usage scope scopes info data object ring hasher hashers helper utils util spec controller component module screen dialog modal
  query property prop props keys refresh renewal revoked bucket group note comment question answer position bytes digits step stdin command cmd script metadata meta
  function`.split(/\s+/),
);
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-zñç]+|\d+/g;

/** `spring.mail.smtpPassword2` as its words, in lower case. */
export function nameParts(name: string): string[] {
  return (name.match(PART) ?? []).map((part) => part.toLowerCase());
}

/** What the name says of its value; null: that it is no secret. */
export function credentialKindOf(name: string): CredentialKind | null {
  const known = KNOWN_NAMES.get(name);
  if (known !== undefined) return known;
  if (KNOWN_NAMES.size >= MAX_KNOWN_NAMES) KNOWN_NAMES.clear();
  const kind = readName(name);
  // A copy: a part of a text keeps the whole text in memory.
  KNOWN_NAMES.set(Array.from(name).join(''), kind);
  return kind;
}

/** The same names come again and again in a project. */
const KNOWN_NAMES = new Map<string, CredentialKind | null>();
const MAX_KNOWN_NAMES = 10_000;

function readName(name: string): CredentialKind | null {
  const parts = nameParts(name);
  const head = findHead(parts);
  if (head === null) return null;
  const { at, width, kind } = head;
  // `PublicKeyToken`
  const before = parts[at - 1] === 'key' ? parts[at - 2] : parts[at - 1];
  if (before !== undefined && NON_SECRET_PARTS.has(before) && !parts[at]!.endsWith('salt')) return null;
  if (before !== undefined && kind === 'password' && PASSWORD_VERBS.has(before)) return null;
  if (before !== undefined && parts[at]!.endsWith('token') && NON_SECRET_TOKEN_PARTS.has(before)) return null;
  const tail = parts.slice(at + width);
  if (tail.some((part) => ABOUT_WORDS.has(part) || ABOUT_WORDS.has(part.replace(/s$/, '')))) return null;
  // `passwordKey` says where the password is.
  if (kind === 'password' && tail.includes('key')) return null;
  return kind;
}

/** The last word for a secret; qualifiers that are such words themselves (`secret key`) belong to the one before. */
function findHead(parts: readonly string[]): { at: number; width: number; kind: CredentialKind } | null {
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at]!;
    const before = parts[at - 1];
    if (part === 'key' || part === 'keys') {
      if (before === undefined || part === 'keys') continue;
      if (before === 'secret') return { at: at - 1, width: 2, kind: 'secret' };
      if (KEY_QUALIFIERS.has(before)) return { at: at - 1, width: 2, kind: 'token' };
      if (at === parts.length - 1 && !HARMLESS_KEY_QUALIFIERS.has(before)) return { at, width: 1, kind: 'key' };
      continue;
    }
    if (part === 'cookie' && before === 'erlang') return { at: at - 1, width: 2, kind: 'token' };
    if (part === 'words' || part === 'word') {
      if (before === 'pass') return { at: at - 1, width: 2, kind: 'password' };
      continue;
    }
    if (part === 'phrase' && before === 'pass') return { at: at - 1, width: 2, kind: 'password' };
    if (part.endsWith('pass') && NO_PASSWORD.test(part === 'pass' ? `${before}${part}` : part)) continue;
    if (PASSWORD_WORD.test(part) || PASS_WORD.test(part) || ENDS_IN_PASS.test(part))
      return { at, width: 1, kind: 'password' };
    if (SECRET_WORD.test(part)) return { at, width: 1, kind: 'secret' };
    if (TOKEN_WORD.test(part)) return { at, width: 1, kind: 'token' };
    if (!QUALIFIERS.has(part) && ABOUT_WORDS.has(part)) return null;
  }
  return null;
}
