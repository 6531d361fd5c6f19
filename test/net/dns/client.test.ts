import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { NetworkClient } from '../../../src/net/network-client.ts';
import { openNetworkClient } from '../../../src/net/open-network-client.ts';
import { type Respond, serveDns } from '../dns-server.ts';
import { LATE_MS } from '../servers.ts';

const timeout = 120_000;

function netOver(t: TestContext, ...dnsServers: string[]): NetworkClient {
  const net = openNetworkClient({ dnsServers, allowedPrivate: [], proxy: null, extraCa: [] });
  t.after(() => net.close());
  return net;
}

async function asking(t: TestContext, respond: Respond) {
  const server = await serveDns(t, respond);
  return { server, net: netOver(t, server.address) };
}

test('records of each kind, names in lower case, strings of a TXT record joined', { timeout }, async (t) => {
  const { net } = await asking(t, ({ name, type }) => {
    switch (type) {
      case 'A':
        return { answers: [{ name, type, ttl: 300, data: '93.184.216.34' }] };
      case 'AAAA':
        return { answers: [{ name, type, ttl: 300, data: '2606:2800:220:1::1' }] };
      case 'TXT':
        return { answers: [{ name, type, ttl: 1, data: ['v=spf1 ', Buffer.from('-all é')] }] };
      case 'MX':
        return { answers: [{ name, type, data: { preference: 0, exchange: '.' } }] };
      case 'NS':
        return { answers: [{ name: name.toUpperCase(), type, data: 'A.IANA-SERVERS.NET' }] };
      default:
        return {};
    }
  });
  const values = async (type: 'A' | 'AAAA' | 'TXT' | 'MX' | 'NS') =>
    (await net.queryDns('Example.COM.', type, { timeoutMs: 4000 })).records.map(({ data }) => data);
  assert.deepEqual(await values('A'), ['93.184.216.34']);
  assert.deepEqual(await values('AAAA'), ['2606:2800:220:1::1']);
  assert.deepEqual(await values('TXT'), ['v=spf1 -all é']);
  assert.deepEqual(await values('MX'), [{ preference: 0, exchange: '.' }]);
  assert.deepEqual(await values('NS'), ['a.iana-servers.net']);
  const [record] = (await net.queryDns('example.com', 'NS', { timeoutMs: 4000 })).records;
  assert.equal(record?.name, 'example.com');
});

test('asks with recursion and EDNS(0), with DO where signatures are wanted; AD is told', { timeout }, async (t) => {
  const { net, server } = await asking(t, () => ({ flags: 0x0020 }));
  const answer = await net.queryDns('example.com', 'DNSKEY', { timeoutMs: 4000, dnssec: true });
  assert.deepEqual([answer.exists, answer.authenticated, answer.records], [true, true, []]);
  const { packet } = server.asked[0]!;
  const [opt] = packet.additionals as unknown as { type: string; udpPayloadSize: number; flag_do: boolean }[];
  assert.deepEqual([opt?.type, opt?.udpPayloadSize, opt?.flag_do], ['OPT', 1232, true]);
  assert.equal((packet.flags! & 0x0100) !== 0, true);
});

test('a name that does not exist is an answer; what fails is not', { timeout }, async (t) => {
  const codes: Record<string, number> = { 'no.example': 3, 'servfail.example': 2, 'refused.example': 5 };
  const { net } = await asking(t, ({ name }) => ({ rcode: codes[name] ?? 0 }));
  assert.equal((await net.queryDns('no.example', 'A', { timeoutMs: 4000 })).exists, false);
  assert.equal((await net.queryDns('empty.example', 'A', { timeoutMs: 4000 })).exists, true);
  await assert.rejects(net.queryDns('servfail.example', 'A', { timeoutMs: 4000 }), {
    code: 'dns',
    message: /SERVFAIL/,
  });
  await assert.rejects(net.queryDns('refused.example', 'A', { timeoutMs: 4000 }), { code: 'dns', message: /REFUSED/ });
});

