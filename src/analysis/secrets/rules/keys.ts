import { decodeBase64Text, decodeBase64Json } from '../../base64.ts';
import { isBech32 } from '../checksum.ts';
import { shannonEntropy } from '../entropy.ts';
import { isPlaceholder, mentionsPlaceholder } from '../placeholder.ts';
import {
  type LocatedSecret,
  type ScannedText,
  type SecretCandidate,
  type SecretAssessment,
  type SecretRule,
  defineTokenRule,
} from '../secret-rule.ts';

/** What stands between a PEM header and the key, also where the text is a string with `\n` in it. */
const LINE_BREAK = String.raw`(?:[\s"'+]|\\{1,2}[nr]){0,40}`;
/** RFC 1421 headers; those that encryption adds (OpenSSL) also where the whole key stands on one line. */
const PEM_HEADERS = String.raw`(?:(?:Proc-Type: 4,ENCRYPTED|DEK-Info: [A-Z0-9-]{3,24},[0-9A-Fa-f]{8,64}|[A-Za-z-]{3,20}: [^\n\\]{0,100}(?:\n|\\{1,2}[nr]))${LINE_BREAK}){0,4}`;
const PRIVATE_KEY = new RegExp(
  String.raw`-----BEGIN (?:(?:RSA|DSA|EC|OPENSSH|PGP|SSH2|ENCRYPTED) ){0,2}PRIVATE KEY(?: BLOCK)?-----${LINE_BREAK}${PEM_HEADERS}([A-Za-z0-9+/=]{24,80})`,
  'y',
);
const ENCRYPTED_KEY: SecretAssessment = { severity: 'MEDIUM', note: 'It is encrypted: as safe as its passphrase.' };

/** The cipher that an OpenSSH private key names (PROTOCOL.key of OpenSSH): after the magic, a length of four bytes and the name. */
function readOpensshCipher(base64: string): string | null {
  const bytes = decodeBase64Text(base64.slice(0, base64.length - (base64.length % 4))) ?? '';
  return /^openssh-key-v1\0{4}.([a-z0-9@.-]+)/s.exec(bytes)?.[1] ?? null;
}

