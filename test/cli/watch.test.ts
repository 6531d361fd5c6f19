import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startReceiver } from '../watches/receiver.ts';
import { ended, kevFeedFolder, sextant, start, temporaryFolder } from './command-line.ts';

const receiver = await startReceiver({ after });
const feeds = kevFeedFolder(['CVE-2021-44228']);
const settings = {
  SEXTANT_DATA_DIR: temporaryFolder(),
  SEXTANT_FEEDS: feeds,
  SEXTANT_ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
};
const watch = (...words: string[]) => sextant(['watch', ...words], settings);
const json = async (...words: string[]) => {
  const { status, stdout, stderr } = await watch(...words, '--json');
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};
const sync = async () => assert.equal((await sextant(['sync', 'kev'], settings)).status, 0);

describe('sextant watch', () => {
  test('what a sync changes is delivered by watch run, signed, and shown', async () => {
    await sync();
    const { watch: made, secrets } = await json('add', 'CVE-2021-44229', '--webhook', receiver.url, '--name', 'mine');
    const { id } = made;
    assert.deepEqual(await json('run'), { changes: 0, events: 0, deliveries: 0 });
    cpSync(kevFeedFolder(['CVE-2021-44228', 'CVE-2021-44229']), feeds, { recursive: true });
    await sync();
    assert.deepEqual(await json('run'), { changes: 1, events: 1, deliveries: 1 });
    assert.deepEqual(await json('run'), { changes: 0, events: 0, deliveries: 0 });

    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    const message = new Webhook(secrets[0].secret).verify(body, headers) as {
      type: string;
      data: { watch: { id: string }; events: unknown[] };
    };
    assert.deepEqual([message.type, message.data.watch.id], ['watch.changed', id]);
    const { events } = await json('events', id);
    assert.deepEqual(message.data.events, events);
    assert.match(events[0].what, /Known exploited since 2024-01-02/);
    const { results } = await json('deliveries', id);
    assert.deepEqual([results[0].id, results[0].state], [headers['webhook-id'], 'delivered']);

    // A replay sends it again under the same id.
    assert.deepEqual((await json('replay', id, '--since', '2020-01-01')).is_complete, true);
    assert.deepEqual(receiver.ids(), [headers['webhook-id'], headers['webhook-id']]);
    assert.equal((await json('test', id)).deliveries[0].state, 'delivered');
    assert.equal(JSON.parse(receiver.received.at(-1)!.body).type, 'watch.test');

    const shown = await watch('list');
    assert.match(shown.stdout, /mine +active/);
    const deleted = await watch('delete', id);
    assert.deepEqual([deleted.status, (await watch('show', id)).status], [0, 3]);
  });

  test('a lockfile by its path, with all options', async () => {
    const file = join(temporaryFolder(), 'requirements.txt');
    writeFileSync(file, 'django==3.2.1\nrequests==2.31.0\n');
    const options = ['--severity', 'high', '--kev', '--daily', '08:00', '--time-zone', 'Europe/Berlin'];
    const { watch: made } = await json(
      'add',
      file,
      ...options,
      '--quiet',
      '22:00-07:00',
      '--slack',
      'https://hooks.example.com/x',
    );
    assert.deepEqual(made.subject.components, ['pkg:pypi/django@3.2.1', 'pkg:pypi/requests@2.31.0']);
    assert.deepEqual([made.conditions.severity_min, made.conditions.kev_only], ['HIGH', true]);
    assert.deepEqual(made.schedule, {
      when: 'daily',
      at: '08:00',
      weekday: 1,
      time_zone: 'Europe/Berlin',
      quiet: { from: '22:00', to: '07:00' },
    });
    assert.deepEqual([made.channels[0].format, made.channels[0].url], ['slack', 'https://hooks.example.com/x']);
    for (const [words, state] of [
      [['pause'], 'paused'],
      [['resume'], 'active'],
      [['mute', '--until', '2099-01-01', '--reason', 'planned'], 'muted'],
      [['resume'], 'active'],
    ] as const) {
      const [command, ...rest] = words;
      assert.equal((await json(command, made.id, ...rest)).watch.state, state);
    }
  });

  test('an export is what an import takes, on another machine too', async () => {
    const { stdout } = await watch('export');
    const exported = JSON.parse(stdout);
    assert.ok(exported.watches.length > 0);
    assert.doesNotMatch(stdout, /whsec_|wat_/);
    const file = join(temporaryFolder(), 'watches.json');
    writeFileSync(file, stdout);
    const other = { ...settings, SEXTANT_DATA_DIR: temporaryFolder() };
    const imported = await sextant(['watch', 'import', file], other);
    assert.deepEqual([imported.status, imported.stderr], [0, '']);
    const again = JSON.parse((await sextant(['watch', 'export'], other)).stdout);
    const withoutIds = ({ watches }: { watches: { channels: { id: string }[] }[] }) =>
      watches.map((one) => ({ ...one, channels: one.channels.map(({ id: _, ...channel }) => channel) }));
    assert.deepEqual(withoutIds(again), withoutIds(exported));
  });

  test('follows events as JSON lines where standard output is no terminal, and ends with a signal', async () => {
    const made = await json('add', 'CVE-2021-44230');
    cpSync(kevFeedFolder(['CVE-2021-44228', 'CVE-2021-44229', 'CVE-2021-44230']), feeds, { recursive: true });
    await json('run');
    await sync();
    const child = start(['watch', '--since', '2020-01-01'], settings);
    const end = ended(child);
    const lines: string[] = [];
    child.stdout!.on('data', (text: string) => lines.push(text));
    await once(child.stderr!, 'data');
    await json('run');
    while (!lines.join('').includes('\n')) await once(child.stdout!, 'data');
    child.kill('SIGINT');
    const { status } = await end;
    assert.equal(status, 0);
    const event = JSON.parse(lines.join('').split('\n')[0]!);
    assert.deepEqual([event.watch_id, event.about.cve_id], [made.watch.id, 'CVE-2021-44230']);
  });

  for (const [words, status, message] of [
    [['add', 'T1566'], 2, /cannot be watched/],
    [['add', 'CVE-2021-44228', '--webhook', 'http://169.254.169.254/'], 2, /cannot be reached/],
    [['add', 'CVE-2021-44228', '--quiet', 'night'], 2, /22:00-07:00/],
    [['add', 'CVE-2021-44228', '--severity', 'awful'], 2, /severity/],
    [['show', 'nonsense'], 2, /not a watch id/],
    [['show', 'wat_abcdefghijklmnopqrst'], 3, /no watch/],
    [['mute', 'wat_abcdefghijklmnopqrst'], 2, /--until/],
    [['replay', 'wat_abcdefghijklmnopqrst', '--since', 'yesterday'], 2, /a day/],
    [['import', '/nowhere/watches.json'], 3, /no such file/],
    [['fly'], 2, /./],
  ] as const) {
    test(`${words.join(' ')}: status ${status}`, async () => {
      const reply = await watch(...words);
      assert.deepEqual([reply.status, reply.stdout], [status, '']);
      assert.match(reply.stderr, message);
    });
  }
});
