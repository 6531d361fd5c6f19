import { crc32 } from 'node:zlib';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALPHABETS: Record<string, string> = {
  n: DIGITS + UPPER + LOWER,
  b: `${UPPER}${LOWER}${DIGITS}+/`,
  h: `${DIGITS}abcdef`,
  u: `${UPPER}234567`,
  l: LOWER + DIGITS,
  a: UPPER + LOWER,
  d: DIGITS,
};

/**
 * A rule's example with random text in place of its stand-ins, so that nothing that looks like a live secret stands in a file.
 * `{n:36}` letters and digits, `{b:}` base64, `{h:}` hex, `{u:}` base32, `{l:}` small letters and digits, `{a:}` letters, `{d:}`
 * digits; `{uuid}`, `{jwt}`, `{pem}`, `{json}`, `{discord}`; `{der}`, a private key; `{userpass}`, a user and password in base64; `{words}`; `{crc62}`, `{crchex}`, `{age}`: with the checksum of their kind.
 */
export function fillIn(example: string, draw: () => number): string {
  const some = (kind: string, length: number): string => {
    const alphabet = ALPHABETS[kind]!;
    return Array.from({ length }, () => alphabet[Math.floor(draw() * alphabet.length)]).join('');
  };
  const base64 = (text: string): string => Buffer.from(text).toString('base64url');
  const made: Record<string, () => string> = {
    uuid: () => [8, 4, 4, 4, 12].map((length) => some('h', length)).join('-'),
    json: () => Buffer.from(`{"iat":17${some('d', 8)},"org":"${some('l', 7)}"}`).toString('base64'),
    jwt: () => [`{"alg":"HS256"}`, `{"sub":"${some('n', 12)}"}`].map(base64).concat(some('n', 43)).join('.'),
    discord: () => base64(`1${some('d', 17)}`),
    pem: () => Buffer.from(`-----BEGIN PRIVATE KEY-----\n${some('b', 64)}\n${some('b', 64)}\n`).toString('base64'),
    // PKCS#8 of Ed25519 (RFC 8410): all is given but the seed.
    der: () => Buffer.from(`302e020100300506032b657004220420${some('h', 64)}`, 'hex').toString('base64'),
    userpass: () => Buffer.from(`robot:${some('n', 14)}`).toString('base64'),
    words: () =>
      Array.from({ length: 12 }, () => some('l', 3).replace(/\d/g, 'e') + some('a', 3).toLowerCase()).join(' '),
    crc62: () => withBase62(some('n', 30)),
    crchex: () => withHex(some('n', 32)),
    // The key of 32 bytes 0x42, as in the tests of the age specification (c2sp.org/CCTV).
    age: () => ['AGE-SECRET-KEY-1', 'GFPYYSJZ'.repeat(6), 'GFPQ4EGAEX'].join(''),
  };
  return example.replace(/\{(?:([nbhulad]):(\d+)|([a-z0-9]+))\}/g, (_, kind, length, name) =>
    name === undefined ? some(kind, Number(length)) : made[name]!(),
  );
}

/** The scheme of GitHub's blog of 5 April 2021, with another implementation of CRC-32 than ours. */
function withBase62(random: string): string {
  let crc = crc32(random);
  let digits = '';
  while (digits.length < 6) {
    digits = ALPHABETS['n']![crc % 62] + digits;
    crc = Math.floor(crc / 62);
  }
  return random + digits;
}

function withHex(random: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(`glsa_${random}`));
  return `${random}_${checksum.toString('hex')}`;
}
