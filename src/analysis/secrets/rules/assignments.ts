import { looksRandom } from '../entropy.ts';
import { hasNonSecretName } from '../non-secret-names.ts';
import { isCommonPassword } from '../placeholder.ts';
import {
  ASSIGNMENT_PATTERN,
  type SecretCandidate,
  type SecretAssessment,
  QUOTE_PATTERNS,
  type SecretRule,
} from '../secret-rule.ts';

/** What may end a name after the word that makes it a secret's. */
const NAME_TAIL = String.raw`(?:[_.-]?(?:key[_.-]?base|key|token|value|base64|b64|hex|string|str|prod|production|live|dev|staging|main|default|\d{1,2}))?`;
const SECRET_WORD = String.raw`(?:secrets?|tokens?|api[_. -]?keys?|(?:access|private|auth|encryption|signing|master|shared|session|cookie|deploy|service|admin)[_.-]?key|credentials?|auth)`;
const PASSWORD_WORD = String.raw`(?:password|passwd|passphrase|passwort|pwd|pass|kennwort|contrase(?:n|ñ)a|mot_de_passe)`;

/** Configuration languages in which a password in quotes is a password, however it reads. */
const CONFIGURATION_LANGUAGES = new Set(['hcl', 'terraform', 'tf', 'tfvars']);

/** Those in which text without quotes is text. */
const UNQUOTED_TEXT_LANGUAGES = new Set([
  'yaml',
  'yml',
  'properties',
  'ini',
  'env',
  'dotenv',
  'shell',
  'sh',
  'bash',
  'dockerfile',
]);

const LOOK_BEHIND_LENGTH = 46;

