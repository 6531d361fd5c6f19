import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { judgeAttacks } from '../../../src/analysis/tls/attacks.ts';
import { gradeTls } from '../../../src/analysis/tls/grade-tls.ts';
import type { TlsFacts } from '../../../src/analysis/tls/tls-facts.ts';
import { enumeratePairs } from '../../../src/sources/tls/enumeration/enumerate-pairs.ts';
import { tls } from '../../../src/sources/tls/tls.ts';
import type { TlsQuestion } from '../../../src/sources/tls/tls-question.ts';
import { keyFor } from '../../lab/x509.ts';
import { createRawTlsServer, type RawTlsPlan } from '../../lab/raw-tls-server.ts';
import { listen } from '../../net/servers.ts';
import { contextOver, netTo } from '../../net/site.ts';
import { AUTHORITIES, serveTls, siteCertificate, siteKey } from '../../net/tls-server.ts';

const timeout = 120_000;
const extraCa = [AUTHORITIES.root.pem];
const rsaKey = keyFor('net site rsa', 'rsa2048');
const rsaCertificate = siteCertificate({ key: rsaKey });
const rawChain = [rsaCertificate.der, AUTHORITIES.middle.der];

async function lookAt(
  t: TestContext,
  running: { url: string },
  detail: TlsQuestion['detail'] = 'all',
): Promise<TlsFacts> {
  const { net } = await netTo(t, running, { extraCa });
  return tls.ask({ host: 'site.example', port: 443, detail }, contextOver(net));
}

async function lookAtRaw(t: TestContext, plan: RawTlsPlan, detail: TlsQuestion['detail'] = 'all') {
  const running = await listen(t, createRawTlsServer({ certificates: rawChain, ...plan }));
  const facts = await lookAt(t, running, detail);
  return { facts, running };
}

const suitesOf = ({ suites }: TlsFacts, version: string) =>
  suites.filter((one) => one.version === version).map(({ code }) => code);
const attacksOf = (facts: TlsFacts) =>
  Object.fromEntries(judgeAttacks(facts)!.map(({ name, vulnerable }) => [name, vulnerable]));
const capsOf = (facts: TlsFacts) => gradeTls(facts, new Date()).caps.map(({ id }) => id);

test('a server with everything that is forbidden: each version, each suite in its order, each attack', {
  timeout,
}, async (t) => {
  // IANA: RC4-MD5, DES, 3DES, EXP-RC4-MD5, AES128-SHA, ADH-AES128-SHA, DHE-RSA-AES128-SHA, NULL-SHA.
  const old = [0x0004, 0x0003, 0x0034, 0x0009, 0x000a, 0x0033, 0x002f, 0x0002];
  const { facts, running } = await lookAtRaw(t, {
    suites: { 0x0300: old.slice(0, 5), 0x0301: old, 0x0303: [0x009c, ...old] },
    ownOrder: true,
    exchanges: { 0x0003: 'export RSA', 0x0034: 'anonymous DHE', 0x0033: 'DHE' },
    ssl2: [0x010080],
    compresses: true,
  });
  assert.deepEqual(facts.protocols, {
    SSLv2: true,
    SSLv3: true,
    TLSv1: true,
    'TLSv1.1': false,
    'TLSv1.2': true,
    'TLSv1.3': false,
  });
  assert.deepEqual(suitesOf(facts, 'TLSv1.2'), [0x009c, ...old]);
  assert.deepEqual(suitesOf(facts, 'TLSv1'), old);
  assert.deepEqual(suitesOf(facts, 'SSLv3'), old.slice(0, 5));
  assert.deepEqual([facts.suitesComplete, facts.configuration!.serverPreference], [true, true]);
  assert.deepEqual(
    [facts.negotiated.protocol, facts.negotiated.standardCipher],
    ['TLSv1.2', 'TLS_RSA_WITH_AES_128_GCM_SHA256'],
  );
  assert.equal(facts.trust, 'trusted');
  const { DROWN, POODLE, BEAST, SWEET32, FREAK, RC4, CRIME, ROBOT } = attacksOf(facts);
  assert.deepEqual(
    [DROWN, POODLE, BEAST, SWEET32, FREAK, RC4, CRIME, ROBOT],
    [true, true, true, true, true, true, true, null],
  );
  assert.equal(attacksOf(facts)['insecure renegotiation'], true);
  const { grade, score, caps } = gradeTls(facts, new Date());
  // Anonymous key exchange is worth 0 points, which makes the score 0 (SSL Labs server rating guide).
  assert.deepEqual([grade, score], ['F', 0]);
  for (const id of ['ssl2', 'insecure_cipher', 'insecure_renegotiation', 'compression', 'weak_cipher', 'ssl3_poodle'])
    assert.ok(
      caps.some((cap) => cap.id === id),
      id,
    );
  assert.ok(running.connections <= 60 && facts.connections <= 60, `${running.connections} ${facts.connections}`);
});

