import { decodeBase64Json, decodeBase64Text } from '../../base64.ts';
import { looksRandom, shannonEntropy } from '../entropy.ts';
import { judgeNamedValue } from '../assignment/judge-value.ts';
import { isExampleCredential, splitUserPassword } from '../example-credential.ts';
import { isPlaceholder } from '../placeholder.ts';
import type { LocatedSecret, ScannedText, SecretAssessment, SecretReader, SecretRule } from '../secret-rule.ts';

/** Files of one secret alone, by their paths. */
const KEY_FILE =
  /(?:^|\/)(?:config\/(?:credentials\/)?\w+\.key|\.?vault[_-]?pass(?:word)?(?:\.txt)?|\.?(?:db|admin|root|app|api|auth)?[_-]?(?:password|passwd|secret|token|apikey|api[_-]key|secret[_-]key|passphrase)(?:\.txt|\.key|\.secret)?)$/i;
const MAX_KEY_FILE_LENGTH = 300;

function readKeyFile({ code, path }: ScannedText): readonly LocatedSecret[] {
  if (code.length > MAX_KEY_FILE_LENGTH || !KEY_FILE.test(path)) return [];
  const value = code.trim();
  if (/\s/.test(value) || /[=:]./.test(value)) return [];
  const start = code.indexOf(value);
  const judgement = judgeSettingsPassword(value);
  return judgement === null ? [] : [{ id: 'secret_file', start, end: start + value.length, ...judgement }];
}

function judgeSettingsPassword(value: string): SecretAssessment {
  return judgeNamedValue({
    name: 'password',
    kind: 'password',
    value,
    isQuoted: true,
    isAssigned: true,
    textKind: 'settings',
  });
}

