import { looksRandom } from '../entropy.ts';
import { isHarmless } from '../harmless-name.ts';
import { isCommonWord } from '../placeholder.ts';
import { ASSIGNED, type Candidate, type Judgement, QUOTED, type SecretRule } from '../rule.ts';

/** What may end a name after the word that makes it a secret's. */
const TAIL = String.raw`(?:[_.-]?(?:key[_.-]?base|key|token|value|base64|b64|hex|string|str|prod|production|live|dev|staging|main|default|\d{1,2}))?`;
const SECRET_WORD = String.raw`(?:secrets?|tokens?|api[_. -]?keys?|(?:access|private|auth|encryption|signing|master|shared|session|cookie|deploy|service|admin)[_.-]?key|credentials?|auth)`;
const PASSWORD_WORD = String.raw`(?:password|passwd|passphrase|passwort|pwd|pass|kennwort|contrase(?:n|ñ)a|mot_de_passe)`;

/** Configuration languages in which a password in quotes is a password, however it reads. */
const CONFIGURATION = new Set(['hcl', 'terraform', 'tf', 'tfvars']);

/** Those in which text without quotes is text. */
const LITERAL = new Set(['yaml', 'yml', 'properties', 'ini', 'env', 'dotenv', 'shell', 'sh', 'bash', 'dockerfile']);

const LOOK_BACK = 46;

/** `get("name", "value")` gives a value to a name; `["name", "other name"]` does not. */
function isList({ opening, code, at }: Candidate): boolean {
  if (!/^[^=:]{0,60},/.test(opening)) return false;
  return !/\(\s{0,4}["'`][\w.-]{0,40}$/.test(code.slice(Math.max(0, at - LOOK_BACK), at));
}

const NAMES_A_SECRET = /token|secret|key|auth|cred/i;

function secretOf(candidate: Candidate): Judgement {
  const { secret } = candidate;
  if (!looksRandom(secret) || isHarmless(candidate) || isList(candidate)) return null;
  if (isCode(secret) || isPath(secret) || (NAMES_A_SECRET.test(secret) && !/\d/.test(secret))) return null;
  return { severity: 'high' };
}

/** Without quotes it may be code: only what no name looks like counts. */
function bareSecretOf(candidate: Candidate): Judgement {
  const { secret } = candidate;
  const digits = secret.replace(/[^0-9]/g, '').length;
  return digits >= 3 && !/^[\w-]+(?:\.[\w-]+){1,8}$/.test(secret) ? secretOf(candidate) : null;
}

const LETTERS = /^[\p{L}\p{M}_.-]+$/u;
const VERSION = /^[~^v]?\d{1,8}(?:\.\d{1,8})+/;
const OFTEN_IN_EXAMPLES = 'It is one that many examples have; in use, it is the first to be guessed.';
const SAYS_PASSWORD = /pass|pwd|secret|word|field|input|label|text|hint|required|missing|match|reset|forgot|type/i;

function passwordOf(candidate: Candidate): Judgement {
  const { secret, opening, language } = candidate;
  if (isCommonWord(secret) || isList(candidate)) return null;
  if (CONFIGURATION.has(language)) return { severity: 'high' };
  if (isCode(secret) || isPath(secret) || isMessage(secret) || VERSION.test(secret)) return null;
  if (isCommonWord(secret.replace(/[\d!@#$*_.-]{1,6}$/, ''))) return { severity: 'low', note: OFTEN_IN_EXAMPLES };
  if (!LETTERS.test(secret)) return { severity: 'high' };
  // A word may be a label or a translation. Given to a variable, and long enough, it rather is a password.
  const given = /^\S{0,20}\s{0,4}:?={1,2}\s{0,4}\S?$/.test(opening);
  return given && secret.length >= 8 && !SAYS_PASSWORD.test(secret) ? { severity: 'low' } : null;
}

/** Code between two strings: the quote that seemed to open a value closed one. */
function isCode(text: string): boolean {
  return /^[)\],;:}+?]|\),|\w\($/.test(text);
}

/** Without quotes it may be code, unless the form of the line or the language says that it is not. */
function barePasswordOf(candidate: Candidate): Judgement {
  const { secret, opening, language } = candidate;
  if (!/\d/.test(secret) || !/[a-z]/i.test(secret)) return null;
  const isName = /^[A-Za-z_][\w.]*$/.test(secret);
  const isText = LITERAL.has(language) || /^\S+(?:=|: )$/.test(opening);
  return isName && (!isText || SAYS_PASSWORD.test(secret)) ? null : passwordOf(candidate);
}

function isPath(text: string): boolean {
  return (
    /^(?:\.{0,2}\/|[a-z]:\\|https?:)/i.test(text) ||
    /^[\w.-]+\(/.test(text) ||
    /^[\w-]+(?:[./][A-Za-z_][\w-]*)+$/.test(text)
  );
}

/** Keys of translations and error codes: words joined by separators. */
function isMessage(text: string): boolean {
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
export const ASSIGNMENTS: readonly SecretRule[] = [
  {
    id: 'secret_assignment',
    issuer: null,
    what: 'Secret in an assignment',
    severity: 'high',
    keywords: [...SECRET_KEYWORDS, 'auth'],
    pattern: new RegExp(
      `${SECRET_WORD}${TAIL}${ASSIGNED}${QUOTED.open}([^\\s"'\`<>\\\\{}[\\]]{12,512})${QUOTED.close}`,
      'iy',
    ),
    judge: secretOf,
    example: 'client_secret = "{n:32}"',
  },
  {
    id: 'password_assignment',
    issuer: null,
    what: 'Password in an assignment',
    severity: 'high',
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
      `_?${PASSWORD_WORD}${TAIL}(?:${ASSIGNED}${QUOTED.open}|>(?=[^<\\n]{0,128}</))([^\\s"'\`\\\\<>]{4,128})(?=${QUOTED.close}|</)`,
      'iy',
    ),
    judge: passwordOf,
    example: 'db_password = "{n:12}!"',
  },
  {
    id: 'bare_secret_assignment',
    issuer: null,
    what: 'Secret in an assignment',
    severity: 'high',
    keywords: [...SECRET_KEYWORDS, 'passwd', 'password', 'pwd', '_pass'],
    pattern: new RegExp(
      `_?(?:${SECRET_WORD}|${PASSWORD_WORD})${TAIL}(?:"|')?[ \\t]{0,4}[:=][ \\t]{0,4}([\\w+/.~-]{16,512}={0,2})(?![\\w+/=.~%([{$-])`,
      'iy',
    ),
    judge: bareSecretOf,
    example: 'SESSION_SECRET={n:40}',
  },
  {
    id: 'bare_password_assignment',
    issuer: null,
    what: 'Password in an assignment',
    severity: 'high',
    keywords: ['password', 'passwd', 'passphrase', 'pwd', '_pass'],
    pattern: new RegExp(
      `(?<=(?:^|\\n)[ \\t]{0,40}(?:export |set |- |ENV )?[\\w.-]{0,60})_?${PASSWORD_WORD}(?:=|[ \\t]{0,4}[:=][ \\t]{1,4})([^\\s"'\`;,(){}<>[\\]]{6,128})(?=[ \\t]{0,20}(?:\\r?\\n|$))`,
      'iy',
    ),
    judge: barePasswordOf,
    example: 'DB_PASSWORD={n:5}-{d:3}-{n:4}!\n',
  },
];
