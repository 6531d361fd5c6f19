import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { WatchEvent } from '../../src/analysis/watch/watch.ts';
import { localAccount } from '../../src/cli/watch/with-local-watches.ts';
import type { EventPage, WatchBook } from '../../src/engine/watch-book.ts';
import { startService } from '../support/service.ts';
import { ask, ENVELOPE } from './rpc.ts';
import { openWire } from './wire.ts';

const service = await startService({ after });
const ID = 'wat_aaaaaaaaaaaaaaaaaaaa';
const URI = `sextant://watches/${ID}/events`;
const POLL_MS = 20;

describe('over HTTP', () => {
  const list = async (headers = {}) => {
    const { body } = await ask(service, 'resources/list', undefined, headers);
    return body.result.resources.map(({ uri }: { uri: string }) => uri);
  };

  test('the watches of a key are listed and read; those of others are not there', async () => {
    const mine = await service.proHeaders();
    const { body } = await service.post('/v1/watches', { subject: { cve_id: 'CVE-2021-44228' } }, mine);
    const uri = `sextant://watches/${body.watch.id}/events`;
    assert.ok((await list(mine)).includes(uri));
    assert.ok(!(await list()).includes(uri));
    assert.ok(!(await list(await service.proHeaders())).includes(uri));
    const read = (await ask(service, 'resources/read', { uri }, mine)).body.result.contents[0];
    assert.deepEqual([read.uri, JSON.parse(read.text).events], [uri, []]);
    for (const headers of [{}, await service.proHeaders()])
      assert.ok((await ask(service, 'resources/read', { uri }, headers)).body.error !== undefined);
  });

  test('there are no standing streams', async () => {
    assert.equal((await ask(service, 'resources/subscribe', { uri: URI })).body.error.code, -32601);
  });
});

/** The local user, one of whose watches has an event as soon as `tell` is called. */
function userWithEvents() {
  const events: WatchEvent[] = [];
  const book = {
    async events(_: string | null, { after }: { after: string | null }): Promise<EventPage> {
      const found = events.slice(Number(after ?? 0));
      return { events: found, next: String(events.length), hasMore: false };
    },
    list: async () => [],
  } as unknown as WatchBook;
  return {
    account: localAccount(async () => book),
    tell: (watchId = ID) => void events.push({ id: `evt_${events.length}`, watch_id: watchId } as WatchEvent),
  };
}

describe('over standard input', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };

  test('who subscribed is told of new events, once for each time; of other watches not', async () => {
    const { account, tell } = userWithEvents();
    const wire = openWire(service, { account, pollMs: POLL_MS });
    wire.say(initialize);
    assert.equal((await wire.hear()).result.capabilities.resources.subscribe, true);
    wire.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    wire.say({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'cwe://catalog' } });
    assert.equal((await wire.hear()).error.code, -32602);
    wire.say({ jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri: URI } });
    assert.deepEqual((await wire.hear()).result, {});
    tell('wat_bbbbbbbbbbbbbbbbbbbb');
    tell();
    const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: URI } };
    assert.deepEqual(await wire.hear(), updated);
    tell();
    assert.deepEqual(await wire.hear(), updated);
    wire.say({ jsonrpc: '2.0', id: 3, method: 'resources/unsubscribe', params: { uri: URI } });
    assert.equal((await wire.hear()).id, 3);
    tell();
    wire.say({ jsonrpc: '2.0', id: 4, method: 'ping' });
    assert.equal((await wire.hear()).id, 4);
    wire.input.end();
    await wire.ended;
  });

  test('2026-07-28: who listens to its URI is told', async () => {
    const { account, tell } = userWithEvents();
    const wire = openWire(service, { account, pollMs: POLL_MS, exchangeMs: 300_000 });
    const params = { notifications: { resourceSubscriptions: [URI] }, _meta: ENVELOPE };
    wire.say({ jsonrpc: '2.0', id: 7, method: 'server/discover', params: { _meta: ENVELOPE } });
    assert.equal((await wire.hear()).id, 7);
    wire.say({ jsonrpc: '2.0', id: 8, method: 'subscriptions/listen', params });
    assert.equal((await wire.hear()).method, 'notifications/subscriptions/acknowledged');
    tell('wat_bbbbbbbbbbbbbbbbbbbb');
    tell();
    const { method, params: told } = await wire.hear();
    assert.deepEqual([method, told.uri], ['notifications/resources/updated', URI]);
    wire.input.end();
    await wire.ended;
  });

  test('without a local user there is nothing to subscribe to', async () => {
    const wire = openWire(service);
    wire.say(initialize);
    assert.equal((await wire.hear()).result.capabilities.resources.subscribe, undefined);
    wire.input.end();
    await wire.ended;
  });
});
