import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import type { DkimKey } from '../../../src/analysis/email/dkim-key.ts';
import { parseDmarcRecord } from '../../../src/analysis/email/dmarc/dmarc-record.ts';
import type {
  DaneFacts,
  DkimFacts,
  MailFacts,
  MailServerFacts,
  MtaStsFacts,
} from '../../../src/analysis/email/posture/mail-facts.ts';
import { assessPosture, POSTURE_RULES } from '../../../src/analysis/email/posture/assess-posture.ts';
import { mailFixGuide } from '../../../src/analysis/email/posture/mail-fix-guide.ts';
import {
  parseMtaStsPolicy,
  parseMtaStsRecord,
  parseTlsRptRecord,
} from '../../../src/analysis/email/transport-records.ts';

const KEY: DkimKey = { keyType: 'rsa', bits: 2048, revoked: false, testing: false, sha1Only: false, valid: true };
const GOOD: MailFacts = {
  mx: [{ preference: 10, exchange: 'mx.example.com' }],
  mxProblems: { withoutAddress: [], malformed: [] },
  spf: {
    present: true,
    records: ['v=spf1 mx -all'],
    mechanisms: ['mx', '-all'],
    allPolicy: 'fail',
    lookupCount: 1,
    voids: [],
    brokenIncludes: [],
    loops: [],
    syntaxError: null,
    usesPtr: false,
    wideNetworks: [],
    crowdedMx: [],
    unreachedTerms: [],
    senders: [],
  },
  dmarc: {
    present: true,
    record: parseDmarcRecord('v=DMARC1; p=reject; rua=mailto:d@example.com'),
    foundAt: 'example.com',
    method: 'rfc9989',
    organizationalDomain: 'example.com',
    effectivePolicy: 'reject',
    multipleAt: null,
    malformed: null,
    seenByRfc7489: true,
    externalReports: [],
  },
  dkim: { tested: ['s'], unanswered: [], keys: [{ selector: 's', key: KEY }], unreadable: [], wildcard: false },
  mtaSts: {
    present: true,
    record: 'v=STSv1; id=1',
    id: '1',
    policy: { mode: 'enforce', mx: ['mx.example.com'], maxAge: 604_800 },
    policyProblem: null,
    uncovered: [],
  },
  tlsRpt: { present: true, record: 'v=TLSRPTv1; rua=mailto:t@example.com', ruaUris: ['mailto:t@example.com'] },
  bimi: {
    present: true,
    text: '',
    logo: 'https://example.com/l.svg',
    evidence: 'https://example.com/v.pem',
    problems: [],
    logoProblems: [],
    markCertificate: { problem: null, notAfter: '2030-01-01T00:00:00.000Z' },
  },
  servers: [
    {
      host: 'mx.example.com',
      startTls: true,
      said: null,
      protocol: 'TLSv1.3',
      certificateProblem: null,
      notAfter: '2030-01-01T00:00:00.000Z',
      dane: {
        records: ['3 1 1 00'],
        signed: true,
        unsignedReason: null,
        usable: 1,
        problems: [],
        matches: true,
        fitting: '3 1 1 00',
      },
    },
  ],
};

const spf = (changes: Partial<MailFacts['spf']>): MailFacts => ({ ...GOOD, spf: { ...GOOD.spf, ...changes } });
const dmarc = (changes: Partial<MailFacts['dmarc']>): MailFacts => ({ ...GOOD, dmarc: { ...GOOD.dmarc, ...changes } });
const record = (text: string): MailFacts => {
  const parsed = parseDmarcRecord(text);
  return dmarc({ record: parsed, effectivePolicy: parsed.policy });
};
const dkim = (changes: Partial<DkimFacts>): MailFacts => ({ ...GOOD, dkim: { ...GOOD.dkim!, ...changes } });
const key = (changes: Partial<DkimKey>): MailFacts => dkim({ keys: [{ selector: 's', key: { ...KEY, ...changes } }] });
const sts = (changes: Partial<MtaStsFacts>): MailFacts => ({ ...GOOD, mtaSts: { ...GOOD.mtaSts!, ...changes } });
const policy = (changes: object): MailFacts => sts({ policy: { ...GOOD.mtaSts!.policy!, ...changes } });
const NO_STS: MtaStsFacts = {
  present: false,
  record: null,
  id: null,
  policy: null,
  policyProblem: null,
  uncovered: [],
};
const NO_MAIL = { mx: [{ preference: 0, exchange: '' }] };

