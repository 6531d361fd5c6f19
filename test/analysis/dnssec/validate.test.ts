import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DnssecCrypto } from '../../../src/analysis/dnssec/algorithms.ts';
import { computeKeyTag } from '../../../src/analysis/dnssec/canonical-rdata.ts';
import type { DsData, DnskeyData, ResourceRecord, SignedAnswer } from '../../../src/analysis/dnssec/records.ts';
import { namesInChain, validateChain } from '../../../src/analysis/dnssec/validate-chain.ts';

const NOW = new Date('2026-01-15T00:00:00Z');
const DAY = 86_400;
const DIGEST = Uint8Array.of(1, 2, 3);

/** Signatures that hold where they say so: what is tested here is the chain, not the arithmetic. */
function crypto(): DnssecCrypto & { tries: number } {
  return {
    tries: 0,
    verify(_algorithm, _key, signature) {
      this.tries++;
      return signature[0] === 1;
    },
    digest: () => DIGEST,
  };
}

const KEY: DnskeyData = { flags: 257, algorithm: 13, key: Uint8Array.of(7) };
const TAG = computeKeyTag(KEY);
const DS: DsData = { keyTag: TAG, algorithm: 13, digestType: 2, digest: DIGEST };

function signed(records: ResourceRecord[], signer: string, holds = true): ResourceRecord[] {
  const [{ name, type }] = records as [ResourceRecord];
  const signature = {
    typeCovered: type,
    algorithm: 13,
    labels: name === '.' ? 0 : name.split('.').length,
    originalTTL: 300,
    expiration: NOW.getTime() / 1000 + DAY,
    inception: NOW.getTime() / 1000 - DAY,
    keyTag: TAG,
    signersName: signer,
    signature: Uint8Array.of(holds ? 1 : 0),
  };
  return [...records, { name, type: 'RRSIG', data: signature }];
}

const answer = (answers: ResourceRecord[], authorities: ResourceRecord[] = []): SignedAnswer => ({
  exists: true,
  answerSection: answers,
  authoritySection: authorities,
});
const keysOf = (name: string, keys: DnskeyData[] = [KEY]): SignedAnswer =>
  answer(
    signed(
      keys.map((data) => ({ name, type: 'DNSKEY', data })),
      name,
    ),
  );
const dsOf = (name: string, above: string, ds: DsData[] = [DS]): SignedAnswer =>
  answer(
    signed(
      ds.map((data) => ({ name, type: 'DS', data })),
      above,
    ),
  );
const A = (name: string): ResourceRecord => ({ name, type: 'A', data: '192.0.2.1' });

/** `example.` signed below the root, with an address of its own; parts in place of others. */
function validate(
  parts: { ds?: SignedAnswer | null; keys?: SignedAnswer; own?: SignedAnswer | null } = {},
  by = crypto(),
) {
  return validateChain(
    {
      name: 'example',
      ds: new Map([['example', parts.ds === undefined ? dsOf('example', '.') : parts.ds]]),
      keys: new Map([
        ['.', keysOf('.')],
        ['example', parts.keys ?? keysOf('example')],
      ]),
      own: parts.own === undefined ? answer(signed([A('example')], 'example')) : parts.own,
      ownType: 'A',
    },
    { anchors: [DS], now: NOW, crypto: by },
  );
}

test('the names of a chain', () => {
  assert.deepEqual(namesInChain('www.example.com'), ['com', 'example.com', 'www.example.com']);
});

describe('a chain', () => {
  test('that holds', () => assert.equal(validate().security, 'secure'));

  test('whose zone is signed by what proves nothing any more is insecure (RFC 4035, 5.2)', () => {
    const sha1 = validate({ ds: dsOf('example', '.', [{ ...DS, algorithm: 7 }]) });
    assert.equal(sha1.security, 'insecure');
    assert.match(sha1.reason, /RSA\/SHA-1/);
    assert.equal(validate({ ds: dsOf('example', '.', [{ ...DS, digestType: 1 }]) }).security, 'insecure');
    const both = dsOf('example', '.', [{ ...DS, digestType: 1 }, DS]);
    assert.equal(validate({ ds: both }).security, 'secure', 'the better one decides');
  });

  test('whose DS records are not signed by the zone above is bogus', () => {
    assert.equal(validate({ ds: answer([{ name: 'example', type: 'DS', data: DS }]) }).security, 'bogus');
    assert.equal(validate({ ds: dsOf('example', 'example') }).security, 'bogus');
  });

  test('without a DS record, and without a proof of that, is bogus', () => {
    const found = validate({ ds: answer([]) });
    assert.deepEqual(
      [found.security, found.reason],
      ['bogus', 'the root is signed, but does not prove that example is not'],
    );
  });

  test('with a proof that the zone above has not signed is bogus', () => {
    const nsec = { name: 'example', type: 'NSEC', data: { nextDomain: '.', rrtypes: ['NS', 'RRSIG', 'NSEC'] } };
    assert.equal(validate({ ds: answer([], [nsec]) }).security, 'bogus');
    assert.equal(validate({ ds: answer([], signed([nsec], '.', false)) }).security, 'bogus');
    assert.equal(validate({ ds: answer([], signed([nsec], '.')) }).security, 'insecure');
  });

  test('with a proof that cannot be read is left open', () => {
    const nsec = {
      name: 'exampla',
      type: 'NSEC',
      data: { nextDomain: 'example\ufffd', rrtypes: ['NS', 'RRSIG', 'NSEC'] },
    };
    assert.equal(validate({ ds: answer([], signed([nsec], '.', false)) }).security, 'indeterminate');
  });

  test('whose keys are signed by one that no DS record names is bogus', () => {
    const other = { ...KEY, key: Uint8Array.of(9) };
    assert.equal(validate({ keys: keysOf('example', [other]) }).security, 'bogus');
  });

  test('with a key that is taken back (RFC 5011), or that is of no zone, is bogus', () => {
    for (const flags of [0x181, 1]) {
      const key = { ...KEY, flags };
      const ds = dsOf('example', '.', [{ ...DS, keyTag: computeKeyTag(key) }]);
      assert.equal(validate({ ds, keys: keysOf('example', [key]) }).security, 'bogus', String(flags));
    }
  });

  test('of which a part did not come is left open', () => {
    assert.equal(validate({ ds: null }).security, 'indeterminate');
    assert.equal(validate({ own: null }).security, 'indeterminate');
  });

  test('with a wildcard needs the proof that nothing stood in its way', () => {
    const records = signed([A('example')], 'example');
    (records[1]!.data as { labels: number }).labels = 0;
    assert.match(validate({ own: answer(records) }).reason, /comes from a wildcard, without a proof/);
  });

  test('with hundreds of keys of one tag and hundreds of signatures ends early (CVE-2023-50387)', () => {
    const by = crypto();
    const keys = Array.from({ length: 300 }, () => KEY);
    const signatures = Array.from({ length: 300 }, () => signed([A('example')], 'example', false)[1]!);
    const found = validate({ keys: keysOf('example', keys), own: answer([A('example'), ...signatures]) }, by);
    assert.equal(found.security, 'indeterminate');
    assert.ok(by.tries <= 64, String(by.tries));
  });
});