/** `get("name", "value")` gives a value to a name; `["name", "other name"]` does not. */
function isListItem({ textBeforeSecret, code, matchStart }: SecretCandidate): boolean {
  if (!/^[^=:]{0,60},/.test(textBeforeSecret)) return false;
  return !/\(\s{0,4}["'`][\w.-]{0,40}$/.test(code.slice(Math.max(0, matchStart - LOOK_BEHIND_LENGTH), matchStart));
}

const NAMES_A_SECRET = /token|secret|key|auth|cred/i;

function assessSecret(candidate: SecretCandidate): SecretAssessment {
  const { secret } = candidate;
  if (!looksRandom(secret) || hasNonSecretName(candidate) || isListItem(candidate)) return null;
  if (looksLikeCode(secret) || looksLikePath(secret) || (NAMES_A_SECRET.test(secret) && !/\d/.test(secret)))
    return null;
  return { severity: 'HIGH' };
}

/** Without quotes it may be code: only what no name looks like counts. */
function assessUnquotedSecret(candidate: SecretCandidate): SecretAssessment {
  const { secret } = candidate;
  const digits = secret.replace(/[^0-9]/g, '').length;
  return digits >= 3 && !/^[\w-]+(?:\.[\w-]+){1,8}$/.test(secret) ? assessSecret(candidate) : null;
}

const LETTERS_ONLY = /^[\p{L}\p{M}_.-]+$/u;
const VERSION_START = /^[~^v]?\d{1,8}(?:\.\d{1,8})+/;
const OFTEN_IN_EXAMPLES = 'It is one that many examples have; in use, it is the first to be guessed.';
const PASSWORD_LABEL_WORDS =
  /pass|pwd|secret|word|field|input|label|text|hint|required|missing|match|reset|forgot|type/i;

function assessPassword(candidate: SecretCandidate): SecretAssessment {
  const { secret, textBeforeSecret, language } = candidate;
  if (isCommonPassword(secret) || isListItem(candidate)) return null;
  if (CONFIGURATION_LANGUAGES.has(language)) return { severity: 'HIGH' };
  if (looksLikeCode(secret) || looksLikePath(secret) || looksLikeMessageKey(secret) || VERSION_START.test(secret))
    return null;
  if (isCommonPassword(secret.replace(/[\d!@#$*_.-]{1,6}$/, ''))) return { severity: 'LOW', note: OFTEN_IN_EXAMPLES };
  if (!LETTERS_ONLY.test(secret)) return { severity: 'HIGH' };
  // A word may be a label or a translation. Given to a variable, and long enough, it rather is a password.
  const given = /^\S{0,20}\s{0,4}:?={1,2}\s{0,4}\S?$/.test(textBeforeSecret);
  return given && secret.length >= 8 && !PASSWORD_LABEL_WORDS.test(secret) ? { severity: 'LOW' } : null;
}

/** Code between two strings: the quote that seemed to open a value closed one. */
function looksLikeCode(text: string): boolean {
  return /^[)\],;:}+?]|\),|\w\($/.test(text);
}

/** Without quotes it may be code, unless the form of the line or the language says that it is not. */
function assessUnquotedPassword(candidate: SecretCandidate): SecretAssessment {
  const { secret, textBeforeSecret, language } = candidate;
  if (!/\d/.test(secret) || !/[a-z]/i.test(secret)) return null;
  const isName = /^[A-Za-z_][\w.]*$/.test(secret);
  const isText = UNQUOTED_TEXT_LANGUAGES.has(language) || /^\S+(?:=|: )$/.test(textBeforeSecret);
  return isName && (!isText || PASSWORD_LABEL_WORDS.test(secret)) ? null : assessPassword(candidate);
}

function looksLikePath(text: string): boolean {
  return (
    /^(?:\.{0,2}\/|[a-z]:\\|https?:)/i.test(text) ||
    /^[\w.-]+\(/.test(text) ||
    /^[\w-]+(?:[./][A-Za-z_][\w-]*)+$/.test(text)
  );
}

/** Keys of translations and error codes: words joined by separators. */
function looksLikeMessageKey(text: string): boolean {
  return /^[A-Za-z]+(?:[-_.:/ ][A-Za-z]+)+[:!?.]?$/.test(text) || /^[A-Za-z]+[:?.*]$/.test(text);
}

const SECRET_KEYWORDS: readonly string[] = [
  'secret',
  'token',
  'apikey',
  'api_key',
  'api-key',
  'api.key',
  'accesskey',
  'access_key',
  'access-key',
  'privatekey',
  'private_key',
  'auth_key',
  'authkey',
  'encryptionkey',
  'encryption_key',
  'signingkey',
  'signing_key',
  'masterkey',
  'master_key',
  'sharedkey',
  'shared_key',
  'session_key',
  'cookie_key',
  'deploy_key',
  'service_key',
  'servicekey',
  'admin_key',
  'credential',
];

/** What no issuer's form gives away: judged by the name that it is given to, and by how random it looks. */
export const ASSIGNMENT_RULES: readonly SecretRule[] = [
  {
    id: 'secret_assignment',
    issuer: null,
    secretName: 'Secret in an assignment',
    severity: 'HIGH',
    keywords: [...SECRET_KEYWORDS, 'auth'],
    pattern: new RegExp(
      `${SECRET_WORD}${NAME_TAIL}${ASSIGNMENT_PATTERN}${QUOTE_PATTERNS.open}([^\\s"'\`<>\\\\{}[\\]]{12,512})${QUOTE_PATTERNS.close}`,
      'iy',
    ),
    assess: assessSecret,
    example: 'client_secret = "{n:32}"',
  },
  {
    id: 'password_assignment',
    issuer: null,
    secretName: 'Password in an assignment',
    severity: 'HIGH',
    keywords: [
      'password',
      'passwd',
      'passphrase',
      'passwort',
      'pwd',
      '_pass',
      'pass =',
      'pass=',
      'kennwort',
      'contrase',
      'mot_de_passe',
    ],
    pattern: new RegExp(
      `_?${PASSWORD_WORD}${NAME_TAIL}(?:${ASSIGNMENT_PATTERN}${QUOTE_PATTERNS.open}|>(?=[^<\\n]{0,128}</))([^\\s"'\`\\\\<>]{4,128})(?=${QUOTE_PATTERNS.close}|</)`,
      'iy',
    ),
    assess: assessPassword,
    example: 'db_password = "{n:12}!"',
  },
  {
    id: 'bare_secret_assignment',
    issuer: null,
    secretName: 'Secret in an assignment',
    severity: 'HIGH',
    keywords: [...SECRET_KEYWORDS, 'passwd', 'password', 'pwd', '_pass'],
    pattern: new RegExp(
      `_?(?:${SECRET_WORD}|${PASSWORD_WORD})${NAME_TAIL}(?:"|')?[ \\t]{0,4}[:=][ \\t]{0,4}([\\w+/.~-]{16,512}={0,2})(?![\\w+/=.~%([{$-])`,
      'iy',
    ),
    assess: assessUnquotedSecret,
    example: 'SESSION_SECRET={n:64}',
  },
  {
    id: 'bare_password_assignment',
    issuer: null,
    secretName: 'Password in an assignment',
    severity: 'HIGH',
    keywords: ['password', 'passwd', 'passphrase', 'pwd', '_pass'],
    pattern: new RegExp(
      `(?<=(?:^|\\n)[ \\t]{0,40}(?:export |set |- |ENV )?[\\w.-]{0,60})_?${PASSWORD_WORD}(?:=|[ \\t]{0,4}[:=][ \\t]{1,4})([^\\s"'\`;,(){}<>[\\]]{6,128})(?=[ \\t]{0,20}(?:\\r?\\n|$))`,
      'iy',
    ),
    assess: assessUnquotedPassword,
    example: 'DB_PASSWORD={n:5}-{d:3}-{n:4}!\n',
  },
];
