import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { getCACertificates } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { findGradeCaps } from '../../../src/analysis/tls/grade-caps.ts';
import { describeChainOddities } from '../../../src/analysis/tls/chain-notes.ts';
import { certificationPath } from '../../../src/analysis/tls/tls-facts.ts';
import { gradeTls } from '../../../src/analysis/tls/grade-tls.ts';
import { tls } from '../../../src/sources/tls/tls.ts';
import { type Certificate, type CertificateWish, issue, keyFor, type Signer } from '../../lab/x509.ts';
import { contextOver, netTo } from '../../net/site.ts';
import { serve } from '../../net/servers.ts';
import { serveTls } from '../../net/tls-server.ts';
import { temporaryFolder } from '../../operations/fixture-catalog.ts';

const timeout = 20_000;
const era = { from: -100, until: 100 };
const signer = (name: string, purpose = name): Signer => ({ name, key: keyFor(purpose, 'p256') });
const authority = (of: Signer, issuer: Signer, wish: Partial<CertificateWish> = {}): Certificate =>
  issue({ ...era, subject: of.name, key: of.key, issuer, ca: true, ...wish });

const root = signer('Trusted Root');
const rootCertificate = authority(root, root);
const other = signer('Other Root');
const middle = signer('Middle');
const low = signer('Low');
const forger = signer('Forger');
/** The same name as `middle`, another key. */
const namesake = signer('Middle', 'namesake');
/** A root that everybody trusts, as any server could send it. */
const publicRoot = (() => {
  const pem = getCACertificates('bundled')[0]!;
  const { raw, subject } = new X509Certificate(pem);
  return { pem, der: raw, serial: 0n, name: /^CN=(.*)$/m.exec(subject)![1]! };
})();

const leafOf = (issuer: Signer, wish: Partial<CertificateWish> = {}): Certificate =>
  issue({ ...era, subject: 'site.example', names: ['site.example'], key: keyFor('net site', 'p256'), issuer, ...wish });
const middleCertificate = authority(middle, root);

interface Case {
  name: string;
  sent: Certificate[];
  trust: string;
  /** Places of the certificates that were sent, in the path. */
  places: (number | null)[];
  caps?: string[];
  notes?: RegExp[];
  /** What OpenSSL says of the links alone; default: that there is a path where `trust` is `trusted`. */
  linked?: boolean;
}

