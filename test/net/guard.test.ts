import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { mock, test } from 'node:test';
import { AddressGuard } from '../../src/net/address-guard.ts';
import { parseHost } from '../../src/net/host.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { isBadPort } from '../../src/net/http-url.ts';
import { serveDns, zone } from './dns-server.ts';

const PUBLIC = '93.184.216.34';
const NAT64 = '64:ff9b::5db8:d822';

test('a name with any address that is not public is refused', () => {
  const guard = new AddressGuard([]);
  assert.deepEqual(guard.vet('a.example', [PUBLIC, '2606:4700::1111']), [PUBLIC, '2606:4700::1111']);
  for (const mixture of [
    ['10.0.0.1'],
    [PUBLIC, '10.0.0.1'],
    ['::1', PUBLIC],
    [PUBLIC, NAT64, '127.0.0.1'],
    [PUBLIC, 'x'],
  ]) {
    assert.throws(() => guard.vet('a.example', mixture), { code: 'refused_address' }, mixture.join());
  }
  assert.throws(() => guard.vet('a.example', ['10.0.0.1']), { message: /a\.example.*\(private\)/ });
});

test('IPv6 forms of public IPv4 addresses are left out, and refused alone', () => {
  const guard = new AddressGuard([]);
  assert.deepEqual(guard.vet('a.example', [PUBLIC, NAT64]), [PUBLIC]);
  assert.throws(() => guard.vet('a.example', [NAT64]), { code: 'refused_address' });
  assert.throws(() => guard.vet('a.example', [PUBLIC, '64:ff9b::7f00:1']), { code: 'refused_address' });
});

test('what the operator allows', () => {
  const guard = new AddressGuard(['10.0.0.0/8', '::1/128']);
  assert.deepEqual(guard.vet('a.example', ['10.9.8.7', '::1']), ['10.9.8.7', '::1']);
  for (const address of ['127.0.0.1', '192.168.0.1', '::ffff:10.0.0.1']) {
    assert.throws(() => guard.vet('a.example', [address]), { code: 'refused_address' }, address);
  }
});

test("this machine's own addresses are refused, public or not, unless they are allowed", (t) => {
  const own: Partial<NetworkInterfaceInfo>[] = [{ address: '198.41.0.4' }, { address: '2001:503:ba3e::2:30' }];
  mock.method(os, 'networkInterfaces', () => ({ eth0: own }));
  syncBuiltinESMExports();
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  for (const { address } of own) {
    assert.throws(() => new AddressGuard([]).vet('a.example', [address!]), { code: 'refused_address' }, address);
    assert.deepEqual(new AddressGuard([address!]).vet('a.example', [address!]), [address]);
  }
});

test('names by special use (RFC 6761, 6762, 7686, 8375, 9476)', () => {
  const refusalOf = (name: string, allowed: string[] = []): string | null => {
    try {
      new AddressGuard(allowed).requireAllowedName(name);
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  for (const name of ['localhost', 'a.b.localhost', 'x.local', 'x.internal', 'home.arpa', 'x.home.arpa', 'nas.lan']) {
    assert.equal(refusalOf(name), 'refused_address', name);
  }
  const ULA = `${'1.0.0.0.'.padEnd(32 * 2 - 4, '0.')}d.f.ip6.arpa`;
  for (const name of ['7.0.0.10.in-addr.arpa', '1.0.0.127.in-addr.arpa', '254.169.254.169.in-addr.arpa', ULA])
    assert.equal(refusalOf(name), 'refused_address', name);
  assert.equal(refusalOf('7.0.0.10.in-addr.arpa', ['10.0.0.0/8']), null);
  assert.equal(refusalOf('8.8.8.8.in-addr.arpa'), null);
  for (const name of ['x.onion', 'x.invalid', 'x.alt'])
    assert.equal(refusalOf(name, ['10.0.0.0/8']), 'no_such_name', name);
  for (const name of ['x.local', 'x.internal', 'x.home.arpa'])
    assert.equal(refusalOf(name, ['10.0.0.0/8']), null, name);
  assert.equal(refusalOf('localhost', ['127.0.0.0/8']), 'refused_address');
  for (const name of ['notlocalhost', 'localhost.example', 'internal.example', '10.in-addr.arpa', 'x.test']) {
    assert.equal(refusalOf(name), null, name);
  }
});

test('hosts as a URL parser understands them', () => {
  for (const text of ['0x7f.1', '２１３０７０６４３３', '127.0.0.1.', '0177.0.0.01', '①２7。0.0.1']) {
    assert.deepEqual(parseHost(text), { kind: 'ip', text: '127.0.0.1' }, text);
  }
  assert.deepEqual(parseHost('[2001:DB8::0:1]'), { kind: 'ip', text: '2001:db8::1' });
  assert.deepEqual(parseHost('ExAmple.COM.'), { kind: 'name', text: 'example.com' });
  assert.deepEqual(parseHost('bücher.example'), { kind: 'name', text: 'xn--bcher-kva.example' });
  for (const text of [
    '',
    '.',
    'a..b',
    'a/b',
    'a@b',
    'a:80',
    'a b',
    '[::1',
    'fe80::1%eth0',
    '1.2.3.256',
    '%31',
    'a\\b',
    'a#',
  ]) {
    assert.equal(parseHost(text), null, text);
  }
});

test('ports of other services', () => {
  for (const port of [0, 22, 25, 110, 6667, 10080]) assert.equal(isBadPort(port), true, String(port));
  for (const port of [80, 443, 8080, 8443, 3000]) assert.equal(isBadPort(port), false, String(port));
});

test('addresses: IPv4 first, IPv6 not waited for long, none is told', { timeout: 120_000 }, async (t) => {
  const names = zone({
    'both.example': ['2606:4700::1111', PUBLIC],
    'none.example': [],
    'six.example': ['2606:4700::1111'],
  });
  const dns = await serveDns(t, (asked) => {
    if (asked.name === 'slow.example')
      return asked.type === 'AAAA' ? null : { answers: [{ name: asked.name, type: 'A', data: PUBLIC }] };
    return names(asked);
  });
  const net = openNetworkClient({ dnsServers: [dns.address], allowedPrivate: [], proxy: null, extraCa: [] });
  t.after(() => net.close());
  const bounds = { timeoutMs: 20_000 };
  assert.deepEqual(await net.resolveAddresses('both.example', bounds), [PUBLIC, '2606:4700::1111']);
  assert.deepEqual(await net.resolveAddresses('six.example', bounds), ['2606:4700::1111']);
  assert.deepEqual(await net.resolveAddresses(PUBLIC, bounds), [PUBLIC]);
  const start = performance.now();
  assert.deepEqual(await net.resolveAddresses('slow.example', bounds), [PUBLIC]);
  assert.ok(performance.now() - start < 15_000);
  const asked = dns.asked.length;
  await assert.rejects(net.resolveAddresses('none.example', bounds), { code: 'dns' });
  await assert.rejects(net.resolveAddresses('gone.example', bounds), { code: 'no_such_name' });
  // What was not waited for is not asked again.
  assert.equal(dns.asked.slice(asked).filter(({ name }) => name === 'slow.example').length, 0);
});
