import { decodeBase64Json } from '../../base64.ts';
import { isPlaceholder } from '../placeholder.ts';
import {
  judgeEncodedCredential,
  judgeRandom,
  judgeSettingsPassword,
  judgeUserPassword,
  readPattern,
} from '../read-pattern.ts';
import type { LocatedSecret, ScannedText, SecretAssessment, SecretRule } from '../secret-rule.ts';

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

function judgeRegistryDocument(value: string): SecretAssessment {
  const auths = decodeBase64Json(value)?.['auths'];
  if (typeof auths !== 'object' || auths === null) return null;
  const isFilled = Object.values(auths).some(
    (one: { auth?: unknown; password?: unknown } | null) => one?.auth !== undefined || one?.password !== undefined,
  );
  return isFilled ? { severity: 'HIGH' } : null;
}

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
];