const expired = { from: -90, until: -1 };
const CASES: readonly Case[] = [
  { name: 'leaf and intermediate', sent: [leafOf(middle), middleCertificate], trust: 'trusted', places: [0, 1] },
  { name: 'a leaf of the root itself', sent: [leafOf(root)], trust: 'trusted', places: [0] },
  {
    name: 'the root sent too',
    sent: [leafOf(middle), middleCertificate, rootCertificate],
    trust: 'trusted',
    places: [0, 1, 2],
    notes: [/root "Trusted Root" is sent/],
  },
  {
    name: 'a forged leaf with a public root appended',
    sent: [leafOf(forger), publicRoot],
    trust: 'missing_issuer',
    places: [0, null],
    caps: ['missing_issuer'],
    notes: [/not used/],
  },
  {
    name: 'a forged leaf, its own authority, and the trusted root appended',
    sent: [leafOf(forger), authority(forger, forger), rootCertificate],
    trust: 'unknown_issuer',
    places: [0, 1, null],
    caps: ['unknown_issuer'],
    notes: [/not used/],
  },
  {
    name: 'a forged leaf that names the trusted intermediate and its key as its issuer',
    sent: [leafOf({ ...forger, name: middle.name }, { claimedIssuerKey: middle.key }), middleCertificate],
    trust: 'unknown_issuer',
    places: [0, null],
    caps: ['unknown_issuer'],
    notes: [/not used/],
  },
  {
    name: 'a forged intermediate that names the root as its issuer',
    sent: [
      leafOf(middle),
      authority(middle, { ...forger, name: root.name }, { claimedIssuerKey: root.key }),
      rootCertificate,
    ],
    trust: 'unknown_issuer',
    places: [0, 1, null],
    caps: ['unknown_issuer'],
    notes: [/not used/],
  },
  {
    name: 'a forged and expired leaf with a chain that is trusted appended',
    sent: [leafOf(forger, expired), authority(forger, forger), middleCertificate],
    trust: 'unknown_issuer',
    places: [0, 1, null],
    caps: ['expired', 'unknown_issuer'],
    notes: [/not used/],
  },
  {
    name: 'a self-signed leaf, the trusted chain appended',
    sent: [leafOf({ name: 'site.example', key: keyFor('net site', 'p256') }), middleCertificate, rootCertificate],
    trust: 'self_signed',
    places: [0, null, null],
    caps: ['self_signed'],
    notes: [/not used/],
  },
  {
    name: 'a leaf for another name under a leaf of this one',
    sent: [
      leafOf({ name: 'Site', key: keyFor('site2', 'p256') }),
      leafOf(middle, { subject: 'Site', key: keyFor('site2', 'p256') }),
      middleCertificate,
    ],
    trust: 'unknown_issuer',
    places: [0, null, null],
    caps: ['unknown_issuer'],
    notes: [/not used/],
  },
  {
    name: 'an intermediate whose key usage is not to sign certificates',
    sent: [leafOf(middle), authority(middle, root, { signsCertificates: false })],
    trust: 'unknown_issuer',
    places: [0, null],
    caps: ['unknown_issuer'],
    notes: [/not used/],
  },
  {
    name: 'more intermediates than the path length allows',
    sent: [leafOf(low), authority(low, middle), authority(middle, root, { pathLength: 0 })],
    trust: 'unknown_issuer',
    places: [0, 1, null],
    caps: ['unknown_issuer'],
    notes: [/not used/],
  },
  {
    name: 'as many intermediates as the path length allows',
    sent: [leafOf(low), authority(low, middle), authority(middle, root, { pathLength: 1 })],
    trust: 'trusted',
    places: [0, 1, 2],
  },
  {
    name: 'an issuer that was not sent',
    sent: [leafOf(middle)],
    trust: 'missing_issuer',
    places: [0],
    caps: ['missing_issuer'],
  },
  {
    name: 'the wrong order',
    sent: [leafOf(low), middleCertificate, authority(low, middle)],
    trust: 'trusted',
    places: [0, 2, 1],
    notes: [/not in order/],
  },
  {
    name: 'an intermediate sent twice',
    sent: [leafOf(middle), middleCertificate, middleCertificate],
    trust: 'trusted',
    places: [0, 1, null],
    notes: [/more than once/],
  },
  {
    name: 'an expired stray',
    sent: [leafOf(middle), middleCertificate, authority(other, other, expired)],
    trust: 'trusted',
    places: [0, 1, null],
    notes: [/not used.*"Other Root"/],
  },
  {
    name: 'an expired intermediate',
    sent: [leafOf(middle), authority(middle, root, expired)],
    trust: 'trusted',
    places: [0, 1],
    caps: ['expired'],
  },
  {
    name: 'an expired intermediate, and a valid one of the same key',
    sent: [leafOf(middle), authority(middle, root, expired), middleCertificate],
    trust: 'trusted',
    places: [0, null, 1],
    notes: [/not used/],
  },
  {
    name: 'two intermediates of one name, the other key first',
    sent: [leafOf(middle, {}), authority(namesake, root), middleCertificate],
    trust: 'trusted',
    places: [0, null, 1],
    notes: [/not used/],
  },
  {
    name: 'a root that is cross-signed by one that is not trusted and over',
    sent: [leafOf(middle), middleCertificate, authority(root, other, expired)],
    trust: 'trusted',
    places: [0, 1, null],
    notes: [/not used/],
  },
  {
    name: 'two authorities that vouch for each other',
    sent: [leafOf(forger), authority(forger, other), authority(other, forger)],
    trust: 'unknown_issuer',
    places: [0, 1, 2],
    caps: ['unknown_issuer'],
  },
  {
    name: 'a certificate that is expired',
    sent: [leafOf(middle, expired), middleCertificate],
    trust: 'trusted',
    places: [0, 1],
    caps: ['expired'],
  },
  {
    name: 'a certificate that is not valid yet',
    sent: [leafOf(middle, { from: 1 }), middleCertificate],
    trust: 'trusted',
    places: [0, 1],
    caps: ['not_yet_valid'],
  },
  {
    name: 'a certificate for another name',
    sent: [leafOf(middle, { names: ['other.example'] }), middleCertificate],
    trust: 'trusted',
    places: [0, 1],
    caps: ['name_mismatch'],
  },
  {
    name: 'a certificate of an intermediate signed with SHA-1',
    sent: [leafOf(middle), authority(middle, root, { hash: 'sha1' })],
    trust: 'trusted',
    places: [0, 1],
    caps: ['weak_signature'],
  },
  {
    name: 'a stray signed with SHA-1',
    sent: [leafOf(middle), middleCertificate, authority(low, other, { hash: 'sha1' })],
    trust: 'trusted',
    places: [0, 1, null],
    notes: [/not used/],
  },
];

