import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { scanSecrets } from '../../../src/analysis/secrets/scan-secrets.ts';

/** Fresh keys of the programs that people make keys with: the format is theirs, so is what is said of encryption. */

const PHRASE = 'plum-71-quartz';
const folder = mkdtempSync(join(tmpdir(), 'private-keys-'));
after(() => rmSync(folder, { recursive: true }));
const PARAMETERS = join(folder, 'dsa.pem');

type Encrypted = boolean;
/** Commands that write a key into `key`, or to the standard output. */
const KINDS: readonly (readonly [name: string, encrypted: Encrypted, program: string, arguments_: string])[] = [
  ...['rsa -b 2048', 'ed25519', 'ecdsa -b 256', 'ecdsa -b 521', 'dsa'].flatMap((type) => [
    [`OpenSSH ${type}`, false, 'ssh-keygen', `-q -t ${type} -N , -f key`] as const,
    [`OpenSSH ${type}, passphrase`, true, 'ssh-keygen', `-q -t ${type} -N ${PHRASE} -f key`] as const,
  ]),
  ['OpenSSH RSA as PEM', false, 'ssh-keygen', '-q -t rsa -b 2048 -m PEM -N , -f key'],
  ['OpenSSH RSA as PEM, passphrase', true, 'ssh-keygen', `-q -t rsa -b 2048 -m PEM -N ${PHRASE} -f key`],
  ['PKCS#1 RSA', false, 'openssl', 'genrsa -traditional 2048'],
  ['PKCS#1 RSA, passphrase', true, 'openssl', `genrsa -traditional -aes256 -passout pass:${PHRASE} 2048`],
  ['PKCS#8 RSA', false, 'openssl', 'genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048'],
  ['PKCS#8 RSA, passphrase', true, 'openssl', `genpkey -algorithm RSA -aes256 -pass pass:${PHRASE}`],
  ['PKCS#8 Ed25519', false, 'openssl', 'genpkey -algorithm ED25519'],
  ['PKCS#8 Ed25519, passphrase', true, 'openssl', `genpkey -algorithm ED25519 -aes256 -pass pass:${PHRASE}`],
  ['SEC 1 EC', false, 'openssl', 'ecparam -genkey -noout -name prime256v1'],
  [
    'PKCS#8 EC, passphrase',
    true,
    'openssl',
    `genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -aes256 -pass pass:${PHRASE}`,
  ],
  ['DSA', false, 'openssl', `gendsa ${PARAMETERS}`],
  ['DSA, passphrase', true, 'openssl', `gendsa -aes256 -passout pass:${PHRASE} ${PARAMETERS}`],
];

const PLACES: Record<string, (key: string) => string> = {
  'a file': (key) => key,
  'a file with CRLF': (key) => key.replaceAll('\n', '\r\n'),
  'a JSON string': (key) => JSON.stringify({ key }),
  'a JSON string of a file with CRLF': (key) => JSON.stringify({ key: key.replaceAll('\n', '\r\n') }),
  'JSON within JSON': (key) => JSON.stringify(JSON.stringify({ key })),
  'a YAML block': (key) => `key: |\n${key.replace(/^/gm, '    ')}`,
  'an environment variable with \\n': (key) => `KEY="${key.replaceAll('\n', '\\n')}"\n`,
  'an environment variable on one line': (key) => `KEY=${key.replaceAll('\n', ' ')}\n`,
  'lines of source code': (key) => key.trim().replace(/^.*$/gm, "  '$&\\n' +"),
};

function run(program: string, given: string): string | null {
  const key = join(folder, 'key');
  rmSync(key, { force: true });
  const args = given.split(' ').map((word) => (word === ',' ? '' : word));
  const { status, stdout } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) return null;
  return program === 'ssh-keygen' ? readFileSync(key, 'utf8') : stdout;
}

const parameters = run('openssl', `dsaparam -out ${PARAMETERS} 1024`);

describe('fresh private keys', () => {
  for (const [name, encrypted, program, given] of KINDS) {
    const cannot = name.startsWith('DSA') && parameters === null ? 'no DSA parameters from openssl' : null;
    const key = cannot === null ? run(program, given) : null;
    const skip = key === null && `${name}: ${cannot ?? `${program} ${given.split(' ')[0]} makes none here`}`;
    test(name, { skip }, () => {
      for (const [place, write] of Object.entries(PLACES)) {
        const { findings } = scanSecrets({ code: write(key!), language: 'auto' });
        const seen = findings.map(({ id, severity }) => `${severity} ${id}`);
        assert.deepEqual(seen, [`${encrypted ? 'MEDIUM' : 'CRITICAL'} private_key`], place);
        assert.equal(/It is encrypted/.test(findings[0]!.description), encrypted, place);
        assert.ok(!findings[0]!.evidence.includes(key!.split('\n')[2]!.slice(0, 12)));
      }
    });
  }
});

test('a key in base64, as in a Kubernetes secret, is judged by what it holds', () => {
  const body = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2\n'.repeat(3);
  const seen = (label: string): string[] => {
    const data = Buffer.from(`-----BEGIN ${label}-----\n${body}-----END ${label}-----\n`).toString('base64');
    return scanSecrets({ code: `data:\n  tls.key: ${data}\n`, language: 'yaml' }).findings.map(
      ({ id, severity }) => `${severity} ${id}`,
    );
  };
  assert.deepEqual(seen('PRIVATE KEY'), ['CRITICAL private_key_base64']);
  assert.deepEqual(seen('ENCRYPTED PRIVATE KEY'), ['MEDIUM private_key_base64']);
  assert.deepEqual(seen('CERTIFICATE'), []);
});

describe('PuTTY keys', () => {
  for (const [cipher, severity] of [
    ['none', 'CRITICAL'],
    ['aes256-cbc', 'MEDIUM'],
  ] as const) {
    for (const [place, write] of Object.entries(PLACES)) {
      test(`${cipher}, ${place}`, () => {
        const key = `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: ${cipher}\nComment: key\nPublic-Lines: 2\n`;
        const { findings } = scanSecrets({ code: write(key), language: 'auto' });
        assert.deepEqual(
          findings.map((finding) => [finding.id, finding.severity]),
          [['putty_private_key', severity]],
        );
      });
    }
  }
});

describe('what shows only the form of a key', () => {
  const OPENSSH = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz';
  for (const key of [
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    '-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----',
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${OPENSSH}...\n-----END OPENSSH PRIVATE KEY-----`,
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${OPENSSH}\n...\n-----END OPENSSH PRIVATE KEY-----`,
    `-----BEGIN RSA PRIVATE KEY-----\n${'x'.repeat(64)}\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEXAMPLEKEYEXAMPLEKEY'.repeat(3)}\n-----END RSA PRIVATE KEY-----`,
    'if (text.startsWith("-----BEGIN PRIVATE KEY-----")) return readPrivateKeyFromText(text);',
    '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit=\n-----END PUBLIC KEY-----',
  ]) {
    test(key.slice(0, 100), () => assert.deepEqual(scanSecrets({ code: key, language: 'auto' }).findings, []));
  }
});