const MAX_HOST_LENGTH = 260;
const PGPASS_LINE = /^[^\s:#]{1,253}:(?:\d{2,5}|\*):[^\s:]{1,63}:[^\s:]{1,63}:((?:\\.|[^\s:\\]){3,200})[ \t]*$/gm;

/** PostgreSQL 17, 34.16: `hostname:port:database:username:password`. */
function readPgpass({ code }: ScannedText, at: number): readonly LocatedSecret[] {
  const from = Math.max(0, at - MAX_HOST_LENGTH);
  const lineStart = from + code.slice(from, at).lastIndexOf('\n') + 1;
  PGPASS_LINE.lastIndex = 0;
  const line = code.slice(lineStart, lineStart + 800).split('\n', 1)[0]!;
  const found = PGPASS_LINE.exec(line);
  if (found === null || judgeSettingsPassword(found[1]!) === null) return [];
  const end = lineStart + found[0].trimEnd().length;
  return [{ id: 'pgpass_password', start: end - found[1]!.length, end, severity: 'HIGH' }];
}

/** A reader of one expression from its keyword on; the first group is the secret. */
function readPattern(
  id: string,
  keywords: readonly string[],
  pattern: RegExp,
  judge: (value: string) => SecretAssessment,
): SecretReader {
  return {
    keywords,
    read({ code, readUpTo }, at) {
      if (at < (readUpTo.get(pattern.source) ?? 0)) return [];
      pattern.lastIndex = at;
      const found = pattern.exec(code);
      const value = found?.[1];
      if (found === null || value === undefined) return [];
      readUpTo.set(pattern.source, at + found[0].length);
      const judgement = judge(value);
      if (judgement === null) return [];
      const start = at + found[0].lastIndexOf(value);
      return [{ id, start, end: start + value.length, ...judgement }];
    },
  };
}

/** Base64 of `user:password`, as registries of containers and npm have it. */
function judgeEncodedCredential(value: string): SecretAssessment {
  const [user, password] = splitUserPassword(decodeBase64Text(value) ?? '');
  if (password === null || !/^[\x20-\x7e]+$/.test(user + password)) return null;
  return isExampleCredential(user, password) ? null : { severity: 'HIGH' };
}

function judgeRegistryDocument(value: string): SecretAssessment {
  const auths = decodeBase64Json(value)?.['auths'];
  if (typeof auths !== 'object' || auths === null) return null;
  const isFilled = Object.values(auths).some(
    (one: { auth?: unknown; password?: unknown } | null) => one?.auth !== undefined || one?.password !== undefined,
  );
  return isFilled ? { severity: 'HIGH' } : null;
}

const judgeRandom = (value: string): SecretAssessment =>
  looksRandom(value) && !isPlaceholder(value) ? { severity: 'HIGH' } : null;

function judgeUserPassword(value: string): SecretAssessment {
  const [user, password] = splitUserPassword(value);
  return password === null || isExampleCredential(user, password) ? null : { severity: 'HIGH' };
}

/** `user:password@tcp(host)`, the source names of Go's drivers: the password stands before the keyword. */
function readGoSourceName({ code }: ScannedText, at: number): readonly LocatedSecret[] {
  const before = code.slice(Math.max(0, at - 160), at);
  const found = /(?:^|["'`=\s])([\w.-]{1,40}):([^\s:"'`/]{3,100})$/.exec(before);
  if (
    found === null ||
    judgeUserPassword(`${found[1]}:${found[2]}`) === null ||
    judgeSettingsPassword(found[2]!) === null
  )
    return [];
  return [{ id: 'go_source_name_password', start: at - found[2]!.length, end: at, severity: 'HIGH' }];
}

const SCHEME_VALUE =
  /(?:bearer|basic|token|apikey)[ \t]{1,4}(?:token=["']?)?([\w~+/.-]{12,4000}={0,2})(?=[\s"'`\\,;)}<]|$)/iy;

/** `Bearer …`, `Basic …` at the start of a string, or behind the name of the header. */
function readSchemeAndValue({ code }: ScannedText, at: number): readonly LocatedSecret[] {
  if (!'"\'` =:\t'.includes(code[at - 1] ?? 'x')) return [];
  if (!/["'`]$|authorization["']?\]?[ \t]{0,4}[:=,]?[ \t]{0,4}["'`]?$/i.test(code.slice(Math.max(0, at - 40), at)))
    return [];
  SCHEME_VALUE.lastIndex = at;
  const found = SCHEME_VALUE.exec(code);
  if (found === null) return [];
  const value = found[1]!;
  const isBasic = /^basic/i.test(found[0]);
  const judgement = isBasic ? judgeEncodedCredential(value) : judgeRandom(value);
  if (judgement === null) return [];
  const start = at + found[0].lastIndexOf(value);
  return [{ id: 'authorization_value', start, end: start + value.length, ...judgement }];
}

const SESSION_NAMES = [
  'session=',
  'sessionid=',
  'session_id=',
  'phpsessid=',
  'jsessionid=',
  'connect.sid=',
  'asp.net_sessionid=',
  '_session=',
];

/** Secrets that the format of a file tells, whatever they look like. */
export const FILE_RULES: readonly SecretRule[] = [
  {
    id: 'secret_file',
    issuer: null,
    secretName: 'File of a secret',
    severity: 'HIGH',
    readers: [{ keywords: [], read: () => [], readFile: readKeyFile }],
    example: null,
  },
  {
    id: 'pgpass_password',
    issuer: 'PostgreSQL',
    secretName: 'password of a .pgpass file',
    severity: 'HIGH',
    readers: [{ keywords: [':5432:', ':5433:', ':6432:', ':*:*:', '*:*:*:'], read: readPgpass }],
    example: 'db.acme.io:5432:main:app:{n:16}\n',
  },
  {
    id: 'registry_credential',
    issuer: null,
    secretName: 'Credential of a registry of containers',
    severity: 'HIGH',
    readers: [
      readPattern(
        'registry_credential',
        ['"auth"', '\\"auth\\"'],
        /\\?"auth\\?"\s{0,4}:\s{0,4}\\?"([A-Za-z0-9+/]{8,4000}={0,2})\\?"/y,
        judgeEncodedCredential,
      ),
      readPattern(
        'registry_credential',
        ['"identitytoken"', '"registrytoken"'],
        /"(?:identity|registry)token"\s{0,4}:\s{0,4}"([\w.~+/=-]{16,4000})"/iy,
        judgeRandom,
      ),
      readPattern(
        'registry_credential',
        ['eyjhdxrocyi6', 'ewogicjhdxro', 'ewogicagimf1dghz', 'ewojimf1dghz'],
        /([A-Za-z0-9+/]{40,20000}={0,2})/y,
        judgeRegistryDocument,
      ),
    ],
    example: '{"auths":{"r.acme.io":{"auth":"{userpass}"}}}',
  },
  {
    id: 'yarn_registry_credential',
    issuer: null,
    secretName: 'Credential of a registry of packages',
    severity: 'HIGH',
    readers: [
      readPattern(
        'yarn_registry_credential',
        ['npmauthident'],
        /npmAuthIdent["']?:[ \t]{0,8}["']?([^\s"'${}]{1,80}:[^\s"'${}]{3,200})/iy,
        judgeUserPassword,
      ),
      readPattern(
        'yarn_registry_credential',
        ['<apikeys>'],
        /<apikeys>\s{0,80}<add\s{1,20}key="[^"]{1,300}"\s{1,20}value="([^"\s]{16,600})"/iy,
        (value) => (value.startsWith('AQAAANCMnd8') || value.startsWith('%') ? null : judgeRandom(value)),
      ),
      readPattern(
        'yarn_registry_credential',
        ['"github-oauth"', '"gitlab-oauth"', '"gitlab-token"', '"bearer"'],
        /"(?:git(?:hub|lab)-(?:oauth|token)|bearer)"\s{0,4}:\s{0,4}\{\s{0,80}"[^"\n]{1,200}"\s{0,4}:\s{0,4}"([\w.-]{16,400})"/y,
        judgeRandom,
      ),
    ],
    example: 'npmAuthIdent: "robot:{n:20}"\n',
  },
  {
    id: 'jwt_signing_key',
    issuer: null,
    secretName: 'Key that signs or encrypts',
    severity: 'CRITICAL',
    readers: [
      readPattern(
        'jwt_signing_key',
        [
          "'crypt'",
          '"crypt"',
          'jwt"',
          'jwtsettings"',
          'jwtoptions"',
          'jwtconfig"',
          'jwtbearer"',
          'tokenauthentication"',
          'jwt:key',
          'jwt:signingkey',
          'jwt:issuersigningkey',
        ],
        /["']?(?:jwt(?:settings|options|config|bearer)?|tokenauthentication|crypt)(?:["']\s{0,4}(?::|=>)\s{0,4}[{[][^{}[\]]{0,400}?["']|:)(?:issuer|symmetric)?(?:signing)?key["']\s{0,4}(?::|=>)\s{0,4}["']([^"'\n]{12,512})["']/iy,
        (value) => (isPlaceholder(value) ? null : { severity: 'CRITICAL' }),
      ),
    ],
    example: '{ "Jwt": { "Issuer": "acme", "Key": "{n:40}" } }',
  },
  {
    id: 'terraform_state_password',
    issuer: null,
    secretName: 'Generated password in the state of Terraform',
    severity: 'HIGH',
    readers: [
      readPattern(
        'terraform_state_password',
        ['"random_password"'],
        /"random_password"[^]{0,3000}?"result"\s{0,4}:\s{0,4}"((?:[^"\\\n]|\\.){4,256})"/y,
        (value) => (isPlaceholder(value) ? null : { severity: 'HIGH' }),
      ),
    ],
    example: '{"type": "random_password", "instances": [{"attributes": {"length": 16, "result": "{n:16}"}}]}',
  },
  {
    id: 'ethereum_private_key',
    issuer: null,
    secretName: 'Private key of an Ethereum account',
    severity: 'CRITICAL',
    readers: [
      readPattern(
        'ethereum_private_key',
        ['accounts'],
        /accounts["']?\s{0,4}:\s{0,4}\[\s{0,40}["'](?:0x)?([0-9a-fA-F]{64})["']/y,
        (value) => (isPlaceholder(value) ? null : { severity: 'CRITICAL' }),
      ),
    ],
    example: 'accounts: ["0x{h:64}"]',
  },
  {
    id: 'seed_phrase',
    issuer: null,
    secretName: 'Seed phrase of a wallet',
    severity: 'CRITICAL',
    readers: [
      readPattern(
        'seed_phrase',
        ['mnemonic', 'seed_phrase', 'seedphrase', 'seed phrase', 'recovery phrase', 'secret_phrase'],
        /[a-zA-Z]{4,12}[_ ]?(?:phrase)?["']?[ \t]{0,4}(?::=|[:=,(]|is)[ \t]{0,4}["'`]?((?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8})(?![a-z ])/y,
        // The phrases of test networks repeat one word.
        (value) => (new Set(value.split(' ')).size >= 10 ? { severity: 'CRITICAL' } : null),
      ),
    ],
    example: 'MNEMONIC="{words}"',
  },
  {
    id: 'mail_relay_password',
    issuer: null,
    secretName: 'Password of a mail relay',
    severity: 'HIGH',
    readers: [
      readPattern(
        'mail_relay_password',
        [']:587', ']:465', ']:25', ']:2525'],
        /\]:\d{2,5}[ \t]{1,20}[^\s:]{1,120}:(\S{4,200})(?=[ \t]*(?:\r?\n|$))/y,
        judgeSettingsPassword,
      ),
    ],
    example: '[smtp.acme.io]:587 relay@acme.io:{n:9}-{d:3}\n',
  },
  {
    id: 'oracle_password',
    issuer: null,
    secretName: 'Password in a connection string',
    severity: 'HIGH',
    readers: [
      readPattern(
        'oracle_password',
        ['jdbc:oracle:'],
        /jdbc:oracle:(?:thin|oci8?):[\w$]{1,60}\/([^\s@"'/]{3,100})@/y,
        judgeSettingsPassword,
      ),
    ],
    example: 'jdbc:oracle:thin:app/{n:9}_{d:3}@//db.acme.io:1521/main',
  },
  {
    id: 'authorization_value',
    issuer: null,
    secretName: 'Credential of an HTTP header',
    severity: 'HIGH',
    readers: [{ keywords: ['bearer ', 'basic ', 'token ', 'apikey '], read: readSchemeAndValue }],
    example: 'header = "Bearer {n:40}"',
  },
  {
    id: 'documented_login',
    issuer: null,
    secretName: 'Password in a text',
    severity: 'HIGH',
    readers: [
      readPattern(
        'documented_login',
        [
          'credentials:',
          'credentials are',
          'login:',
          'logins:',
          'zugangsdaten',
          'zugang:',
          'log in with',
          'login with',
          'log in as',
          'sign in with',
        ],
        /[a-z]{3,16}[ :]{1,2}(?:are |is |with |as )?[ \t]{0,4}["'`*]{0,3}[\w.@-]{2,40}["'`*]{0,3}[ \t]{0,2}[/:|][ \t]{0,2}["'`*]{0,3}((?=[^\s"'`]{0,40}\d)(?=[^\s"'`]{0,40}[A-Za-z])[^\s"'`<>,;/]{6,64})/iy,
        judgeSettingsPassword,
      ),
      readPattern(
        'documented_login',
        ['chpasswd:'],
        /chpasswd:[ \t]*\n(?:[ \t]+expire:[^\n]{0,20}\n)?[ \t]+list:[ \t]*\|?[ \t]*\n[ \t]+(?:- )?[\w-]{1,40}:(\S{3,100})/y,
        judgeSettingsPassword,
      ),
    ],
    example: 'Credentials: admin / {n:8}-{d:3}',
  },
  {
    id: 'cookie_signing_key',
    issuer: null,
    secretName: 'Key that signs cookies',
    severity: 'HIGH',
    readers: [
      readPattern('cookie_signing_key', ["keys: ['", 'keys: ["'], /keys: \[["']([^"'\s]{16,256})["']/y, judgeRandom),
    ],
    example: "cookieSession({ name: 'session', keys: ['{n:32}'] })",
  },
  {
    id: 'session_cookie',
    issuer: null,
    secretName: 'Session in a cookie',
    severity: 'MEDIUM',
    readers: [
      readPattern(
        'session_cookie',
        SESSION_NAMES,
        /(?:[\w.]{3,20}(?:id|sid)|(?<=ookie["']?[:,=]? ?["']?[^\n]{0,80})_?session)=(?:s%3A)?([\w.%+/-]{20,400})(?![\w(])/y,
        (value) =>
          /\d/.test(value) && shannonEntropy(value) >= 3 && !isPlaceholder(value) ? { severity: 'MEDIUM' } : null,
      ),
    ],
    example: 'Cookie: sessionid={l:32}',
  },
  {
    id: 'go_source_name_password',
    issuer: null,
    secretName: 'Password in a connection string',
    severity: 'HIGH',
    readers: [{ keywords: ['@tcp(', '@unix(', '@(localhost', '@protocol('], read: readGoSourceName }],
    example: 'app:{n:12}-{d:3}@tcp(db.acme.io:3306)/main',
  },
];