/** What a look at a server with this chain finds, and what Node itself says of it. `issuerAt`: what lies where the AIA address leads. */
async function lookAt(t: TestContext, sent: readonly Certificate[], issuerAt?: Uint8Array) {
  const server = await serveTls(t, sent, { ciphers: 'DEFAULT@SECLEVEL=0' });
  const web = await serve(t, (_, response) => response.writeHead(issuerAt === undefined ? 404 : 200).end(issuerAt));
  const portOf = (url: string): number => Number(new URL(url).port);
  const mapEndpoint = ({ port }: { port: number }) => ({
    address: '127.0.0.1',
    port: portOf(port === 80 ? web.url : server.url),
  });
  const { net } = await netTo(t, server, { extraCa: [rootCertificate.pem], mapEndpoint });
  const node = await net.tlsHandshake('site.example', { timeoutMs: 5000 });
  const facts = await tls.ask({ host: 'site.example', port: 443, detail: 'certificate' }, contextOver(net));
  return { facts, authorizationError: node.authorizationError };
}

for (const { name, sent, trust, places, caps = [], notes = [] } of CASES) {
  test(`${name}: ${trust}`, { timeout }, async (t) => {
    const { facts, authorizationError } = await lookAt(t, sent);
    const now = new Date();
    assert.deepEqual([facts.trust, facts.chain.map(({ place }) => place)], [trust, places], String(authorizationError));
    assert.deepEqual(
      findGradeCaps(facts, now).map(({ id }) => id),
      caps,
    );
    const found = describeChainOddities(facts);
    assert.equal(found.length, notes.length, found.join('\n'));
    for (const [index, note] of notes.entries()) assert.match(found[index]!, note);
    const { grade } = gradeTls(facts, now);
    assert.equal(grade, caps.length === 0 ? 'A' : 'F');
    // Node (OpenSSL) accepts it where nothing is wrong, and nowhere else; it does not mind SHA-1 in this setting.
    assert.equal(
      authorizationError === null,
      caps.every((id) => id === 'weak_signature'),
      String(authorizationError),
    );
  });
}

const NO_OPENSSL = spawnSync('openssl', ['version']).error !== undefined && 'no openssl';