/** What each rule must hit, and what comes near and must not. */
const senders = (...networks: string[]): MailFacts =>
  spf({ senders: [{ term: 'ip4', service: null, networks, isComplete: true }] });
const bimi = (changes: Partial<Extract<MailFacts['bimi'], { present: true }>>): MailFacts => ({
  ...GOOD,
  bimi: { ...(GOOD.bimi as Extract<MailFacts['bimi'], { present: true }>), ...changes },
});
const server = (changes: Partial<MailServerFacts>): MailFacts => ({
  ...GOOD,
  servers: [{ ...GOOD.servers![0]!, ...changes }],
});
const dane = (changes: Partial<DaneFacts>): MailFacts => server({ dane: { ...GOOD.servers![0]!.dane!, ...changes } });
const NO_DANE: DaneFacts = {
  records: [],
  signed: false,
  unsignedReason: null,
  usable: 0,
  problems: [],
  matches: null,
  fitting: null,
};

const EXAMPLES: Record<string, { hits: MailFacts[]; misses: MailFacts[] }> = {
  spf_missing: { hits: [spf({ present: false, records: [] })], misses: [spf({ present: null, records: [] })] },
  spf_multiple_records: { hits: [spf({ records: ['v=spf1 -all', 'v=spf1 -all'] })], misses: [GOOD] },
  spf_syntax: { hits: [spf({ syntaxError: '"x" is no mechanism' })], misses: [GOOD] },
  spf_pass_all: { hits: [spf({ allPolicy: 'pass' })], misses: [spf({ allPolicy: 'softfail' })] },
  spf_neutral_all: { hits: [spf({ allPolicy: 'neutral' })], misses: [GOOD] },
  spf_no_all: {
    hits: [spf({ allPolicy: null })],
    misses: [
      spf({ allPolicy: null, lookupCount: null }),
      spf({ allPolicy: null, brokenIncludes: ['redirected.example'] }),
      spf({ allPolicy: null, loops: ['example.com'] }),
    ],
  },
  spf_softfail: {
    hits: [{ ...spf({ allPolicy: 'softfail' }), dmarc: record('v=DMARC1; p=none').dmarc }],
    misses: [
      spf({ allPolicy: 'softfail' }),
      {
        ...spf({ allPolicy: 'softfail' }),
        dmarc: { ...GOOD.dmarc, present: null, record: null, effectivePolicy: null },
      },
    ],
  },
  spf_lookup_limit: {
    hits: [spf({ lookupCount: 11 })],
    misses: [spf({ lookupCount: 10 }), spf({ lookupCount: null })],
  },
  spf_lookups_near_limit: {
    hits: [spf({ lookupCount: 9 }), spf({ lookupCount: 10 })],
    misses: [spf({ lookupCount: 8 }), spf({ lookupCount: 11 })],
  },
  spf_void_lookups: { hits: [spf({ voids: ['a', 'b', 'c'] })], misses: [spf({ voids: ['a', 'b'] })] },
  spf_broken_include: { hits: [spf({ brokenIncludes: ['a.example'] })], misses: [GOOD] },
  spf_loop: { hits: [spf({ loops: ['example.com'] })], misses: [spf({ brokenIncludes: ['a.example'] })] },
  spf_ptr: { hits: [spf({ usesPtr: true })], misses: [GOOD] },
  spf_wide_network: { hits: [spf({ wideNetworks: ['ip4:10.0.0.0/8'] })], misses: [GOOD] },
  dmarc_missing: {
    hits: [dmarc({ present: false, record: null })],
    misses: [
      dmarc({ present: null, record: null }),
      dmarc({ present: false, record: null, multipleAt: 'example.com' }),
      dmarc({ present: false, record: null, malformed: { at: 'example.com', text: 'p=reject; v=DMARC1' } }),
    ],
  },
  dmarc_malformed: {
    hits: [dmarc({ present: false, record: null, malformed: { at: 'example.com', text: 'p=reject; v=DMARC1' } })],
    misses: [dmarc({ malformed: { at: 'sub.example.com', text: 'p=reject' } })],
  },
  dmarc_multiple_records: {
    hits: [dmarc({ present: false, record: null, multipleAt: 'example.com' })],
    misses: [dmarc({ multipleAt: 'sub.example.com' })],
  },
  dmarc_broken: { hits: [record('v=DMARC1; p=reject; pct=many')], misses: [GOOD] },
  dmarc_no_policy: { hits: [record('v=DMARC1;')], misses: [record('v=DMARC1; rua=mailto:d@example.com')] },
  dmarc_policy_none: { hits: [record('v=DMARC1; p=none')], misses: [record('v=DMARC1; p=quarantine')] },
  dmarc_policy_quarantine: { hits: [record('v=DMARC1; p=quarantine')], misses: [GOOD] },
  dmarc_subdomains_weaker: {
    hits: [record('v=DMARC1; p=reject; sp=none')],
    misses: [
      record('v=DMARC1; p=none; sp=reject'),
      { ...GOOD, dmarc: { ...record('v=DMARC1; p=reject; sp=none').dmarc, effectivePolicy: 'none' } },
    ],
  },
  dmarc_testing: { hits: [record('v=DMARC1; p=reject; t=y')], misses: [record('v=DMARC1; p=none; t=y')] },
  dmarc_pct: { hits: [record('v=DMARC1; p=reject; pct=50')], misses: [record('v=DMARC1; p=reject; pct=100')] },
  dmarc_no_reports: { hits: [record('v=DMARC1; p=reject')], misses: [GOOD] },
  dmarc_reports_unauthorized: {
    hits: [dmarc({ externalReports: [{ target: 'example.net', authorized: false }] })],
    misses: [dmarc({ externalReports: [{ target: 'example.net', authorized: null }] })],
  },
  dmarc_unseen_by_rfc7489: {
    hits: [dmarc({ seenByRfc7489: false })],
    misses: [dmarc({ record: null, seenByRfc7489: false })],
  },
  dkim_not_confirmed: {
    hits: [dkim({ keys: [] }), key({ revoked: true, valid: false, bits: null })],
    misses: [
      { ...GOOD, dkim: null },
      dkim({ keys: [], unanswered: ['s'] }),
      { ...spf({ mechanisms: ['-all'], lookupCount: 0 }), dkim: { ...GOOD.dkim!, keys: [] } },
    ],
  },
  dkim_wildcard: { hits: [dkim({ wildcard: true })], misses: [GOOD] },
  dkim_key_broken_strength: {
    hits: [key({ bits: 1023 })],
    misses: [key({ bits: 1024 }), key({ keyType: 'ed25519', bits: 256 })],
  },
  dkim_key_short: {
    hits: [key({ bits: 1024 }), key({ bits: 2047 })],
    misses: [key({ bits: 1023 }), GOOD, key({ keyType: 'ed25519', bits: 256 })],
  },
  dkim_sha1: { hits: [key({ sha1Only: true })], misses: [GOOD] },
  dkim_testing: { hits: [key({ testing: true })], misses: [key({ testing: true, revoked: true })] },
  dkim_unreadable_key: {
    hits: [dkim({ unreadable: ['x'] }), key({ valid: false, bits: null })],
    misses: [
      key({ revoked: true, valid: false }),
      dkim({ unreadable: ['x'], wildcard: true }),
      key({ keyType: 'other', valid: false }),
    ],
  },
  dkim_revoked: { hits: [key({ revoked: true })], misses: [GOOD] },
  mx_null: { hits: [{ ...GOOD, ...NO_MAIL }], misses: [GOOD, { ...GOOD, mx: [] }] },
  mx_missing: {
    hits: [{ ...GOOD, mx: [] }],
    misses: [
      { ...GOOD, mx: null },
      { ...GOOD, ...NO_MAIL },
    ],
  },
  mta_sts_missing: {
    hits: [{ ...GOOD, mtaSts: NO_STS }],
    misses: [
      { ...GOOD, mtaSts: NO_STS, ...NO_MAIL },
      { ...GOOD, mtaSts: NO_STS, mx: null },
      { ...GOOD, mtaSts: null },
    ],
  },
  mta_sts_no_policy: {
    hits: [sts({ policy: null, policyProblem: 'is answered with status 404' })],
    misses: [sts({ policy: null })],
  },
  mta_sts_not_enforced: {
    hits: [policy({ mode: 'testing' }), policy({ mode: 'none' })],
    misses: [GOOD, sts({ policy: null })],
  },
  mta_sts_mx_uncovered: {
    hits: [sts({ uncovered: ['mx2.example.com'] })],
    misses: [{ ...GOOD, mtaSts: { ...policy({ mode: 'testing' }).mtaSts!, uncovered: ['mx2.example.com'] } }],
  },
  mta_sts_mx_uncovered_in_testing: {
    hits: [{ ...GOOD, mtaSts: { ...policy({ mode: 'testing' }).mtaSts!, uncovered: ['mx2.example.com'] } }],
    misses: [sts({ uncovered: ['mx2.example.com'] })],
  },
  mta_sts_short_max_age: {
    hits: [policy({ maxAge: 3600 })],
    misses: [policy({ maxAge: 86_400 }), policy({ mode: 'testing', maxAge: 3600 })],
  },
  mta_sts_bad_id: { hits: [sts({ id: null })], misses: [{ ...GOOD, mtaSts: NO_STS }] },
  tls_rpt_missing: {
    hits: [{ ...GOOD, tlsRpt: { present: false, record: null, ruaUris: [] } }],
    misses: [
      { ...GOOD, ...NO_MAIL, tlsRpt: { present: false, record: null, ruaUris: [] } },
      { ...GOOD, tlsRpt: null },
    ],
  },
  tls_rpt_no_address: { hits: [{ ...GOOD, tlsRpt: { present: true, record: '', ruaUris: [] } }], misses: [GOOD] },
  bimi_missing: { hits: [{ ...GOOD, bimi: { present: false } }], misses: [{ ...GOOD, bimi: null }] },
  bimi_without_enforcement: {
    hits: [record('v=DMARC1; p=none')],
    misses: [GOOD, dmarc({ present: null, record: null, effectivePolicy: null })],
  },
  bimi_no_certificate: { hits: [bimi({ evidence: null })], misses: [bimi({ logo: null, evidence: null })] },
  bimi_malformed: { hits: [bimi({ problems: ['there is no l tag'] })], misses: [] },
  mx_without_address: {
    hits: [{ ...GOOD, mxProblems: { withoutAddress: ['mx.example.com'], malformed: [] } }],
    misses: [{ ...GOOD, mxProblems: null }],
  },
  mx_malformed: {
    hits: [{ ...GOOD, mxProblems: { withoutAddress: [], malformed: ['192.0.2.1 is no host name'] } }],
    misses: [],
  },
  bimi_logo: { hits: [bimi({ logoProblems: ['it has no title'] })], misses: [bimi({ logoProblems: null })] },
  bimi_certificate: {
    hits: [bimi({ markCertificate: { problem: 'it has expired', notAfter: null } })],
    misses: [bimi({ markCertificate: null })],
  },
  spf_covers_internet: {
    hits: [senders('0.0.0.0/1', '128.0.0.0/1')],
    misses: [senders('10.0.0.0/8', '::/0'), spf({ senders: null })],
  },
  spf_mx_limit: { hits: [spf({ crowdedMx: ['example.com'] })], misses: [] },
  spf_unreached_terms: { hits: [spf({ unreachedTerms: ['ip4:192.0.2.1'] })], misses: [] },
  starttls_missing: {
    hits: [server({ startTls: false })],
    misses: [server({ startTls: null }), { ...GOOD, servers: null }],
  },
  starttls_old_version: { hits: [server({ protocol: 'TLSv1.1' })], misses: [server({ protocol: null })] },
  starttls_certificate: {
    hits: [{ ...server({ certificateProblem: 'CERT_HAS_EXPIRED', dane: NO_DANE }), mtaSts: NO_STS }],
    // The one is right by DANE, the other is a finding of MTA-STS.
    misses: [
      { ...server({ certificateProblem: 'CERT_HAS_EXPIRED' }), mtaSts: NO_STS },
      server({ certificateProblem: 'CERT_HAS_EXPIRED', dane: NO_DANE }),
    ],
  },
  mta_sts_bad_certificate: {
    hits: [server({ certificateProblem: 'CERT_HAS_EXPIRED' })],
    misses: [{ ...server({ certificateProblem: 'CERT_HAS_EXPIRED' }), mtaSts: policy({ mode: 'testing' }).mtaSts }],
  },
  dane_mismatch: {
    hits: [dane({ matches: false })],
    misses: [dane({ matches: null }), dane({ matches: false, signed: false })],
  },
  dane_without_tls: {
    hits: [server({ startTls: false })],
    misses: [server({ startTls: null }), server({ startTls: false, dane: NO_DANE })],
  },
  dane_unusable: { hits: [dane({ usable: 0, matches: null, problems: ['usage 0'] })], misses: [] },
  dane_unsigned: { hits: [dane({ signed: false, unsignedReason: 'not signed' })], misses: [server({ dane: NO_DANE })] },
  dane_missing: { hits: [server({ dane: NO_DANE })], misses: [server({ dane: null }), { ...GOOD, servers: [] }] },
};

