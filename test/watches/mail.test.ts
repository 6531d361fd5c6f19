import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { MailSender } from '../../src/watches/delivery/mail-sender.ts';
import { givenWatch } from './sample-watch.ts';
import { openSender } from './sender.ts';

const TO = 'team@example.com';

/** A mail server on loopback without TLS. `refuse`: what it says to a recipient. */
async function startMailServer(
  owner: { after(end: () => void): void },
  refuse: { responseCode: number } | null = null,
) {
  const received: { from: string; to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      done(refuse && Object.assign(new Error('<script>no</script>'), refuse));
    },
    onData(stream, { envelope }, done) {
      let text = '';
      stream.on('data', (chunk) => {
        text += String(chunk);
      });
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  owner.after(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  return { received, url: `smtp://127.0.0.1:${port}` };
}

const sender = (smtpUrl: string, allowedTo = ['example.com']): MailSender =>
  new MailSender({ smtpUrl, from: 'alerts@sextant.example', allowedTo, extraCa: [] });

async function tellByMail(t: { after(end: () => unknown): void }, mail: MailSender | null) {
  const { book, send, tell, deliveries, clock } = await openSender(t, { mail });
  const { watch } = await book.create(givenWatch({ name: 'build', channels: [{ kind: 'email', to: TO }] }));
  await tell(watch.id, 1);
  await send();
  return { delivery: (await deliveries(watch.id))[0]!, again: send, clock };
}

describe('mail', () => {
  test('says what changed and why, to one recipient, with the Message-ID of the delivery', async (t) => {
    const { received, url } = await startMailServer(t);
    const { delivery } = await tellByMail(t, sender(url));
    assert.equal(delivery.state, 'delivered');
    const [{ from, to, text }] = received as [(typeof received)[0]];
    assert.deepEqual([from, to], ['alerts@sextant.example', [TO]]);
    const [head, body] = text.split('\r\n\r\n', 2) as [string, string];
    assert.match(head, new RegExp(`^Message-ID: <${delivery.id}@sextant\\.example>\r?$`, 'im'));
    assert.match(head, /^Subject: CVE-2026-1001: Known exploited since 2026-11-20\.\r?$/m);
    assert.match(head, /^Auto-Submitted: auto-generated\r?$/m);
    assert.match(head, /^Content-Type: text\/plain/m);
    assert.match(text.replaceAll('=\r\n', ''), /lodash 4\.17\.20 is affected \(npm advisory\), fixed in 4\.17\.21\./);
    assert.ok(body.length > 0);
  });

  test('a recipient that the server refuses for good is given up; the text of the server is not shown', async (t) => {
    const { url } = await startMailServer(t, { responseCode: 550 });
    const { delivery } = await tellByMail(t, sender(url));
    assert.deepEqual(
      [delivery.state, delivery.lastError],
      ['dead', 'the mail server refused the sender or the recipient (550)'],
    );
  });

  test('a recipient that it refuses for now is tried again', async (t) => {
    const { url } = await startMailServer(t, { responseCode: 451 });
    const { delivery } = await tellByMail(t, sender(url));
    assert.deepEqual(
      [delivery.state, delivery.lastError],
      ['pending', 'the mail server refused the sender or the recipient (451)'],
    );
  });

  test('a server that is away is tried again', async (t) => {
    const { delivery } = await tellByMail(t, sender('smtp://127.0.0.1:1'));
    assert.deepEqual(
      [delivery.state, delivery.lastError],
      ['pending', 'the mail server could not be reached or used (ESOCKET)'],
    );
  });

  test('credentials do not go over a connection without TLS', async (t) => {
    const { received, url } = await startMailServer(t);
    const { delivery } = await tellByMail(t, sender(url.replace('//', '//user:secret@')));
    assert.equal(delivery.state, 'pending');
    assert.doesNotMatch(delivery.lastError ?? '', /secret/);
    assert.deepEqual(received, []);
  });

  test('a recipient that the operator does not allow any more gets nothing', async (t) => {
    const { received, url } = await startMailServer(t);
    const { delivery } = await tellByMail(t, sender(url, ['other.example']));
    assert.deepEqual(
      [delivery.state, delivery.lastError],
      ['dead', 'mail to this address is not allowed here any more'],
    );
    assert.deepEqual(received, []);
  });
});