test('a server that fails or is silent is left for the next', { timeout }, async (t) => {
  const dead = await serveDns(t, () => null);
  const broken = await serveDns(t, () => ({ rcode: 2 }));
  const good = await serveDns(t, ({ name }) => ({ answers: [{ name, type: 'A', data: '192.0.2.7' }] }));
  const net = netOver(t, broken.address, dead.address, good.address);
  const answer = await net.queryDns('example.com', 'A', { timeoutMs: 4000 });
  assert.equal(answer.records[0]?.data, '192.0.2.7');
});

test('silence ends inside the time, after asking again', { timeout }, async (t) => {
  const { net, server } = await asking(t, () => null);
  const start = performance.now();
  await assert.rejects(net.queryDns('example.com', 'A', { timeoutMs: 1500 }), { code: 'timeout' });
  assert.ok(performance.now() - start < LATE_MS);
  assert.ok(server.asked.length > 1);
  assert.notEqual(server.asked[0]?.id, server.asked[1]?.id);
  await assert.rejects(net.queryDns('example.com', 'A', { timeoutMs: 4000, signal: AbortSignal.timeout(50) }), {
    code: 'aborted',
  });
});

test('a lost datagram is made good by asking again', { timeout }, async (t) => {
  let lost = false;
  const { net } = await asking(t, ({ name }) => {
    if (lost) return { answers: [{ name, type: 'A', data: '192.0.2.7' }] };
    lost = true;
    return null;
  });
  assert.equal((await net.queryDns('example.com', 'A', { timeoutMs: 4000 })).records.length, 1);
});

test('an answer that was cut is asked for over TCP', { timeout }, async (t) => {
  const many = Array.from({ length: 200 }, (_, i) => ({
    name: 'example.com',
    type: 'A' as const,
    data: `192.0.2.${i}`,
  }));
  const { net, server } = await asking(t, ({ over }) => (over === 'udp' ? { truncated: true } : { answers: many }));
  assert.equal((await net.queryDns('example.com', 'A', { timeoutMs: 4000 })).records.length, 200);
  assert.deepEqual(
    server.asked.map(({ over }) => over),
    ['udp', 'tcp'],
  );
});

test('cut over TCP too, or never complete: an error inside the time', { timeout }, async (t) => {
  const cut = await asking(t, () => ({ truncated: true }));
  await assert.rejects(cut.net.queryDns('example.com', 'A', { timeoutMs: 4000 }), { code: 'dns' });
  const stalled = await asking(t, ({ over }) => (over === 'udp' ? { truncated: true } : null));
  await assert.rejects(stalled.net.queryDns('example.com', 'A', { timeoutMs: 300 }), { code: 'timeout' });
});

test('a server without EDNS(0) is asked plainly', { timeout }, async (t) => {
  const { net } = await asking(t, ({ name, packet }) =>
    packet.additionals?.length === 0 ? { answers: [{ name, type: 'A', data: '192.0.2.7' }] } : { rcode: 1 },
  );
  assert.equal((await net.queryDns('example.com', 'A', { timeoutMs: 4000 })).records.length, 1);
});

test('answers that do not match the question are not taken', { timeout }, async (t) => {
  const bad = { answers: [{ name: 'example.com', type: 'A' as const, data: '6.6.6.6' }] };
  const good = { answers: [{ name: 'example.com', type: 'A' as const, data: '192.0.2.7' }] };
  // A wrong id is not looked at; the right one comes later.
  const spoofed = await asking(t, ({ id }) => [{ ...bad, id: id ^ 1 }, good]);
  const answer = await spoofed.net.queryDns('example.com', 'A', { timeoutMs: 4000 });
  assert.deepEqual(
    answer.records.map(({ data }) => data),
    ['192.0.2.7'],
  );
  for (const questions of [
    [{ name: 'example.org', type: 'A' as const }],
    [{ name: 'example.com', type: 'AAAA' as const }],
    [],
    [
      { name: 'example.com', type: 'A' as const },
      { name: 'example.com', type: 'A' as const },
    ],
  ]) {
    const other = await asking(t, () => ({ ...bad, questions }));
    await assert.rejects(
      other.net.queryDns('example.com', 'A', { timeoutMs: 4000 }),
      { code: 'dns' },
      JSON.stringify(questions),
    );
  }
  // Records of names that nobody asked for are not part of the answer.
  const beside = await asking(t, ({ name }) => ({
    answers: [
      { name: 'bank.example', type: 'A', data: '6.6.6.6' },
      { name, type: 'A', data: '192.0.2.7' },
    ],
  }));
  const found = await beside.net.queryDns('example.com', 'A', { timeoutMs: 4000 });
  assert.deepEqual(
    found.records.map(({ data }) => data),
    ['192.0.2.7'],
  );
});

