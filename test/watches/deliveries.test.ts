import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { serveDns } from '../net/dns-server.ts';
import { eventually } from '../support/engines.ts';
import { AT_ONCE, givenWatch, sampleEvent } from './sample-watch.ts';
import { startReceiver } from './receiver.ts';
import { openSender, START } from './sender.ts';

const MINUTE_MS = 60_000;
const hook = (url: string) => ({ kind: 'webhook', url, format: 'standard' }) as const;
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end('why not');

describe('webhooks', () => {
  test('a receiver can verify what it gets, by the library of Standard Webhooks', async (t) => {
    const receiver = await startReceiver(t);
    const { book, send, tell, deliveries, clock } = await openSender(t);
    const { watch, secrets } = await book.create(givenWatch({ name: 'build', channels: [hook(receiver.url)] }));
    clock.ms = Date.now();
    await tell(watch.id, 1, 2);
    await send();
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    const secret = secrets[watch.channels[0]!.id]!;
    const message = new Webhook(secret).verify(body, headers) as Record<string, unknown>;
    assert.deepEqual(message, {
      type: 'watch.changed',
      timestamp: new Date(clock.ms).toISOString(),
      data: {
        watch: { id: watch.id, name: 'build', subject: watch.subject },
        events: [sampleEvent(watch.id, 1), sampleEvent(watch.id, 2)],
      },
    });
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers));
    const [delivery] = await deliveries(watch.id);
    assert.equal(headers['webhook-id'], delivery?.id);
    assert.deepEqual(
      [delivery?.state, delivery?.attempts, delivery?.deliveredAt?.getTime()],
      ['delivered', 1, clock.ms],
    );
    assert.equal(headers['content-type'], 'application/json');
    await send();
    assert.equal(receiver.received.length, 1);
  });

  test('while a secret is rotated, both verify; a day later only the new one', async (t) => {
    const receiver = await startReceiver(t);
    const { book, send, tell, clock } = await openSender(t);
    clock.ms = Date.now() - 86_400_000 - MINUTE_MS;
    const { watch, secrets: old } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    const { id } = watch.channels[0]!;
    const { secrets } = await book.update(watch.id, { rotateSecrets: [id] });
    assert.notEqual(secrets[id], old[id]);
    await tell(watch.id, 1);
    await send();
    clock.ms = Date.now();
    await tell(watch.id, 2);
    await send();
    const [during, after] = receiver.received as [(typeof receiver.received)[0], (typeof receiver.received)[0]];
    const signatures = during.headers['webhook-signature']!.split(' ');
    assert.equal(signatures.length, 2);
    for (const [index, secret] of [secrets[id]!, old[id]!].entries()) {
      const at = new Date(Number(during.headers['webhook-timestamp']) * 1000);
      assert.equal(new Webhook(secret).sign(during.headers['webhook-id']!, at, during.body), signatures[index]);
    }
    new Webhook(secrets[id]!).verify(after.body, after.headers);
    assert.throws(() => new Webhook(old[id]!).verify(after.body, after.headers));
  });

  test('what fails is tried again under its id, with the same body, until it is received', async (t) => {
    const receiver = await startReceiver(t, (response, _, count) => status(count < 3 ? 500 : 200)(response));
    const { book, send, tell, deliveries, clock } = await openSender(t);
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    await tell(watch.id, 1);
    await send();
    const [first] = await deliveries(watch.id);
    assert.deepEqual([first?.state, first?.lastError], ['pending', 'HTTP 500']);
    const pause = first!.dueAt.getTime() - START;
    assert.ok(pause >= 24_000 && pause <= 36_000, `${pause}`);
    await send();
    assert.equal(receiver.received.length, 1, 'not before it is due');
    for (const minutes of [1, 10]) {
      clock.ms += minutes * MINUTE_MS;
      await send();
    }
    assert.equal((await deliveries(watch.id))[0]?.state, 'delivered');
    assert.equal(receiver.received.length, 3);
    assert.equal(new Set(receiver.ids()).size, 1);
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
  });

  test('after eight tries it is given up, which is shown', async (t) => {
    const receiver = await startReceiver(t, status(503));
    const { book, send, tell, deliveries, clock } = await openSender(t);
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    await tell(watch.id, 1);
    for (let day = 0; day < 12; day++) {
      await send();
      clock.ms += 30 * 3_600_000;
    }
    assert.deepEqual(
      (await deliveries(watch.id)).map(({ state, attempts }) => [state, attempts]),
      [['dead', 8]],
    );
    assert.equal(receiver.received.length, 8);
    assert.equal((await book.get(watch.id)).deadDeliveries, 1);
  });

  test('Retry-After is heard', async (t) => {
    const receiver = await startReceiver(t, status(429, { 'retry-after': '3600' }));
    const { book, send, tell, deliveries } = await openSender(t);
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    await tell(watch.id, 1);
    await send();
    assert.equal((await deliveries(watch.id))[0]?.dueAt.getTime(), START + 3_600_000);
  });

  test('410 Gone gives it up at once', async (t) => {
    const receiver = await startReceiver(t, status(410));
    const { book, send, tell, deliveries } = await openSender(t);
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    await tell(watch.id, 1);
    await send();
    const [delivery] = await deliveries(watch.id);
    assert.deepEqual([delivery?.state, delivery?.lastError], ['dead', 'HTTP 410: the receiver is gone']);
  });

  for (const to of ['http://169.254.169.254/latest/meta-data', 'http://127.0.0.1:1/', '/elsewhere']) {
    test(`a redirect to ${to} is a failure, and not followed`, async (t) => {
      const receiver = await startReceiver(t, status(307, { location: to }));
      const { book, send, tell, deliveries } = await openSender(t);
      const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
      await tell(watch.id, 1);
      await send();
      const [delivery] = await deliveries(watch.id);
      assert.equal(delivery?.state, 'pending');
      assert.match(delivery?.lastError ?? '', /^HTTP 307: a redirect, which is not followed/);
      assert.equal(receiver.received.length, 1);
    });
  }

  test('of an endless answer only the beginning is read', async (t) => {
    let sent = 0;
    const receiver = await startReceiver(t, (response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384;
      };
      response.writeHead(200).on('drain', write);
      write();
    });
    const { book, send, tell, deliveries } = await openSender(t);
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    await tell(watch.id, 1);
    await send();
    assert.equal((await deliveries(watch.id))[0]?.state, 'delivered');
    // What the buffers of both sides of the connection take.
    assert.ok(sent < 32 * 1024 * 1024, `${sent}`);
  });

  test('a receiver that says nothing does not hold up others', async (t) => {
    const silent = await startReceiver(t, () => {});
    const other = await startReceiver(t, undefined, '127.0.0.2');
    const { book, worker, tell, deliveries } = await openSender(t);
    const first = await book.create(givenWatch({ channels: Array.from({ length: 20 }, () => hook(silent.url)) }));
    await tell(first.watch.id, 1);
    const stop = new AbortController();
    const running = worker.run(stop.signal);
    await eventually(() => silent.received.length > 0, 'the silent one is asked');
    const second = await book.create(givenWatch({ channels: [hook(other.url)] }));
    await tell(second.watch.id, 1);
    await eventually(
      async () => (await deliveries(second.watch.id))[0]?.state === 'delivered',
      'the other one is told',
    );
    assert.ok(silent.received.length <= 4, 'one host has few tries at a time');
    stop.abort();
    silent.close();
    await running;
  });

  test('a name that leads to a private address is refused at each delivery', async (t) => {
    const { book, send, tell, deliveries } = await openSender(t, { allowedPrivate: [] });
    const receiver = await startReceiver(t);
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    await tell(watch.id, 1);
    await send();
    const [delivery] = await deliveries(watch.id);
    assert.match(delivery?.lastError ?? '', /^127\.0\.0\.1: leads to an address that is not public/);
    assert.equal(receiver.received.length, 0);
  });

  for (const address of ['127.0.0.1', '10.0.0.5', '169.254.169.254', '192.168.1.1']) {
    test(`a public name that leads to ${address} by now is refused when it is delivered`, async (t) => {
      const dns = await serveDns(t, ({ name, type }) => ({
        answers: type === 'A' ? [{ type: 'A', name, ttl: 1, data: address }] : [],
      }));
      const { book, send, tell, deliveries } = await openSender(t, { allowedPrivate: [], dnsServers: [dns.address] });
      const { watch } = await book.create(givenWatch({ channels: [hook('https://hooks.example.com/')] }));
      await tell(watch.id, 1);
      await send();
      const [delivery] = await deliveries(watch.id);
      assert.equal(delivery?.state, 'pending');
      assert.match(delivery?.lastError ?? '', /^hooks\.example\.com: leads to an address that is not public/);
    });
  }

  test('without TLS nothing is sent to a public address', async (t) => {
    const { book, send, tell, deliveries } = await openSender(t);
    const { watch } = await book.create(givenWatch({ channels: [hook('http://192.0.43.8/hook')] }));
    await tell(watch.id, 1);
    await send();
    assert.match(
      (await deliveries(watch.id))[0]?.lastError ?? '',
      /^192\.0\.43\.8: is not in a network that the operator allows/,
    );
  });
});

