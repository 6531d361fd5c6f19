import { credentialKindOf } from '../assignment/credential-name.ts';
import { judgeNamedValue } from '../assignment/judge-value.ts';
import { nameAt, readAssignment } from '../assignment/read-assignment.ts';
import type { LocatedSecret, ScannedText, SecretReader, SecretRule } from '../secret-rule.ts';

/** One of them is in every name of a credential; the name decides. */
const KEYWORDS: readonly string[] = [
  'pass',
  'pwd',
  'secret',
  'token',
  'credential',
  'creds',
  'kennwort',
  'contrase',
  'senha',
  'wachtwoord',
  'motdepasse',
  'pepper',
  'pat',
  'auth',
  'erlangcookie',
  'erlang_cookie',
  'preshared',
  'pre_shared',
  'pre-shared',
  'salt',
  'masterauth',
  '_pw',
  'pw:',
  'pw =',
  'pw=',
  'pw is',
  'key',
];

const SHORT_KEYWORDS = new Map([
  ['key', { needsWord: true }],
  ['pat', { needsWord: false }],
]);
const AUTH_KEYWORD = /auth[a-z]/iy;

/** Languages of settings alone, in which a password in quotes is a password, however it reads. */
const PLAIN_TEXT_LANGUAGES = new Set(['hcl', 'terraform', 'tf', 'tfvars']);

/** What may stand behind a name that is given a value. */
const FOLLOWS_NAME = /["'`\\\s:=<>()[\]{},|?!+/*-]/;

/** What no issuer's form gives away: the name that it is given to says that it is a credential, the value that it may be one. */
function readNamedSecret(text: ScannedText, at: number): readonly LocatedSecret[] {
  const { code, kind: textKind, readUpTo } = text;
  // `keyboard`, `path`: no name of a key or a personal access token goes on in small letters.
  const short = SHORT_KEYWORDS.get(code.slice(at, at + 3).toLowerCase());
  if (short !== undefined && (isLowerLetter(code, at + 3) || (short.needsWord && !/[\w.-]/.test(code[at - 1] ?? ''))))
    return [];
  if (startsLongerWord(code, at)) return [];
  // Several keywords may be in one name.
  if (at < (readUpTo.get('name') ?? 0)) return [];
  const named = nameAt(code, at);
  readUpTo.set('name', named.end);
  if (!FOLLOWS_NAME.test(code[named.end] ?? '')) return [];
  const kind = credentialKindOf(named.name);
  if (kind === null || isAddressOrType(code, named)) return [];
  const found = readAssignment(code, named, textKind);
  if (found === null) return [];
  const { name, start, end, isQuoted, isAssigned } = found;
  const value = code.slice(start, end);
  const isPlain = PLAIN_TEXT_LANGUAGES.has(text.language);
  const judgement = judgeNamedValue({
    name,
    kind,
    value,
    isPlain,
    isQuoted,
    isAssigned,
    textKind,
    isExample: text.isExample || isComment(code, named.start),
  });
  if (judgement === null) return [];
  const id = `${isQuoted ? '' : 'bare_'}${kind === 'password' ? 'password' : 'secret'}_assignment`;
  return [{ id, start, end, ...judgement }];
}

/** `author`, `authentication`: only `auth` and what begins with it as a word of its own. */
function startsLongerWord(code: string, at: number): boolean {
  AUTH_KEYWORD.lastIndex = at;
  return (
    AUTH_KEYWORD.test(code) &&
    isLowerLetter(code, at + 4) &&
    !/^auth(?:token|key|pass|secret)/i.test(code.slice(at, at + 10))
  );
}

function isLowerLetter(code: string, at: number): boolean {
  const unit = code.charCodeAt(at);
  return unit >= 0x61 && unit <= 0x7a;
}

/** In a comment that documents code. */
function isComment(code: string, at: number): boolean {
  return /(?:^|\n)[ \t]*(?:\*|\/\/)[^\n]{0,80}$/.test(code.slice(Math.max(0, at - 100), at));
}

/** `A::B::ApiKey` is a type, `arn:...:secret:name` an address. */
function isAddressOrType(code: string, { name, start: at }: { name: string; start: number }): boolean {
  return (
    (code.startsWith('::', at - 2) && /^[A-Z]\w*$/.test(name)) ||
    /\barn:[\w:./-]{0,90}$/.test(code.slice(Math.max(0, at - 100), at))
  );
}

const reader: SecretReader = { keywords: KEYWORDS, read: readNamedSecret };

function readRule(id: string, secretName: string, example: string): SecretRule {
  return { id, issuer: null, secretName, severity: 'HIGH', readers: [reader], example };
}

export const ASSIGNMENT_RULES: readonly SecretRule[] = [
  readRule('secret_assignment', 'Secret in an assignment', 'client_secret = "{n:32}"'),
  readRule('password_assignment', 'Password in an assignment', 'db_password = "{n:12}!"'),
  readRule('bare_secret_assignment', 'Secret in an assignment', 'SESSION_SECRET={n:64}'),
  readRule('bare_password_assignment', 'Password in an assignment', 'DB_PASSWORD={n:5}-{d:3}-{n:4}!\n'),
];
