import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { openLab } from '../lab/lab.ts';
import { startService } from '../support/service.ts';

/** Through the real door, against the lab. What is to be found follows from the zones' own texts (`test/lab/zones.ts`). */
const lab = await openLab();
const net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
const service = await startService({ after }, { net });
// The signatures of the lab are of today.
service.clock.now = new Date();
after(async () => {
  await net.close();
  await lab.close();
});

async function posture(domain: string) {
  return (await service.get(`/v1/email/security-posture/${domain}`)).body;
}

describe('e-mail posture of the lab', () => {
  test('a well kept domain, with its MTA-STS policy fetched', async () => {
    const body = await posture('kept.lab');
    assert.equal(body.posture_grade, 'A+');
    assert.deepEqual(body.dkim.verified_selectors, ['google', 'default']);
    assert.deepEqual(body.mta_sts.mx, ['*.kept.lab']);
    assert.equal(body.verdict.completeness, 'complete');
  });

  for (const [domain, finding, name, value] of [
    ['poor.lab', 'spf_pass_all', 'poor.lab', 'v=spf1 mx ~all'],
    // Nobody has seen a report yet: a stricter policy would be a guess.
    ['poor.lab', 'dmarc_policy_none', '_dmarc.poor.lab', 'v=DMARC1; p=none; rua=mailto:dmarc-reports@poor.lab'],
    ['poor.lab', 'dmarc_no_reports', '_dmarc.poor.lab', 'v=DMARC1; p=none; rua=mailto:dmarc-reports@poor.lab'],
    ['mail-nothing.lab', 'spf_missing', 'mail-nothing.lab', 'v=spf1 -all'],
    [
      'mail-quarantine.lab',
      'dmarc_pct',
      '_dmarc.mail-quarantine.lab',
      'v=DMARC1; p=quarantine; rua=mailto:reports@mail.lab',
    ],
    // "ip4" is how RFC 7208, section 5.6, spells it.
    ['mail-broken.lab', 'spf_syntax', 'mail-broken.lab', 'v=spf1 ip4:5.57.252.1 -all'],
    [
      'mail-broken.lab',
      'dmarc_policy_none',
      '_dmarc.mail-broken.lab',
      'v=DMARC1; p=none; rua=mailto:x@mail-broken.lab',
    ],
    ['mail-two-spf.lab', 'spf_multiple_records', null, null],
  ] as const) {
    test(`${domain}: the record that mends ${finding}`, async () => {
      const { all_findings } = await posture(domain);
      const { suggested_record } = all_findings.find(({ id }: { id: string }) => id === finding);
      assert.deepEqual(suggested_record, name === null ? null : { name, type: 'TXT', value });
    });
  }

  test('a record without p is not said to have the policy none, and its findings have one next step', async () => {
    const { all_findings } = await posture('mail-broken.lab');
    const dmarc = all_findings.filter(({ check }: { check: string }) => check === 'dmarc');
    assert.deepEqual(
      dmarc.map(({ description }: { description: string }) => description),
      ['The DMARC record has no valid p tag, which counts as p=none: forged mail is reported at best, not kept out.'],
    );
    assert.match(dmarc[0].how_to_fix.caution, /first step.*Next.*p=quarantine, then p=reject/);
    const several = (await posture('mail-quarantine.lab')).all_findings.filter(
      ({ check }: { check: string }) => check === 'dmarc',
    );
    assert.equal(several.length, 3);
    assert.equal(new Set(several.map(({ how_to_fix }: { how_to_fix: object }) => JSON.stringify(how_to_fix))).size, 1);
  });

  test('a policy with the wrong type needs no web server, and is checked by its headers', async () => {
    const { all_findings } = await posture('mail-broken.lab');
    const { how_to_fix } = all_findings.find(({ id }: { id: string }) => id === 'mta_sts_no_policy');
    assert.equal(how_to_fix.needed, null);
    assert.deepEqual(
      how_to_fix.verify.map(({ command }: { command: string }) => command),
      ['curl -sSI https://mta-sts.mail-broken.lab/.well-known/mta-sts.txt'],
    );
  });

  test('TLSA of a signed zone counts, although the resolver does not validate', async () => {
    const { dane } = await posture('kept.lab');
    const { tlsa, ...row } = dane[0];
    assert.deepEqual(row, {
      host: 'mx1.kept.lab',
      records: 1,
      signed: true,
      unsigned_reason: null,
      problems: [],
      matches: true,
    });
    assert.match(tlsa[0], /^3 1 1 [0-9a-f]{64}$/);
  });

  test('what mail servers show on port 25', async () => {
    const { mail_servers } = await posture('kept.lab');
    assert.deepEqual(
      mail_servers.map(({ certificate_expires_at: _, ...server }: Record<string, unknown>) => server),
      ['mx1.kept.lab', 'mx2.kept.lab'].map((host) => ({
        host,
        starttls: true,
        said: null,
        tls_version: 'TLSv1.3',
        certificate_problem: null,
      })),
    );
    const without = (await posture('mail-quarantine.lab')).mail_servers[0];
    assert.deepEqual([without.host, without.starttls, without.tls_version], ['mx1.mail.lab', false, null]);
  });

  test('TLSA records that do not match are found, and the one that would is given', async () => {
    const { dane, mail_servers, all_findings } = await posture('mail-dane.lab');
    assert.equal(mail_servers[0].certificate_problem, 'it signed itself');
    assert.deepEqual([dane[0].signed, dane[0].matches], [true, false]);
    assert.deepEqual(dane[0].problems, ['usage 1, which mail servers pass over (RFC 7672, section 3.1.3)']);
    const mismatch = all_findings.find(({ id }: { id: string }) => id === 'dane_mismatch');
    const [record] = mismatch.how_to_fix.records;
    assert.deepEqual([record.name, record.type], ['_25._tcp.mx1.mail-dane.lab', 'TLSA']);
    // The lab's certificates share one key, which the record of usage 1 names.
    assert.equal(record.value, dane[0].tlsa[1].replace(/^1/, '3'));
  });

  test('who may send, by term', async () => {
    const { spf } = await posture('mail-dane.lab');
    assert.deepEqual(
      spf.senders.map(({ term, networks, ipv4_addresses, complete }: Record<string, unknown>) => [
        term,
        networks,
        ipv4_addresses,
        complete,
      ]),
      [
        ['mx', ['5.57.252.31/32'], 1, true],
        ['include:_spf.mail.lab', ['5.57.252.0/24', '2a00:5700:252::/48'], 256, true],
      ],
    );
    assert.equal(spf.ipv4_addresses, 256);
  });

  for (const [domain, expected] of [
    ['mail-two-spf.lab', ['spf_multiple_records']],
    ['mail-many-lookups.lab', ['spf_lookup_limit']],
    ['mail-void.lab', ['spf_void_lookups']],
    ['mail-spf-loop.lab', ['spf_loop']],
    ['mail-quarantine.lab', ['dmarc_policy_quarantine', 'dmarc_subdomains_weaker', 'dmarc_pct']],
    [
      'mail-broken.lab',
      [
        'spf_syntax',
        'dmarc_policy_none',
        'dkim_unreadable_key',
        'mta_sts_no_policy',
        'mta_sts_bad_id',
        'tls_rpt_no_address',
      ],
    ],
    ['mail-none.lab', ['mx_null', 'dkim_wildcard']],
    ['mail-nothing.lab', ['spf_missing', 'dmarc_missing', 'dkim_not_confirmed']],
    ['poor.lab', ['spf_pass_all', 'dmarc_policy_none', 'dkim_key_short', 'dkim_testing']],
  ] as const) {
    test(domain, async () => {
      const found = new Set((await posture(domain)).all_findings.map(({ id }: { id: string }) => id));
      for (const id of expected) assert.ok(found.has(id), `${id} is not among ${[...found].join(', ')}`);
    });
  }

  for (const [ip, result, term, at] of [
    ['5.57.252.31', 'pass', 'mx', 'mail-dane.lab'],
    ['5.57.252.200', 'pass', 'include:_spf.mail.lab', 'mail-dane.lab'],
    ['5.57.253.1', 'fail', '-all', 'mail-dane.lab'],
  ] as const) {
    test(`whether ${ip} may send for mail-dane.lab`, async () => {
      const { status, body } = await service.get(`/v1/email/spf/mail-dane.lab?ip=${ip}`);
      assert.equal(status, 200);
      assert.deepEqual([body.result, body.term, body.term_domain], [result, term, at]);
    });
  }

  test('the DMARC record of a unit in between, with psd=n', async () => {
    const { dmarc } = await posture('a.b.unit.mail-tree.lab');
    assert.deepEqual(
      [dmarc.found_at, dmarc.organizational_domain, dmarc.effective_policy],
      ['unit.mail-tree.lab', 'unit.mail-tree.lab', 'quarantine'],
    );
  });

  test('a redirect, and a macro that nobody can look up', async () => {
    const { spf } = await posture('mail-redirect.lab');
    assert.deepEqual([spf.all_policy, spf.lookup_count], ['softfail', 2]);
  });

  test('nothing went anywhere but to the lab', () => assert.deepEqual(lab.escapes, []));
});