test('openssl verify -x509_strict finds a path where one is found here', { timeout, skip: NO_OPENSSL }, () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'root.pem'), rootCertificate.pem);
  for (const { name, sent, trust } of CASES) {
    writeFileSync(join(folder, 'leaf.pem'), sent[0]!.pem);
    const rest = sent.slice(1).map(({ pem }) => pem);
    writeFileSync(join(folder, 'rest.pem'), rest.join('') || rootCertificate.pem);
    const words = ['verify', '-x509_strict', '-no_check_time', '-purpose', 'sslserver', '-no-CApath', '-no-CAstore'];
    const files = [
      '-CAfile',
      join(folder, 'root.pem'),
      '-untrusted',
      join(folder, 'rest.pem'),
      join(folder, 'leaf.pem'),
    ];
    const { status, stderr } = spawnSync('openssl', [...words, ...files], { encoding: 'utf8' });
    assert.equal(status === 0, trust === 'trusted', `${name}: ${stderr}`);
  }
});

test('a hundred certificates of one name and key identifier are bounded work, and the right one is found among some', {
  timeout,
}, async (t) => {
  const forged = (key: string) =>
    authority(signer('Middle', key), { ...forger, name: root.name }, { claimedIssuerKey: root.key });
  const many = Array.from({ length: 99 }, (_, index) => forged(`many ${index % 3}`));
  const hundred = await lookAt(t, [leafOf(middle), ...many]);
  assert.equal(hundred.facts.trust, 'unknown_issuer');
  assert.equal(hundred.facts.chain.length + hundred.facts.chainOmitted, 100);
  assert.ok(hundred.facts.chain.length <= 12);
  assert.match(describeChainOddities(hundred.facts)[0]!, /, 96 more\.$/);
  const some = await lookAt(t, [leafOf(middle), ...many.slice(0, 10), middleCertificate]);
  assert.deepEqual(
    certificationPath(some.facts).map(({ commonName }) => commonName),
    ['site.example', 'Middle'],
  );
});

test('a path over a cross-signed authority: the way to a root that is trusted is taken, where OpenSSL takes it too', {
  timeout,
}, async (t) => {
  const toOther = authority(middle, other);
  for (const sent of [
    [leafOf(middle), toOther, middleCertificate],
    [leafOf(middle), middleCertificate, toOther],
  ]) {
    const { facts, authorizationError } = await lookAt(t, sent);
    t.diagnostic(`${facts.trust}: ${authorizationError}`);
    assert.equal(facts.trust, authorizationError === null ? 'trusted' : 'unknown_issuer');
  }
});

test('demands and proofs are read from the extensions alone', async (t) => {
  // The bytes of the TLS feature's identifier in a name are no demand.
  const id = Buffer.from('06082b06010505070118', 'hex').toString('latin1');
  const { facts } = await lookAt(t, [leafOf(middle, { subject: `site ${id}` }), middleCertificate]);
  assert.equal(facts.chain[0]!.mustStaple, false);
  const demanding = await lookAt(t, [leafOf(middle, { mustStaple: true }), middleCertificate]);
  assert.equal(demanding.facts.chain[0]!.mustStaple, true);
});

for (const [what, issuer, trust, unknown] of [
  ['the issuer', middleCertificate, 'incomplete', false],
  ['nothing', undefined, 'missing_issuer', true],
  ['a namesake of the issuer', authority(namesake, root), 'missing_issuer', true],
  [
    'an issuer that is no authority',
    issue({ ...era, subject: 'Middle', key: middle.key, issuer: root }),
    'missing_issuer',
    true,
  ],
  ['an authority that is not trusted', authority(middle, middle), 'unknown_issuer', false],
  // Only OpenSSL looks at this: the authority is for client certificates.
  [
    'an authority for another purpose',
    authority(middle, root, { purposes: ['1.3.6.1.5.5.7.3.2'] }),
    'unknown_issuer',
    false,
  ],
] as const) {
  test(`${what} lies where the certificate says that its issuer does: ${trust}`, { timeout }, async (t) => {
    const leaf = leafOf(middle, { issuerUrl: 'http://site.example/issuer.der' });
    const { facts } = await lookAt(t, [leaf], issuer?.der);
    assert.deepEqual([facts.trust, facts.issuerUnknown], [trust, unknown]);
    assert.equal(gradeTls(facts, new Date()).grade, trust === 'incomplete' ? 'B' : 'F');
  });
}