describe('rules of the e-mail posture', () => {
  test('each has its examples', () => {
    assert.deepEqual(Object.keys(EXAMPLES).toSorted(), POSTURE_RULES.map(({ id }) => id).toSorted());
  });

  for (const rule of POSTURE_RULES) {
    test(rule.id, () => {
      const { hits, misses } = EXAMPLES[rule.id]!;
      for (const facts of hits) assert.match(rule.findProblem(facts) ?? 'not found', /^[A-Z].*\.$/);
      for (const facts of [...misses, GOOD]) assert.equal(rule.findProblem(facts), null);
    });
  }
});

test('what a softfail is to DMARC that acts on a part of the mail, or not yet', () => {
  const rule = POSTURE_RULES.find(({ id }) => id === 'spf_softfail')!;
  const softfailWith = (text: string) =>
    rule.findProblem({ ...spf({ allPolicy: 'softfail' }), dmarc: record(text).dmarc });
  assert.match(softfailWith('v=DMARC1; p=quarantine; pct=50')!, /policy quarantine.* on 50 % of the mail/);
  assert.match(softfailWith('v=DMARC1; p=reject; t=y')!, /policy reject.* test mode/);
  assert.match(softfailWith('v=DMARC1; p=none')!, /no DMARC policy/);
});

describe('score and grade', () => {
  // Points that findings take off: SPF 30 at most, DMARC 40, DKIM 20, MTA-STS 8, TLS-RPT 2.
  for (const [facts, score, grade] of [
    [spf({ usesPtr: true }), 97, 'A+'],
    [record('v=DMARC1; p=quarantine; rua=mailto:d@example.com'), 95, 'A+'],
    [key({ bits: 1024 }), 95, 'A+'],
    [{ ...key({ bits: 1024 }), tlsRpt: { present: true, record: '', ruaUris: [] } }, 93, 'A'],
    [spf({ allPolicy: 'neutral' }), 85, 'A'],
    [{ ...spf({ allPolicy: 'neutral' }), tlsRpt: { present: true, record: '', ruaUris: [] } }, 83, 'B'],
    [spf({ present: false, records: [], allPolicy: null, lookupCount: null }), 70, 'B'],
    [
      {
        ...spf({ present: false, records: [], allPolicy: null, lookupCount: null }),
        tlsRpt: { present: true, record: '', ruaUris: [] },
      },
      68,
      'C',
    ],
    [dmarc({ present: false, record: null, effectivePolicy: null }), 60, 'C'],
    [{ ...dmarc({ present: false, record: null, effectivePolicy: null }), dkim: { ...GOOD.dkim!, keys: [] } }, 55, 'C'],
    [
      {
        ...dmarc({ present: false, record: null, effectivePolicy: null }),
        dkim: { ...GOOD.dkim!, keys: [] },
        tlsRpt: { present: true, record: '', ruaUris: [] },
      },
      53,
      'D',
    ],
    [
      {
        ...dmarc({ present: false, record: null, effectivePolicy: null }),
        ...spf({ lookupCount: 11 }),
        dmarc: { ...GOOD.dmarc, present: false, record: null, effectivePolicy: null },
      },
      40,
      'D',
    ],
    [
      {
        ...spf({ lookupCount: 11 }),
        dmarc: { ...GOOD.dmarc, present: false, record: null, effectivePolicy: null },
        tlsRpt: { present: true, record: '', ruaUris: [] },
      },
      38,
      'F',
    ],
  ] as [MailFacts, number, string][]) {
    test(`${score} is ${grade}`, () => {
      const posture = assessPosture(facts);
      assert.deepEqual([posture.score, posture.grade], [score, grade]);
    });
  }

  test('nothing to object to', () => {
    const { score, grade, findings } = assessPosture(GOOD);
    assert.equal(score, 100);
    assert.equal(grade, 'A+');
    assert.deepEqual(new Set(findings.map(({ status }) => status)), new Set(['pass']));
    assert.equal(findings.length, 9, 'one row for each check');
  });

  test('a check takes off no more than it is worth, and the rows say what counts', () => {
    const facts = spf({
      records: ['a', 'b'],
      allPolicy: 'pass',
      lookupCount: 30,
      brokenIncludes: ['x.example'],
      usesPtr: true,
    });
    const { score, findings } = assessPosture(facts);
    assert.equal(score, 70);
    assert.equal(
      findings.filter(({ check }) => check === 'spf').reduce((sum, { points }) => sum + points, 0),
      30,
    );
  });

  test('SPF or DMARC unknown: no score', () => {
    assert.equal(assessPosture(spf({ present: null })).score, null);
    const { score, grade, findings } = assessPosture(dmarc({ present: null, record: null, effectivePolicy: null }));
    assert.deepEqual([score, grade], [null, null]);
    assert.ok(findings.some(({ check, status }) => check === 'dmarc' && status === 'unknown'));
  });

  test('what was not looked at takes nothing off, and is not said to be in order', () => {
    const { score, findings } = assessPosture({ ...GOOD, dkim: null, mtaSts: null });
    assert.equal(score, 100);
    assert.equal(findings.find(({ check }) => check === 'dkim')?.status, 'unknown');
    assert.equal(findings.find(({ check }) => check === 'mta_sts')?.status, 'unknown');
  });
});

