import { decodeJson } from '../base64.ts';
import { isBech32 } from '../checksum.ts';
import { type SecretRule, token } from '../rule.ts';

/** What stands between a PEM header and the key, also where the text is a string with `\n` in it. */
const BREAK = String.raw`(?:[\s"'+]|\\{1,2}[nr]){0,40}`;
const HEADERS = String.raw`(?:[A-Za-z-]{3,20}: [^\n\\]{0,100}(?:\n|\\{1,2}n)${BREAK}){0,4}`;

/** Key material and signed tokens. */
export const KEYS: readonly SecretRule[] = [
  {
    id: 'private_key',
    issuer: null,
    what: 'Private key',
    severity: 'critical',
    keywords: ['-----begin '],
    pattern: new RegExp(
      String.raw`-----BEGIN (?:(?:RSA|DSA|EC|OPENSSH|PGP|SSH2|ENCRYPTED) ){0,2}PRIVATE KEY(?: BLOCK)?-----${BREAK}${HEADERS}([A-Za-z0-9+/=]{24,80})`,
      'y',
    ),
    prefixed: true,
    entropy: 3,
    judge: ({ secret }) =>
      /ENCRYPTED/.test(secret)
        ? { severity: 'medium', note: 'It is encrypted: as safe as its passphrase.' }
        : { severity: 'critical' },
    example: '-----BEGIN PRIVATE KEY-----\n{b:64}\n{b:64}\n-----END PRIVATE KEY-----',
  },
  token(
    'age_secret_key',
    [null, 'age secret key', 'critical'],
    'AGE-SECRET-KEY-1',
    '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}',
    '{age}',
    {
      judge: ({ secret }) => (isBech32(secret) ? { severity: 'critical' } : null),
    },
  ),
  {
    id: 'putty_private_key',
    issuer: null,
    what: 'PuTTY private key',
    severity: 'critical',
    keywords: ['putty-user-key-file-'],
    pattern: /PuTTY-User-Key-File-\d: [^\n]{1,60}\r?\nEncryption: ([a-z0-9-]{3,20})/y,
    prefixed: true,
    entropy: 0,
    judge: ({ body }) =>
      body === 'none'
        ? { severity: 'critical' }
        : { severity: 'medium', note: 'It is encrypted: as safe as its passphrase.' },
    example: 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: key',
  },
  {
    id: 'json_web_token',
    issuer: null,
    what: 'JSON Web Token',
    severity: 'medium',
    keywords: ['eyj'],
    pattern: /(?<![\w-])(eyJ[\w-]{10,1000}\.[\w-]{10,4000}\.[\w-]{10,1000})(?![\w-])/y,
    entropy: 4,
    judge: ({ body }) => {
      const [header, payload] = body.split('.', 2);
      const claims = decodeJson(payload!);
      // Of the example of jwt.io, and of all that were made from it.
      const example = claims?.['name'] === 'John Doe';
      const known = decodeJson(header!)?.['alg'] !== undefined && claims !== null;
      return known && !example ? { severity: 'medium' } : null;
    },
    example: '{jwt}',
  },
  {
    id: 'json_web_key',
    issuer: null,
    what: 'Private JSON Web Key',
    severity: 'critical',
    keywords: ['"kty"'],
    pattern:
      /"kty"\s{0,4}:\s{0,4}"(?:RSA|EC|OKP)"(?:\s{0,20},\s{0,20}"\w{1,10}"\s{0,4}:\s{0,4}(?:"[^"\n]{0,1000}"|\[[^\]\n]{0,100}\]|true|false)){0,8}?\s{0,20},\s{0,20}"d"\s{0,4}:\s{0,4}"([\w-]{40,1000})"/y,
    entropy: 4,
    example: '{"kty":"EC","crv":"P-256","x":"{n:43}","y":"{n:43}","d":"{n:43}"}',
  },
];