describe('what is delivered, and when', () => {
  test('a digest is one message with all that came', async (t) => {
    const receiver = await startReceiver(t);
    const { book, send, tell, clock } = await openSender(t);
    const schedule = { ...AT_ONCE, when: 'daily', at: '18:00' } as const;
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)], schedule }));
    await tell(watch.id, 1);
    await tell(watch.id, 2, 3);
    await send();
    assert.equal(receiver.received.length, 0);
    clock.ms = Date.UTC(2026, 10, 20, 18);
    await send();
    const events = receiver.received.map(({ body }) =>
      JSON.parse(body).data.events.map(({ id }: { id: string }) => id),
    );
    assert.deepEqual(events, [[1, 2, 3].map((number) => sampleEvent(watch.id, number).id)]);
  });

  test('what comes while a watch is muted or paused is kept, not sent; a replay sends it, twice under the same id', async (t) => {
    const receiver = await startReceiver(t);
    const { book, send, store, tell, deliveries, clock } = await openSender(t);
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    await book.update(watch.id, { mute: { until: new Date(START + 3_600_000), reason: 'holiday' } });
    await tell(watch.id, 1);
    await send();
    assert.deepEqual(
      (await deliveries(watch.id)).map(({ state }) => state),
      ['muted'],
    );
    clock.ms += 2 * 3_600_000;
    await send();
    assert.equal(receiver.received.length, 0);
    for (let count = 0; count < 2; count++) {
      await store.owners.addReplay(watch.id, new Date(0), new Date(clock.ms));
      const replay = await store.replays.claim();
      // One event was missed: of a time when the watch was not there.
      await store.replays.complete(replay!, [sampleEvent(watch.id, 1), sampleEvent(watch.id, 2)]);
      await send();
    }
    const ids = receiver.ids();
    assert.equal(ids.length, 4);
    assert.deepEqual(ids.slice(2).toSorted(), ids.slice(0, 2).toSorted());
    assert.equal(new Set(ids).size, 2);
    const told = receiver.received
      .slice(0, 2)
      .flatMap(({ body }) => JSON.parse(body).data.events.map(({ id }: { id: string }) => id));
    assert.deepEqual(told.toSorted(), [sampleEvent(watch.id, 1).id, sampleEvent(watch.id, 2).id]);
  });

  test('for a key that was revoked nothing is delivered', async (t) => {
    const receiver = await startReceiver(t);
    const { book, send, tell, deliveries } = await openSender(t, {
      ownerProblem: () => 'the key of this watch is revoked',
    });
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    await tell(watch.id, 1);
    await send();
    const [delivery] = await deliveries(watch.id);
    assert.deepEqual([delivery?.state, delivery?.lastError], ['dead', 'the key of this watch is revoked']);
    assert.equal(receiver.received.length, 0);
  });

  test('a test says that it is one, and is tried once', async (t) => {
    const receiver = await startReceiver(t, (response, _, count) => status(count === 1 ? 204 : 500)(response));
    const { book, worker } = await openSender(t);
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    const stop = new AbortController();
    const running = worker.run(stop.signal);
    const outcomes = [...(await book.test(watch.id)), ...(await book.test(watch.id))];
    assert.deepEqual(
      outcomes.map(({ state, isTest, lastError }) => [state, isTest, lastError]),
      [
        ['delivered', true, null],
        ['dead', true, 'HTTP 500'],
      ],
    );
    const message = JSON.parse(receiver.received[0]!.body);
    assert.deepEqual(
      [message.type, message.data],
      ['watch.test', { watch: { id: watch.id, name: null, subject: watch.subject } }],
    );
    stop.abort();
    await running;
  });

  test('what waits for a channel that was removed is given up', async (t) => {
    const receiver = await startReceiver(t);
    const { book, send, tell, deliveries } = await openSender(t);
    const { watch } = await book.create(givenWatch({ channels: [hook(receiver.url)] }));
    await tell(watch.id, 1);
    await book.update(watch.id, { channels: [] });
    await send();
    assert.deepEqual(
      (await deliveries(watch.id)).map(({ lastError }) => lastError),
      ['the channel was removed'],
    );
  });
});