describe('how to fix a finding', () => {
  const guideOf = (id: string, facts: MailFacts) =>
    mailFixGuide({ id, check: POSTURE_RULES.find((rule) => rule.id === id)!.check }, facts, 'example.com');
  const fileOf = (id: string, facts: MailFacts) => {
    const { file } = guideOf(id, facts);
    assert.ok(file, id);
    assert.equal(file.url, 'https://mta-sts.example.com/.well-known/mta-sts.txt', 'RFC 8461, section 3.3');
    const parsed = parseMtaStsPolicy(file.content);
    assert.ok(typeof parsed === 'object', String(parsed));
    return parsed;
  };

  test('each says why it matters and how to see that it worked, in commands that need no quoting', () => {
    for (const { id } of POSTURE_RULES) {
      for (const facts of EXAMPLES[id]!.hits) {
        const { why, verify } = guideOf(id, facts);
        assert.match(why, /^[A-Z].*\.$/s);
        assert.ok(verify.length > 0, id);
        for (const { command } of verify)
          assert.match(
            command,
            /^(?:(?:dig \+short [A-Z]+|curl -sSI?) [\w./:-]+|openssl s_client -starttls smtp -connect [\w.:-]+ -verify_hostname [\w.-]+ -brief <\/dev\/null)$/,
          );
      }
    }
  });

  test('a record that could keep out real mail comes with a caution', () => {
    for (const { id } of POSTURE_RULES) {
      for (const facts of EXAMPLES[id]!.hits) {
        const { records, caution } = guideOf(id, facts);
        for (const { value } of records)
          if (/^v=spf1|p=(quarantine|reject)/.test(value))
            assert.match(caution ?? '', /Only |not all that sends|stays as it is/, id);
      }
    }
  });

  test('a first MTA-STS policy is one for testing that names all mail servers, and is served before the record', () => {
    const mx = [
      { preference: 20, exchange: 'MX2.example.com.' },
      { preference: 10, exchange: 'mx.example.com' },
    ];
    const facts = { ...GOOD, mx, mtaSts: NO_STS };
    const parsed = fileOf('mta_sts_missing', facts);
    assert.deepEqual([parsed.mode, parsed.mx], ['testing', ['mx.example.com', 'mx2.example.com']]);
    const { records, caution } = guideOf('mta_sts_missing', facts);
    assert.deepEqual(
      records.map(({ name, type, replaces }) => [name, type, replaces]),
      [['_mta-sts.example.com', 'TXT', false]],
    );
    assert.notEqual(parseMtaStsRecord([records[0]!.value])?.id ?? null, null);
    assert.match(caution!, /^Serve the file first/);
  });

  test('a mail server with a name that is none gets into no policy', () => {
    const mx = [{ preference: 10, exchange: 'mx.example.com\nmode: enforce' }];
    assert.equal(guideOf('mta_sts_missing', { ...GOOD, mx, mtaSts: NO_STS }).file, null);
  });

  test('the policy that lacks a server keeps its mode and gets that server; enforce is never a text to paste', () => {
    const parsed = fileOf('mta_sts_mx_uncovered', sts({ uncovered: ['mx2.example.com'] }));
    assert.deepEqual(parsed, { mode: 'enforce', mx: ['mx.example.com', 'mx2.example.com'], maxAge: 604_800 });
    assert.equal(guideOf('mta_sts_not_enforced', policy({ mode: 'testing' })).file, null);
    assert.equal(fileOf('mta_sts_not_enforced', policy({ mode: 'none' })).mode, 'testing');
  });

  test('TLS-RPT is a record that parses, in place of a broken one', () => {
    for (const [id, present] of [
      ['tls_rpt_missing', false],
      ['tls_rpt_no_address', true],
    ] as const) {
      const [record] = guideOf(id, { ...GOOD, tlsRpt: { present, record: null, ruaUris: [] } }).records;
      assert.deepEqual([record!.name, record!.replaces], ['_smtp._tls.example.com', present]);
      assert.deepEqual(parseTlsRptRecord([record!.value])?.ruaUris, ['mailto:tls-reports@example.com']);
    }
  });

  test('DMARC begins with p=none and reports, SPF with what the MX records show', () => {
    const [first] = guideOf('dmarc_missing', dmarc({ present: false, record: null })).records;
    const parsed = parseDmarcRecord(first!.value);
    assert.deepEqual([parsed.policy, parsed.ruaUris.length], ['none', 1]);
    const without = spf({ present: false, records: [] });
    const valueFor = (exchange: string) =>
      guideOf('spf_missing', { ...without, mx: [{ preference: 1, exchange }] }).records[0]!.value;
    assert.equal(valueFor('mx.example.com'), 'v=spf1 mx ~all');
    // As Google and Microsoft document it: they send from other servers than they receive with.
    assert.equal(valueFor('smtp.google.com'), 'v=spf1 include:_spf.google.com ~all');
    assert.equal(valueFor('example-com.mail.protection.outlook.com'), 'v=spf1 include:spf.protection.outlook.com ~all');
  });

  for (const [text, value] of [
    // No reports yet: a stricter policy would be a guess.
    ['v=DMARC1; p=quarantine; pct=20', 'v=DMARC1; p=quarantine; pct=20; rua=mailto:dmarc-reports@example.com'],
    ['v=DMARC1; p=none; rua=mailto:d@example.com', 'v=DMARC1; p=quarantine; rua=mailto:d@example.com'],
    ['v=DMARC1; p=quarantine; t=y; rua=mailto:d@example.com', 'v=DMARC1; p=quarantine; rua=mailto:d@example.com'],
    ['v=DMARC1; p=quarantine; sp=quarantine; rua=mailto:d@example.com', 'v=DMARC1; p=reject; rua=mailto:d@example.com'],
    ['v=DMARC1; p=reject; sp=often; rua=mailto:d@example.com', 'v=DMARC1; p=reject; rua=mailto:d@example.com'],
  ] as const) {
    test(`the next record after ${text}, the same for each of its findings`, () => {
      const facts = record(text);
      const ids = POSTURE_RULES.filter((rule) => rule.check === 'dmarc' && rule.findProblem(facts) !== null);
      assert.ok(ids.length > 0);
      for (const { id } of ids) assert.equal(guideOf(id, facts).records[0]?.value, value, id);
    });
  }

  test('what a check is to print is what the mended record says, not what is there already', () => {
    const all = spf({ present: true, records: ['v=spf1 mx +all'], allPolicy: 'pass' });
    assert.match(guideOf('spf_pass_all', all).verify[0]!.expect, /"v=spf1 mx ~all"/);
    const two = spf({ present: true, records: ['v=spf1 mx -all', 'v=spf1 a -all'] });
    assert.match(guideOf('spf_multiple_records', two).verify[0]!.expect, /^exactly one line/);
    const none = record('v=DMARC1; p=none; rua=mailto:d@example.com');
    assert.match(guideOf('dmarc_policy_none', none).verify[0]!.expect, /"v=DMARC1; p=quarantine; /);
    // A key of 2048 bits as Node itself writes it.
    const spki = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'der' });
    const [check] = guideOf('dkim_key_short', key({ bits: 1024 })).verify;
    assert.match(check!.expect, new RegExp(`at least ${spki.toString('base64').length} characters`));
  });

  test('a DKIM key is for the mail provider to give, by name where it is known', () => {
    const google = { ...dkim({ keys: [] }), mx: [{ preference: 1, exchange: 'smtp.google.com' }] };
    const { records, needed } = guideOf('dkim_not_confirmed', google);
    assert.deepEqual(records, []);
    assert.match(needed!, /Google Workspace.*_domainkey/);
  });
});
