import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { disclosureModule } from '../../../src/analysis/scan/disclosure.ts';
import { type SiteDnsFacts, dnsModule } from '../../../src/analysis/scan/dns.ts';
import { dnssecModule } from '../../../src/analysis/scan/dnssec.ts';
import { SCAN_FINDINGS, createScanFinding } from '../../../src/analysis/scan/scan-findings.ts';
import { htmlModule } from '../../../src/analysis/scan/html.ts';
import { methodsModule } from '../../../src/analysis/scan/methods.ts';
import type { ModuleResult } from '../../../src/analysis/scan/modules.ts';
import { httpsModule } from '../../../src/analysis/scan/https-enforcement.ts';
import { tlsModule, noTlsResult } from '../../../src/analysis/scan/tls.ts';
import { readPage } from '../../../src/analysis/page/read-page.ts';
import type { CertificateFacts, TlsFacts } from '../../../src/analysis/tls/tls-facts.ts';
import { GOOD_FACTS, GOOD_LEAF, takes } from '../tls/good-facts.ts';

const NOTHING: ModuleResult = { details: [], findings: [] };
const NOW = new Date('2026-01-15T00:00:00Z');

const ids = (result: ModuleResult | null): string[] => result?.findings.map(({ id }) => id) ?? ['null'];

