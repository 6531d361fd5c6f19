import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClientAddressResolver, parseCidr } from '../../src/access/client-address.ts';

const direct = new ClientAddressResolver([]);
const proxied = new ClientAddressResolver(['10.0.0.0/8', '192.0.2.10', 'fd00::/8', '::1']);
const PROXY = '10.1.2.3';

describe('the bucket of an address', () => {
  for (const [what, address, bucket] of [
    ['an IPv4 address is itself', '203.0.113.7', '203.0.113.7'],
    ['an IPv4-mapped address is the IPv4 address', '::ffff:203.0.113.7', '203.0.113.7'],
    ['and in hexadecimal form', '::ffff:cb00:7107', '203.0.113.7'],
    ['an IPv6 address is its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['also with zeros left out', '2001:db8::1', '2001:db8:0:0::/64'],
    ['also with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['the loopback address', '::1', '0:0:0:0::/64'],
  ] as const) {
    test(what, () => assert.equal(direct.addressBucketOf(address, undefined), bucket));
  }

  test('all of a /64 is one, the next /64 another', () => {
    const one = direct.addressBucketOf('2001:db8:a:b::1', undefined);
    assert.equal(direct.addressBucketOf('2001:db8:a:b:ffff:ffff:ffff:ffff', undefined), one);
    assert.notEqual(direct.addressBucketOf('2001:db8:a:c::1', undefined), one);
  });

  test('a connection that has ended has none', () => {
    assert.equal(direct.addressBucketOf(undefined, undefined), direct.addressBucketOf('', undefined));
  });
});

describe('X-Forwarded-For', () => {
  for (const [what, peer, header, bucket] of [
    ['from nobody trusted is ignored', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['of a trusted proxy names the caller', PROXY, '198.51.100.1', '198.51.100.1'],
    ['of a proxy trusted by its one address', '192.0.2.10', '198.51.100.1', '198.51.100.1'],
    ['of its neighbour is ignored', '192.0.2.11', '198.51.100.1', '192.0.2.11'],
    ['of a mapped proxy address', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['of an IPv6 proxy', 'fd12::1', '2001:db8:1:2::9', '2001:db8:1:2::/64'],
    [
      'is read from the right: what the caller wrote before is not believed',
      PROXY,
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['also where the caller names a trusted proxy', PROXY, '1.1.1.1, 10.9.9.9, 198.51.100.1', '198.51.100.1'],
    ['goes on through proxies that are trusted', PROXY, '1.1.1.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['may hold a port', PROXY, '198.51.100.1:4711', '198.51.100.1'],
    ['may hold an IPv6 address in brackets with a port', PROXY, '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['may hold a mapped address', PROXY, '::ffff:198.51.100.1', '198.51.100.1'],
    ['may have no blanks', PROXY, '1.1.1.1,198.51.100.1,10.9.9.9', '198.51.100.1'],
    ['of trusted addresses alone ends at the first', PROXY, '10.5.5.5, 10.9.9.9', '10.5.5.5'],
    ['that is empty leaves the proxy', PROXY, '', PROXY],
    ['with something that is no address goes no further', PROXY, '198.51.100.1, unknown', PROXY],
    ['of RFC 7239 names goes no further', PROXY, '_hidden', PROXY],
    ['in octal, hexadecimal or short form is no address', PROXY, '0x7f.1', PROXY],
    ['with a leading zero is no address', PROXY, '198.051.100.1', PROXY],
  ] as const) {
    test(what, () => assert.equal(proxied.addressBucketOf(peer, header), bucket));
  }

  test('of 16 kB is read no longer than it is trusted', () => {
    const long = `${'1.1.1.1, '.repeat(1800)}198.51.100.1`;
    assert.equal(proxied.addressBucketOf(PROXY, long), '198.51.100.1');
    assert.equal(proxied.addressBucketOf(PROXY, `198.51.100.1${', 10.0.0.1'.repeat(1800)}`), '198.51.100.1');
  });
});

describe('a trusted range', () => {
  for (const text of ['10.0.0.0/8', '10.0.0.1', 'fd00::/8', '::1', '0.0.0.0/0', '::ffff:10.0.0.0/104']) {
    test(`${text} is one`, () => assert.notEqual(parseCidr(text), null));
  }
  for (const text of [
    '',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0/8',
    'localhost',
    '*',
    '::ffff:10.0.0.0/80',
  ]) {
    test(`"${text}" is none`, () => assert.equal(parseCidr(text), null));
  }

  test('a mapped one holds its IPv4 addresses', () => {
    const mapped = new ClientAddressResolver(['::ffff:10.0.0.0/104']);
    assert.equal(mapped.addressBucketOf('10.1.2.3', '198.51.100.1'), '198.51.100.1');
    assert.equal(mapped.addressBucketOf('11.1.2.3', '198.51.100.1'), '11.1.2.3');
  });
});