test('SSL 3 alone, which OpenSSL does not have', { timeout }, async (t) => {
  const { facts } = await lookAtRaw(t, { suites: { 0x0300: [0x000a, 0x0005] }, ownOrder: true });
  assert.deepEqual([facts.negotiated.protocol, facts.protocols.SSLv3, facts.protocols.TLSv1], ['SSLv3', true, false]);
  assert.deepEqual(suitesOf(facts, 'SSLv3'), [0x000a, 0x0005]);
  assert.ok(capsOf(facts).includes('ssl3_only'));
  assert.equal(facts.chain.length, 2);
});

test('secure renegotiation, heartbeat, fallback, a small and reused Diffie-Hellman group are told', {
  timeout,
}, async (t) => {
  const prime = Buffer.from(
    'd67de440cbbbdc1936d693d34afd0ad50c84d239a45f520bb88174cb98bce951849f912e639c72fb13b4b4d7177e16d55ac179ba420b2a29fe324a467a635e81ff5901377beddcfd33168a461aad3b72dae8860078045b07a7dbca7874087d1510ea9fcc9ddd330507dd62db88aeaa747de0f4d6e2bd68b0e7393e0f24218eb3',
    'hex',
  );
  const { facts } = await lookAtRaw(t, {
    suites: { 0x0302: [0x0033, 0x0039], 0x0303: [0x009e, 0x0033, 0x0039] },
    exchanges: { 0x009e: 'DHE', 0x0033: 'DHE', 0x0039: 'DHE' },
    dhPrime: prime,
    reusesDh: true,
    extensions: { 0xff01: '00', 15: '01', 23: '', 22: '' },
    fallbackScsv: true,
  });
  const { configuration, suites } = facts;
  assert.deepEqual(
    suites.map(({ dhPrime }) => dhPrime),
    Array.from({ length: 5 }, () => ({ bits: 1024, known: 'Apache 2.2' })),
  );
  const { renegotiation, heartbeat, extendedMasterSecret, encryptThenMac, fallbackScsv, serverPreference, dhReused } =
    configuration!;
  assert.deepEqual([renegotiation.secure, heartbeat, extendedMasterSecret, encryptThenMac], [true, true, true, true]);
  assert.deepEqual([fallbackScsv, serverPreference, dhReused], [true, false, true]);
  assert.deepEqual(
    [attacksOf(facts).Logjam, attacksOf(facts).Raccoon, attacksOf(facts).Heartbleed],
    [true, true, null],
  );
  assert.ok(capsOf(facts).includes('small_key_exchange'));
});

const MODERN: TlsOptions = {
  minVersion: 'TLSv1.2',
  ecdhCurve: 'X25519MLKEM768:X25519:P-256:P-384',
  ALPNProtocols: ['h2', 'http/1.1'],
};

test('a server of Node: groups with ML-KEM, both certificates, signatures, ALPN, resumption, renegotiation', {
  timeout,
}, async (t) => {
  const running = await serveTls(t, [siteCertificate(), AUTHORITIES.middle], {
    ...MODERN,
    key: [siteKey, rsaKey.export({ type: 'pkcs8', format: 'pem' }) as string],
    cert: [siteCertificate(), rsaCertificate].map(({ pem }) => pem + AUTHORITIES.middle.pem),
    ciphers: 'TLS_AES_256_GCM_SHA384:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384',
  });
  const facts = await lookAt(t, running);
  assert.deepEqual(facts.gaps, []);
  assert.deepEqual(suitesOf(facts, 'TLSv1.3'), [0x1302]);
  assert.deepEqual(suitesOf(facts, 'TLSv1.2').toSorted(), [0xc02b, 0xc030]);
  const { groups, postQuantumGroups, alpn, resumption, renegotiation, signatureSchemes } = facts.configuration!;
  assert.deepEqual(groups!.toSorted(), ['X25519MLKEM768', 'secp256r1', 'secp384r1', 'x25519']);
  assert.deepEqual(postQuantumGroups, ['X25519MLKEM768']);
  assert.deepEqual(alpn, ['h2', 'http/1.1']);
  // Node has no cache of sessions unless a program makes one.
  assert.deepEqual(resumption, { sessionIds: false, tickets: true, psk: true });
  assert.deepEqual(renegotiation, { secure: true, clientInitiated: true });
  for (const name of ['ecdsa_secp256r1_sha256', 'rsa_pss_rsae_sha256', 'rsa_pkcs1_sha512'])
    assert.ok(signatureSchemes!.includes(name), `${name} of ${signatureSchemes}`);
  const keys = [facts.chain[0]!, ...facts.otherCertificates].map(({ key }) => key.type);
  assert.deepEqual(keys.toSorted(), ['ec', 'rsa']);
  assert.ok(running.connections <= 60, String(running.connections));
});