const page = (body: string, { url = 'https://site.example/', head = '' } = {}) =>
  readPage({
    bytes: new TextEncoder().encode(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`),
    url,
    contentType: 'text/html; charset=utf-8',
    truncated: false,
  });

const tls = (certificate: Partial<CertificateFacts> = {}, facts: Partial<TlsFacts> = {}) =>
  tlsModule({ ...GOOD_FACTS, chain: [{ ...GOOD_LEAF, ...certificate }], ...facts }, NOW);

const GOOD_DNS: SiteDnsFacts = {
  caa: [{ tag: 'issue', value: 'authority.example' }],
  nameServers: ['ns1.example', 'ns2.example'],
  ipv6: true,
  dangling: null,
  spf: ['v=spf1 include:mail.example -all'],
  dmarc: { present: true, effectivePolicy: 'reject', foundAt: 'site.example', multipleAt: null },
};
const dns = (facts: Partial<SiteDnsFacts>) => dnsModule({ ...GOOD_DNS, ...facts });
const dmarc = (facts: Partial<SiteDnsFacts['dmarc']>) => dns({ dmarc: { ...GOOD_DNS.dmarc, ...facts } });

const plain = (status: number, location: string | null) =>
  httpsModule({ url: 'http://site.example/', status, location }, NOTHING);
const error = (start: string) => disclosureModule(NOTHING, null, { status: 404, excerpt: start });
const methods = (allow: string | null, echoed = false) =>
  methodsModule({ options: { status: 204, allow }, trace: { status: echoed ? 200 : 405, echoed } });
const dnssec = (security: 'secure' | 'insecure' | 'bogus' | 'indeterminate', hasKeys = false) =>
  dnssecModule({ security, reason: 'because', links: [], hasKeys });

/** For each fault what has it, and what is near to it and has not. */
const EXAMPLES: Record<string, { has: ModuleResult | null; hasNot: ModuleResult | null }> = {
  tls_none: { has: noTlsResult(), hasNot: tls() },
  // 13 of 90 days left; 3 of 6 days, as short-lived certificates have.
  tls_expires_soon: {
    has: tls({ notAfter: '2026-01-28T00:00:00.000Z', notBefore: '2025-10-30T00:00:00.000Z' }),
    hasNot: tls({ notAfter: '2026-01-18T00:00:00.000Z', notBefore: '2026-01-12T00:00:00.000Z' }),
  },
  tls_no_tls13: {
    has: tls({}, { protocols: takes('TLSv1.2') }),
    hasNot: tls({}, { protocols: { ...takes('TLSv1.2'), 'TLSv1.3': null } }),
  },
  redirect_missing: { has: plain(200, null), hasNot: plain(404, null) },
  redirect_not_to_https: { has: plain(301, 'http://www.site.example/'), hasNot: plain(301, 'https://site.example/') },
  redirect_off_host_first: {
    has: plain(301, 'https://www.site.example/'),
    hasNot: plain(301, 'https://site.example/x'),
  },
  html_mixed_active: {
    has: htmlModule(page('<script src="http://cdn.example/a.js"></script>')),
    hasNot: htmlModule(page('<script src="http://cdn.example/a.js"></script>', { url: 'http://site.example/' })),
  },
  html_password_over_http: {
    has: htmlModule(page('<form method="post"><input type="password"></form>', { url: 'http://site.example/' })),
    hasNot: htmlModule(page('<form method="post"><input type="password"></form>')),
  },
  html_insecure_form: {
    has: htmlModule(page('<form action="http://site.example/login"></form>')),
    hasNot: htmlModule(page('<form action="/login"></form>')),
  },
  html_mixed_passive: {
    has: htmlModule(page('<img src="http://site.example/a.png">')),
    hasNot: htmlModule(page('<a href="http://site.example/a.png">')),
  },
  html_foreign_form: {
    has: htmlModule(page('<form action="https://other.test/x"></form>')),
    hasNot: htmlModule(page('<form action="https://www.site.example/x"></form>')),
  },
  html_integrity_without_cors: {
    has: htmlModule(
      page(
        '<script src="https://cdn.test/a.js" integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"></script>',
      ),
    ),
    hasNot: htmlModule(
      page(
        '<script src="https://cdn.test/a.js" crossorigin integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"></script>',
      ),
    ),
  },
  html_without_integrity: {
    has: htmlModule(page('<script src="https://cdn.test/a.js"></script>')),
    hasNot: htmlModule(
      page(
        '<script src="https://cdn.test/a.js" integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"></script>',
      ),
    ),
  },
  dns_dangling_alias: { has: dns({ dangling: 'gone.test' }), hasNot: dns({}) },
  dns_spf_anybody: { has: dns({ spf: ['v=spf1 mx +all'] }), hasNot: dns({ spf: ['v=spf1 mx ?all'] }) },
  dns_spf_missing: { has: dns({ spf: [] }), hasNot: dns({ spf: null }) },
  dns_spf_several: { has: dns({ spf: ['v=spf1 -all', 'v=spf1 mx -all'] }), hasNot: dns({}) },
  dns_dmarc_missing: { has: dmarc({ present: false }), hasNot: dmarc({ present: null, effectivePolicy: null }) },
  dns_dmarc_several: { has: dmarc({ present: false, multipleAt: 'site.example' }), hasNot: dmarc({}) },
  dns_dmarc_none: { has: dmarc({ effectivePolicy: 'none' }), hasNot: dmarc({ effectivePolicy: 'quarantine' }) },
  dns_caa_missing: { has: dns({ caa: [] }), hasNot: dns({ caa: null }) },
  dns_one_name_server: { has: dns({ nameServers: ['ns1.example'] }), hasNot: dns({ nameServers: [] }) },
  dnssec_bogus: { has: dnssec('bogus', true), hasNot: dnssec('secure') },
  dnssec_no_ds: { has: dnssec('insecure', true), hasNot: dnssec('insecure') },
  dnssec_unsigned: { has: dnssec('insecure'), hasNot: dnssec('insecure', true) },
  methods_trace: { has: methods('GET', true), hasNot: methods('GET, TRACE') },
  methods_writing: { has: methods('GET, put'), hasNot: methods('GET, POST') },
  error_page_trace: { has: error('<pre>Traceback (most recent call last)</pre>'), hasNot: error('<h1>Not found</h1>') },
  error_page_version: { has: error('<hr>nginx/1.18.0<hr>'), hasNot: error('<hr>nginx<hr>') },
  generator_version: {
    has: disclosureModule(NOTHING, page('', { head: '<meta name="generator" content="Maker 4.2">' }), null),
    hasNot: disclosureModule(NOTHING, page('', { head: '<meta name="generator" content="Maker">' }), null),
  },
};

describe('every fault', () => {
  for (const code of Object.keys(SCAN_FINDINGS)) {
    test(code, () => {
      const example = EXAMPLES[code];
      assert.ok(example !== undefined, 'has an example');
      assert.ok(ids(example.has).includes(code), `found: ${ids(example.has).join(', ')}`);
      assert.ok(!ids(example.hasNot).includes(code));
    });
  }

  test('is found once where it is, and nothing else with it', () => {
    for (const [code, { has }] of Object.entries(EXAMPLES)) {
      const alone = ids(has).filter((id) => id !== code);
      // An address over HTTP is another site's by its scheme alone; on an unencrypted page a form is sent as the page came.
      assert.deepEqual(
        alone.filter((id) => !['html_without_integrity', 'html_insecure_form'].includes(id)),
        [],
        code,
      );
    }
  });
});

test('CAA that names an address for reports alone, or says who may issue wildcards, limits nothing (RFC 8659, 4.2, 4.3)', () => {
  const caa = (tag: string) => ids(dns({ caa: [{ tag, value: 'x' }] })).includes('dns_caa_missing');
  assert.deepEqual(['issue', 'ISSUE', 'iodef', 'issuewild'].map(caa), [false, false, true, true]);
});

describe('what could not be found out', () => {
  test('is null, not a full score', () => {
    assert.equal(dnssec('indeterminate'), null);
    assert.equal(methodsModule({ options: null, trace: null }), null);
    assert.equal(dns({ caa: null, nameServers: null, spf: null, dmarc: { ...GOOD_DNS.dmarc, present: null } }), null);
  });

  test('where a part of the DNS answered, that part is told, and the rest is not found out', () => {
    for (const unknown of ['caa', 'nameServers', 'spf'] as const) {
      const result = dns({ [unknown]: null });
      assert.deepEqual(ids(result), [], unknown);
      assert.equal(result!.details.filter((line) => line.endsWith(': not found out.')).length, 1, unknown);
    }
    const alone = dns({ caa: null, nameServers: null, spf: [], dmarc: { ...GOOD_DNS.dmarc, present: null } });
    assert.deepEqual(ids(alone), ['dns_spf_missing']);
    assert.deepEqual(alone!.details, [
      'Name servers: not found out.',
      'CAA: not found out.',
      'IPv6: yes.',
      'SPF: none.',
      'DMARC: not found out.',
    ]);
  });

  test('nobody on port 80 is no fault', () => {
    assert.deepEqual(httpsModule('not_listening', NOTHING), { details: ['Nothing listens on port 80.'], findings: [] });
  });
});

test('what a target says is cleaned and cut before it is evidence', () => {
  const { evidence } = createScanFinding('dns_spf_anybody', `v=spf1 \u202e+all\u0007\n${'a'.repeat(500)}`);
  assert.match(evidence!, /^v=spf1 \+all a+\.\.\.$/);
  assert.ok(evidence!.length <= 300);
});
