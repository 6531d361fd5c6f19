import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DnssecValidation } from '../../src/analysis/dnssec/validate-chain.ts';
import type { NetworkClient } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { SourceClient } from '../../src/sources/source-client.ts';
import { dnssec } from '../../src/sources/dnssec.ts';
import { type Lab, openLab } from '../lab/lab.ts';

let lab: Lab;
let net: NetworkClient;
before(async () => {
  lab = await openLab();
  net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
});
after(async () => {
  await net.close();
  await lab.close();
});

async function validate(name: string, by: NetworkClient = net): Promise<DnssecValidation> {
  const settings = { baseUrlOf: () => null, keyOf: () => null };
  const outcome = await new SourceClient(by, settings, () => new Date()).ask(dnssec, { name });
  if (outcome.status !== 'ok') return assert.fail(JSON.stringify(outcome));
  return outcome.found;
}

for (const validating of [false, true]) {
  describe(`by a resolver that ${validating ? 'validates' : 'does not validate'}`, () => {
    before(() => {
      lab.dns.validating = validating;
    });
    after(() => {
      lab.dns.validating = false;
    });

    for (const [name, security, reason] of [
      ['kept.lab', 'secure', /^A records signed by \d+ \(ECDSA P-256\) until \d{4}-\d\d-\d\d$/],
      ['www.kept.lab', 'secure', /^A records signed by/],
      ['api.kept.lab', 'secure', /^CNAME records signed by/],
      ['signed-ok.lab', 'secure', /^A records signed by/],
      ['any.w.signed-ok.lab', 'secure', /^A records signed by/],
      ['nobody.signed-ok.lab', 'secure', /does not exist$/],
      ['signed-nsec3.lab', 'secure', /^A records signed by/],
      ['nobody.signed-nsec3.lab', 'secure', /does not exist$/],
      ['signed-rsa.lab', 'secure', /RSA\/SHA-256/],
      ['signed-ed25519.lab', 'secure', /Ed25519/],
      ['deep.empty-node.lab', 'secure', /has no A records$/],
      ['signed-expired.lab', 'bogus', /DNSKEY records of signed-expired\.lab expired on/],
      ['signed-bogus.lab', 'bogus', /A records of signed-bogus\.lab is not one that key \d+ made/],
      ['signed-stripped.lab', 'bogus', /has no keys, though there are DS records/],
      ['signed-wrong-ds.lab', 'bogus', /no key of signed-wrong-ds\.lab is the one that its DS records name/],
      ['signed-no-ds.lab', 'insecure', /^lab proves that signed-no-ds\.lab has no DS record$/],
      ['unsigned.lab', 'insecure', /^lab proves that unsigned\.lab has no DS record$/],
      ['a.unsigned.lab', 'insecure', /^lab proves that unsigned\.lab has no DS record$/],
    ] as const) {
      test(`${name}: ${security}`, async () => {
        const found = await validate(name);
        assert.equal(found.security, security, found.reason);
        assert.match(found.reason, reason);
        assert.equal(found.links.at(-1)?.security, security);
      });
    }
  });
}

test('the links are shown from the root down', async () => {
  const { links } = await validate('www.kept.lab');
  assert.deepEqual(
    links.map(({ name }) => name),
    ['.', 'lab', 'kept.lab', 'www.kept.lab'],
  );
});

test('a zone with keys of which nobody above tells is known as that', async () => {
  assert.equal((await validate('signed-no-ds.lab')).hasKeys, true);
  assert.equal((await validate('unsigned.lab')).hasKeys, false);
});

describe('what is nobody’s fault but the resolver’s is left open', () => {
  test('the root is another one', async () => {
    const { rootKeys: _, ...options } = lab.netOptions;
    const usual = openNetworkClient({ ...options, allowedPrivate: [], proxy: null });
    const found = await validate('kept.lab', usual);
    await usual.close();
    assert.deepEqual([found.security, found.links.length], ['indeterminate', 1]);
    assert.match(found.reason, /no key of the root is the one that its DS records name \(20326, 38696\)/);
  });

  test('it hands out no signatures', async () => {
    const query: NetworkClient['queryDns'] = (name, type, options) =>
      net.queryDns(name, type, { ...options, dnssec: false });
    assert.equal((await validate('kept.lab', { ...net, queryDns: query })).security, 'indeterminate');
  });

  test('it does not answer', async () => {
    assert.equal((await validate('servfail.dns.lab')).security, 'indeterminate');
  });
});

test('a name of more labels than are followed', async () => {
  lab.requests.clear();
  assert.equal((await validate(`${'a.'.repeat(12)}kept.lab`)).security, 'indeterminate');
  assert.equal(lab.requests.count('dns'), 0);
});