test('TLS 1.3 alone, and no post-quantum group', { timeout }, async (t) => {
  const server = { ...MODERN, minVersion: 'TLSv1.3', ecdhCurve: 'P-384:P-256' } as const;
  const facts = await lookAt(t, await serveTls(t, [siteCertificate(), AUTHORITIES.middle], server));
  const { groups, postQuantumGroups, alpn, signatureSchemes, fallbackScsv, compression } = facts.configuration!;
  assert.deepEqual([groups!.toSorted(), postQuantumGroups], [['secp256r1', 'secp384r1'], []]);
  assert.deepEqual([alpn, signatureSchemes], [['h2', 'http/1.1'], ['ecdsa_secp256r1_sha256']]);
  assert.deepEqual([fallbackScsv, compression, facts.gaps], [null, false, []]);
  assert.deepEqual(suitesOf(facts, 'TLSv1.3').toSorted(), [0x1301, 0x1302, 0x1303]);
});

for (const by of ['silence', 'closing'] as const) {
  test(`a server that ends with ${by} after some connections: gaps, and nothing is called refused`, {
    timeout,
  }, async (t) => {
    const { net } = await netTo(
      t,
      await listen(
        t,
        createRawTlsServer({
          certificates: rawChain,
          suites: { 0x0301: [0x002f, 0x0035], 0x0303: [0x009c, 0x009d, 0x002f, 0x0035] },
          tires: { after: 9, by },
        }),
      ),
      { extraCa },
    );
    // That a server is silent is tested, not how long it is waited for.
    const quick: typeof net = {
      ...net,
      sendClientHello: (host, given) => net.sendClientHello(host, { ...given, timeoutMs: 300 }),
    };
    const facts = await tls.ask({ host: 'site.example', port: 443, detail: 'all' }, contextOver(quick));
    assert.equal(facts.suitesComplete, false);
    assert.ok(facts.gaps.length > 0);
    assert.equal(facts.protocols['TLSv1.2'], true);
    assert.notEqual(facts.protocols.SSLv3, true);
    const { SWEET32, FREAK, RC4 } =
      judgeAttacks(facts) === null ? { SWEET32: null, FREAK: null, RC4: null } : attacksOf(facts);
    assert.deepEqual([SWEET32, FREAK, RC4], [null, null, null]);
  });
}

test('a server with more suites than connections are made: the broken ones are found, the rest is a gap', {
  timeout,
}, async (t) => {
  const many = Array.from({ length: 70 }, (_, index) => 0xc02b + index).filter((code) => code <= 0xc071);
  const { facts, running } = await lookAtRaw(t, {
    suites: { 0x0303: [0x0067, 0x006b, 0x003c, 0x003d, ...COMMON, ...many, 0x0001] },
    ownOrder: true,
  });
  assert.ok(facts.suites.some(({ name }) => name === 'TLS_RSA_WITH_NULL_MD5'));
  assert.equal(facts.suitesComplete, false);
  assert.match(facts.gaps[0]!, /60 connections/);
  assert.ok(running.connections <= 60, String(running.connections));
});
const COMMON = [
  0x002f, 0x0033, 0x0035, 0x0039, 0x0041, 0x0045, 0x0084, 0x0088, 0x0096, 0x009a, 0x009c, 0x009d, 0x009e, 0x009f,
  0x00ba, 0x00be, 0x00c0, 0x00c4, 0xc009, 0xc00a, 0xc013, 0xc014, 0xc023, 0xc024, 0xc027, 0xc028, 0xc072, 0xc073,
  0xc076, 0xc077, 0xc09c, 0xc09d, 0xc09e, 0xc09f, 0xc0a0, 0xc0a1, 0xc0a2, 0xc0a3, 0xcca8, 0xcca9, 0xccaa,
];

test('a certificate alone takes one connection', { timeout }, async (t) => {
  const running = await serveTls(t, [siteCertificate(), AUTHORITIES.middle]);
  const facts = await lookAt(t, running, 'certificate');
  assert.deepEqual([running.connections, facts.suites, facts.configuration, facts.trust], [1, [], null, 'trusted']);
  assert.deepEqual([facts.protocols['TLSv1.3'], facts.protocols['TLSv1.2']], [true, null]);
});

for (const [first, second] of [
  [[1, 2, 3], [10]],
  [[1], [10, 11, 12]],
  [
    [2, 4],
    [11, 13, 15],
  ],
  [[], []],
] as const) {
  test(`lists ${first} and ${second} are found by removal, whatever the server prefers`, async () => {
    const candidates = { first: [1, 2, 3, 4, 5], second: [10, 11, 12, 13, 14, 15] };
    for (const last of [false, true]) {
      let asked = 0;
      const found = await enumeratePairs(candidates, { first: [], second: [] }, async (a, b) => {
        asked++;
        const [one, other] = [first.filter((code) => a.includes(code)), second.filter((code) => b.includes(code))];
        const choice = { first: one.at(last ? -1 : 0), second: other.at(last ? -1 : 0) };
        return choice.first === undefined || choice.second === undefined
          ? 'refused'
          : (choice as { first: number; second: number });
      });
      assert.deepEqual([found.first.toSorted(), found.second.toSorted()], [first, second]);
      assert.deepEqual([found.firstComplete, found.secondComplete], [true, true]);
      assert.ok(asked <= Math.max(first.length, second.length) + 3, String(asked));
    }
  });
}