/** Key material begins with fields that are the same in all keys, so runs and words within it say nothing. */
function assessPrivateKey({ secret, body, code, matchStart }: SecretCandidate): SecretAssessment {
  if (
    mentionsPlaceholder(body) ||
    /^\s{0,4}(?:\.{2}|…|<|\[)/.test(code.slice(matchStart + secret.length, matchStart + secret.length + 6))
  ) {
    return null;
  }
  const cipher = readOpensshCipher(body);
  if (cipher !== null && cipher !== 'none') return ENCRYPTED_KEY;
  return /ENCRYPTED/.test(secret) ? ENCRYPTED_KEY : { severity: 'CRITICAL' };
}

const MAX_KEY_LENGTH = 4000;

const KEY_TYPE = /"kty"\s{0,4}:\s{0,4}"(\w{1,20})"/y;

/** RFC 7517: `d` of an asymmetric key and `k` of a symmetric one are secret, wherever they stand in the object. */
function readJsonWebKey({ code }: ScannedText, at: number): readonly LocatedSecret[] {
  KEY_TYPE.lastIndex = at;
  const type = KEY_TYPE.exec(code)?.[1];
  if (type === undefined) return [];
  const before = code.slice(Math.max(0, at - MAX_KEY_LENGTH), at);
  const brace = before.lastIndexOf('{');
  // The object was read at its first type.
  if (before.lastIndexOf('"kty"') > brace) return [];
  const open = at - before.length + brace;
  const rest = code.slice(at, at + MAX_KEY_LENGTH);
  const close = rest.indexOf('}');
  const object = code.slice(Math.max(open, 0), at + (close === -1 ? rest.length : close));
  const member = type === 'oct' ? 'k' : 'd';
  const found = new RegExp(`"${member}"\\s{0,4}:\\s{0,4}"([\\w-]{20,1000})"`).exec(object);
  const value = found?.[1];
  if (found === null || value === undefined || shannonEntropy(value) < 3.5 || isPlaceholder(value)) return [];
  const start = Math.max(open, 0) + found.index + found[0].lastIndexOf(value);
  return [{ id: 'json_web_key', start, end: start + value.length, severity: 'CRITICAL' }];
}

/** Key material and signed tokens. */
export const KEY_RULES: readonly SecretRule[] = [
  {
    id: 'private_key',
    issuer: null,
    secretName: 'Private key',
    severity: 'CRITICAL',
    keywords: ['-----begin '],
    pattern: PRIVATE_KEY,
    includesPrefix: true,
    minEntropy: 3,
    skipsPlaceholderCheck: true,
    assess: assessPrivateKey,
    example: '-----BEGIN PRIVATE KEY-----\n{b:64}\n{b:64}\n-----END PRIVATE KEY-----',
  },
  {
    id: 'private_key_base64',
    issuer: null,
    secretName: 'Private key in base64',
    severity: 'CRITICAL',
    // `-----BEGIN `, as in the data of a Kubernetes secret.
    keywords: ['ls0tls1crudjti'],
    pattern: /(?<![\w+/])(LS0tLS1CRUdJTi[A-Za-z0-9+/]{80,20000}={0,2})/y,
    minEntropy: 3,
    skipsPlaceholderCheck: true,
    assess: ({ body }) => {
      const pem = decodeBase64Text(body.slice(0, body.length - (body.length % 4))) ?? '';
      PRIVATE_KEY.lastIndex = 0;
      const [secret, start] = PRIVATE_KEY.exec(pem) ?? [];
      if (secret === undefined || start === undefined) return null;
      return assessPrivateKey({ secret, body: start, textBeforeSecret: '', code: pem, matchStart: 0, language: '' });
    },
    example: 'tls.key: {pem}',
  },
  defineTokenRule(
    'age_secret_key',
    [null, 'age secret key', 'CRITICAL'],
    'AGE-SECRET-KEY-1',
    '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}',
    '{age}',
    {
      assess: ({ secret }) =>
        isBech32(secret)
          ? { severity: 'CRITICAL' }
          : { severity: 'LOW', note: 'Its checksum does not fit: it is incomplete, mistyped or made up.' },
    },
  ),
  {
    id: 'putty_private_key',
    issuer: null,
    secretName: 'PuTTY private key',
    severity: 'CRITICAL',
    keywords: ['putty-user-key-file-'],
    pattern: new RegExp(
      String.raw`PuTTY-User-Key-File-\d: [a-z0-9@.-]{3,60}${LINE_BREAK}Encryption: ([a-z0-9-]{3,20})`,
      'y',
    ),
    includesPrefix: true,
    minEntropy: 0,
    assess: ({ body }) => (body === 'none' ? { severity: 'CRITICAL' } : ENCRYPTED_KEY),
    example: ['PuTTY-User-Key-File-3: ssh-ed25519', 'Encryption: none', 'Comment: key'].join('\n'),
  },
  {
    id: 'json_web_token',
    issuer: null,
    secretName: 'JSON Web Token',
    severity: 'MEDIUM',
    keywords: ['eyj'],
    pattern: /(?<![\w-])(eyJ[\w-]{10,1000}\.[\w-]{10,4000}\.[\w-]{10,1000})(?![\w-])/y,
    minEntropy: 4,
    assess: ({ body }) => {
      const [header, payload] = body.split('.', 2);
      const claims = decodeBase64Json(payload!);
      // Of the examples of jwt.io and PyJWT, and of all that were made from them.
      const example = claims?.['name'] === 'John Doe' || claims?.['some'] === 'payload';
      // Keys of Supabase that browsers are given.
      const isPublic = claims?.['role'] === 'anon';
      const known = decodeBase64Json(header!)?.['alg'] !== undefined && claims !== null;
      return known && !example && !isPublic ? { severity: 'MEDIUM' } : null;
    },
    example: '{jwt}',
  },
  {
    id: 'openvpn_static_key',
    issuer: null,
    secretName: 'OpenVPN static key',
    severity: 'CRITICAL',
    keywords: ['-----begin openvpn static key'],
    pattern: new RegExp(String.raw`-----BEGIN OpenVPN Static key V1-----${LINE_BREAK}([0-9a-f]{32})`, 'y'),
    includesPrefix: true,
    minEntropy: 2.5,
    example: '-----BEGIN OpenVPN Static key V1-----\n{h:32}\n{h:32}\n-----END OpenVPN Static key V1-----',
  },
  {
    id: 'json_web_key',
    issuer: null,
    secretName: 'Private JSON Web Key',
    severity: 'CRITICAL',
    readers: [{ keywords: ['"kty"'], read: readJsonWebKey }],
    example: '{"kty":"EC","crv":"P-256","x":"{n:43}","y":"{n:43}","d":"{n:43}"}',
  },
];