test('aliases are followed, in one answer and by further questions', { timeout }, async (t) => {
  const { net, server } = await asking(t, ({ name }) =>
    name === 'www.example.com'
      ? {
          answers: [
            { name: 'c.example.net', type: 'CNAME', data: 'D.example.org' },
            { name, type: 'CNAME', data: 'c.example.net' },
          ],
        }
      : { answers: [{ name, type: 'A', data: '192.0.2.7' }] },
  );
  const answer = await net.queryDns('www.example.com', 'A', { timeoutMs: 4000 });
  assert.deepEqual(answer.aliases, ['c.example.net', 'd.example.org']);
  assert.deepEqual(
    answer.records.map(({ data }) => data),
    ['192.0.2.7'],
  );
  assert.deepEqual(
    server.asked.map(({ name }) => name),
    ['www.example.com', 'd.example.org'],
  );
  // Who asks for the alias itself gets it, and no more.
  const alias = await net.queryDns('www.example.com', 'CNAME', { timeoutMs: 4000 });
  assert.deepEqual([alias.records.map(({ data }) => data), alias.aliases], [['c.example.net'], []]);
});

test('an alias of a name that does not exist', { timeout }, async (t) => {
  const { net } = await asking(t, ({ name }) => ({
    rcode: 3,
    answers: [{ name, type: 'CNAME', data: 'gone.example' }],
  }));
  const answer = await net.queryDns('www.example.com', 'A', { timeoutMs: 4000 });
  assert.deepEqual([answer.exists, answer.aliases, answer.records], [false, ['gone.example'], []]);
});

test('aliases in a circle, or without an end, are an error', { timeout }, async (t) => {
  const circle = await asking(t, ({ name }) => ({
    answers: [{ name, type: 'CNAME', data: name === 'a.example' ? 'b.example' : 'a.example' }],
  }));
  await assert.rejects(circle.net.queryDns('a.example', 'A', { timeoutMs: 4000 }), { code: 'dns', message: /circle/ });
  const self = await asking(t, ({ name }) => ({ answers: [{ name, type: 'CNAME', data: name }] }));
  await assert.rejects(self.net.queryDns('a.example', 'A', { timeoutMs: 4000 }), { code: 'dns', message: /circle/ });
  const endless = await asking(t, ({ name }) => ({ answers: [{ name, type: 'CNAME', data: `x${name}` }] }));
  await assert.rejects(endless.net.queryDns('a.example', 'A', { timeoutMs: 4000 }), {
    code: 'dns',
    message: /aliases/,
  });
  assert.ok(endless.server.asked.length <= 8);
});

test('names that the DNS cannot hold are not asked for', { timeout }, async (t) => {
  const { net, server } = await asking(t, () => ({}));
  for (const name of ['', 'a..b', `${'a'.repeat(64)}.example`, `${'a.'.repeat(130)}b`, 'a b.example', 'ä.example']) {
    await assert.rejects(net.queryDns(name, 'A', { timeoutMs: 4000 }), { code: 'no_such_name' }, name);
  }
  assert.equal(server.asked.length, 0);
});

test('no server at all is an error that says so', { timeout }, async (t) => {
  // Nobody listens at port 1 of the loopback.
  await assert.rejects(netOver(t, '127.0.0.1:1').queryDns('example.com', 'A', { timeoutMs: 4000 }), { code: 'dns' });
});
