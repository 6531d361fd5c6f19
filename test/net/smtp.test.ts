import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { closeServer, listenOnLoopback } from '../lab/loopback.ts';

const ADDRESS = '5.57.0.25';

/** A client that reaches the server instead of port 25 of `ADDRESS`. */
async function clientOf(serve: (socket: Socket) => void) {
  const server = createServer(serve);
  const { port, open } = await listenOnLoopback(server);
  const dialled: string[] = [];
  const net = openNetworkClient({
    dnsServers: ['127.0.0.1:9'],
    allowedPrivate: [],
    proxy: null,
    extraCa: [],
    mapEndpoint: (to) => {
      dialled.push(`${to.address}:${to.port}`);
      return { address: '127.0.0.1', port };
    },
  });
  after(async () => {
    await net.close();
    await closeServer(server, open);
  });
  return { net, dialled };
}

/** Says the lines of a dialogue, one for each command that comes, the first at once. */
function says(...replies: string[]): (socket: Socket) => void {
  return (socket) => {
    const waiting = [...replies];
    const next = () => void socket.write(waiting.shift() ?? '');
    next();
    socket.on('data', next);
  };
}

describe('STARTTLS with a mail server', () => {
  for (const [what, replies, offered, said] of [
    ['does not offer it', ['220 mx\r\n', '250-mx\r\n250 8BITMIME\r\n'], false, '250 mx'],
    ['greets with a refusal', ['554 go away\r\n'], false, '554 go away'],
    ['offers it and refuses', ['220 mx\r\n', '250-mx\r\n250 STARTTLS\r\n', '454 not now\r\n'], true, '454 not now'],
    ['greets in two lines', ['220-mx\r\n220 ready\r\n', '500 what\r\n'], false, '500 what'],
  ] as const) {
    test(what, async () => {
      const { net, dialled } = await clientOf(says(...replies));
      const result = await net.smtpHandshake(ADDRESS, { timeoutMs: 5000 });
      assert.deepEqual(result, { offersStartTls: offered, said, tls: null });
      assert.deepEqual(dialled, [`${ADDRESS}:25`]);
    });
  }

  for (const [what, replies, code] of [
    ['another protocol', ['HTTP/1.1 400 Bad Request\r\n\r\n'], 'protocol'],
    ['bytes after the reply, which would be read as sent under TLS', ['220 mx\r\n250 injected\r\n'], 'protocol'],
    ['no end of a reply', ['220-mx\r\n'.repeat(4000)], 'protocol'],
    ['silence', [''], 'timeout'],
  ] as const) {
    test(`is given up: ${what}`, async () => {
      const { net } = await clientOf(says(...replies));
      await assert.rejects(net.smtpHandshake(ADDRESS, { timeoutMs: code === 'timeout' ? 50 : 5000 }), { code });
    });
  }

  test('an address that is not public is not reached', async () => {
    const { net, dialled } = await clientOf(says('220 mx\r\n'));
    await assert.rejects(net.smtpHandshake('127.0.0.1', { timeoutMs: 5000 }), { code: 'refused_address' });
    assert.deepEqual(dialled, []);
  });
});
