import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mailText, slackBody, teamsBody } from '../../../src/analysis/watch/chat-messages.ts';
import type { WatchEvent } from '../../../src/analysis/watch/watch.ts';
import { webhookBody, type WatchMessage } from '../../../src/analysis/watch/webhook-message.ts';
import { sampleEvent } from '../../watches/sample-watch.ts';

const ID = 'wat_aaaaaaaaaaaaaaaaaaaa';
const current = { severity: null, cvss: null, kev: null, kev_due: null, epss: null, fixed_in: null, urgency: null };

function message(events: WatchEvent[] | null, changes: Partial<WatchMessage['watch']> = {}): WatchMessage {
  const subject = { kind: 'package', purl: 'pkg:npm/lodash', version: '4.17.20' } as const;
  return { watch: { id: ID, name: null, subject, ...changes }, events, createdAt: new Date(0) };
}

const HOSTILE = '<!channel> & <https://evil.example|click> *bold* [x](https://evil.example)\u202E\u0007\u200B\n# line';

describe('messages for people', () => {
  test('one change is told in the title: which CVE, what changed', () => {
    const { subject, text } = mailText(message([sampleEvent(ID, 1)]));
    assert.equal(subject, 'CVE-2026-1001: Known exploited since 2026-11-20.');
    assert.ok(text.includes('lodash 4.17.20 is affected (npm advisory), fixed in 4.17.21.'));
    assert.ok(text.includes(ID));
  });

  test('the most urgent come first, and what is left out is counted', () => {
    const events = Array.from({ length: 23 }, (_, number) =>
      sampleEvent(ID, number, {
        current: { ...current, severity: number === 7 ? 'CRITICAL' : 'LOW', kev: number === 3 },
      }),
    );
    const { subject, text } = mailText(message(events, { name: 'Shop' }));
    assert.equal(subject, '23 changes concern Shop, first CVE-2026-1003');
    assert.ok(text.indexOf('CVE-2026-1003, LOW, known exploited') < text.indexOf('CVE-2026-1007, CRITICAL'));
    assert.ok(text.indexOf('CVE-2026-1007, CRITICAL') < text.indexOf('CVE-2026-1000, LOW'));
    assert.match(text, /^3 more/m);
  });

  test('Slack: nothing of it is read as a link, a mention or a direction', () => {
    const body = slackBody(message([sampleEvent(ID, 1, { what: HOSTILE, why: HOSTILE })], { name: HOSTILE }));
    const { text, blocks } = JSON.parse(body) as { text: string; blocks: { text: { type: string; text: string } }[] };
    for (const each of [
      text,
      ...blocks.filter((block) => block.text.type === 'mrkdwn').map((block) => block.text.text),
    ]) {
      assert.doesNotMatch(each.replaceAll('\n', ''), /[<>\p{Cc}\p{Cf}]/u);
      assert.doesNotMatch(each, /&(?!amp;|lt;|gt;)/);
    }
    assert.ok(blocks[0]!.text.text.length <= 150);
  });

  test('Slack and Teams: at most fifty blocks, and short ones, whatever comes', () => {
    const long = 'x'.repeat(5000);
    const events = Array.from({ length: 100 }, (_, number) => sampleEvent(ID, number, { what: long, why: long }));
    const { blocks } = JSON.parse(slackBody(message(events))) as { blocks: { text: { text: string } }[] };
    assert.ok(blocks.length <= 50);
    assert.ok(blocks.every(({ text }) => text.text.length <= 3000));
    // Teams accepts 28 KB.
    assert.ok(Buffer.byteLength(teamsBody(message(events))) < 28 * 1024);
  });

  test('Teams: an Adaptive Card of text runs, which are not read as Markdown', () => {
    const body = JSON.parse(teamsBody(message([sampleEvent(ID, 1, { what: HOSTILE })])));
    assert.equal(body.type, 'message');
    const [{ contentType, content }] = body.attachments;
    assert.equal(contentType, 'application/vnd.microsoft.card.adaptive');
    assert.equal(content.type, 'AdaptiveCard');
    for (const block of content.body as { type: string; inlines: { type: string; text: string }[] }[]) {
      assert.equal(block.type, 'RichTextBlock');
      for (const { type, text } of block.inlines) {
        assert.equal(type, 'TextRun');
        assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
      }
    }
  });

  test('an indicator is written so that no program makes a link of it', () => {
    const indicator = 'http://evil.example/x';
    const event = sampleEvent(ID, 1, {
      about: { kind: 'indicator', indicator },
      what: 'URLhaus lists it since today.',
    });
    const { subject } = mailText(message([event], { subject: { kind: 'indicator', indicator } }));
    assert.equal(subject, 'hxxp://evil[.]example/x: URLhaus lists it since today.');
  });

  test('a test says that it is one', () => {
    assert.equal(mailText(message(null)).subject, 'Test of the watch pkg:npm/lodash@4.17.20');
    assert.match(JSON.parse(slackBody(message(null))).text, /^Test of the watch/);
  });
});

test('the components of a lockfile are counted in a webhook, not sent each time', () => {
  const components = [{ purl: 'pkg:npm/lodash', cpe: null, version: '4.17.20' }];
  const { data } = JSON.parse(webhookBody(message([], { subject: { kind: 'components', components } })));
  assert.deepEqual(data.watch.subject, { kind: 'components', component_count: 1 });
});
