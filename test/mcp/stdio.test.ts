import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../cli/command-line.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const PATIENCE_MS = 120_000;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Message = any;

interface Session {
  child: ChildProcess;
  /** Writes a line; what is no string goes as JSON. */
  say: (line: unknown) => void;
  /** The next message. */
  hear: () => Promise<Message>;
  /** Every line of standard output so far, as it came. */
  lines: string[];
  errors: () => string;
}

/** `sextant mcp` as a client starts it, on a data folder of its own. */
function start(t: TestContext, words: string[] = [], settings: Record<string, string> = {}): Session {
  const others = Object.entries(process.env).filter(([name]) => !/^SEXTANT_|^NODE_TEST|COLOR/.test(name));
  const env = { ...Object.fromEntries(others), SEXTANT_DATA_DIR: temporaryFolder(), ...settings };
  const child = spawn(process.execPath, [join(SRC, 'main.ts'), 'mcp', ...words], { env, stdio: 'pipe' });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting: ((message: Message) => void)[] = [];
  const heard: Message[] = [];
  let rest = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    for (const line of parts) {
      lines.push(line);
      const message = JSON.parse(line);
      const next = waiting.shift();
      if (next === undefined) heard.push(message);
      else next(message);
    }
  });
  return {
    child,
    lines,
    errors: () => errors,
    say: (line) => void child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    hear: () => {
      const { promise, resolve, reject } = Promise.withResolvers<Message>();
      if (heard.length > 0) return Promise.resolve(heard.shift());
      waiting.push(resolve);
      setTimeout(() => reject(new Error(`nothing was said; standard error: ${errors}`)), PATIENCE_MS).unref();
      return promise;
    },
  };
}

function initialize(protocolVersion: string) {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params };
}

describe('sextant mcp', () => {
  test('answers from the data folder without a server, says nothing but protocol, and ends when its input does', async (t) => {
    const { child, say, hear, lines, errors } = start(t);
    say(initialize('2025-11-25'));
    assert.equal((await hear()).result.protocolVersion, '2025-11-25');
    say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    say({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'cve_lookup', arguments: { cve_id: 'CVE-2021-44228' } },
    });
    const { result } = await hear();
    assert.equal(result.structuredContent.cve_id, 'CVE-2021-44228');
    assert.deepEqual(result.structuredContent.verdict.sources_queried, ['starter']);
    say({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'cve_lookup', arguments: { cve_id: 'nonsense' } },
    });
    assert.equal((await hear()).result.isError, true);
    child.stdin!.end();
    const [status] = await once(child, 'exit');
    assert.equal(status, 0);
    for (const line of lines) assert.equal(JSON.parse(line).jsonrpc, '2.0');
    assert.equal(lines.length, 3);
    const logged = errors()
      .split('\n')
      .filter((line) => line.includes('"tool"'));
    assert.equal(logged.length, 2);
    assert.ok(!errors().includes('44228'), 'the log told what was asked');
  });

  test('is not charged: calls go on past the quota', async (t) => {
    const { say, hear } = start(t, [], { SEXTANT_QUOTA_KEYLESS: '1' });
    say(initialize('2025-11-25'));
    await hear();
    for (let id = 1; id <= 3; id++) {
      say({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'kev_detail', arguments: { cve_id: 'CVE-2021-44228' } },
      });
      assert.equal((await hear()).result.isError, undefined);
    }
  });

  test('takes the newest protocol, without a handshake', async (t) => {
    const { say, hear } = start(t);
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    say({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'kev_detail', arguments: { cve_id: 'CVE-2021-44228' }, _meta },
    });
    const { result } = await hear();
    assert.equal(result.resultType, 'complete');
    assert.equal(result.structuredContent.in_kev, true);
    say([{ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta } }]);
    assert.equal((await hear()).error.code, -32600);
  });

  test('lines that are no messages get the error of the protocol, and the next one is read', async (t) => {
    const { say, hear, errors } = start(t);
    const expect = async (line: unknown, code: number, id: unknown = null) => {
      say(line);
      const message = await hear();
      assert.deepEqual([message.jsonrpc, message.id, message.error?.code], ['2.0', id, code], JSON.stringify(message));
    };
    await expect('{', -32700);
    await expect('hello', -32700);
    await expect('5', -32600);
    await expect('null', -32600);
    await expect({ jsonrpc: '2.0', id: 7 }, -32600, 7);
    await expect({ jsonrpc: '1.0', id: 'x', method: 'ping' }, -32600, 'x');
    await expect('[]', -32600);
    await expect(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(1024 * 1024) } }),
      -32600,
    );
    say('');
    say('   ');
    await expect({ jsonrpc: '2.0', id: 9, method: 'nope' }, -32601, 9);
    say(initialize('1999-01-01'));
    assert.equal((await hear()).result.protocolVersion, '2025-11-25');
    assert.equal(errors(), '');
  });

  test('a batch is answered as one where the protocol has batches, and refused where it has none', async (t) => {
    const batch = [
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      {
        jsonrpc: '2.0',
        id: 'b',
        method: 'tools/call',
        params: { name: 'kev_detail', arguments: { cve_id: 'CVE-2021-44228' } },
      },
    ];
    const old = start(t);
    old.say(initialize('2025-03-26'));
    await old.hear();
    old.say(batch);
    const answers = await old.hear();
    assert.deepEqual(answers.map(({ id }: { id: string }) => id).toSorted(), ['a', 'b']);
    const recent = start(t);
    recent.say(initialize('2025-06-18'));
    await recent.hear();
    recent.say(batch);
    assert.equal((await recent.hear()).error.code, -32600);
  });

  test('several messages and broken ones in one piece, and one message in several', async (t) => {
    const { child, hear } = start(t);
    const ping = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
    child.stdin!.write(`${JSON.stringify(initialize('2025-11-25'))}\r\n${ping(1)}\n`);
    assert.equal((await hear()).id, 0);
    assert.equal((await hear()).id, 1);
    const [first, second] = [ping(2).slice(0, 10), ping(2).slice(10)];
    child.stdin!.write(first);
    await new Promise((resolve) => setTimeout(resolve, 50));
    child.stdin!.write(`${second}\n`);
    assert.equal((await hear()).id, 2);
  });

  test('--tools', async (t) => {
    const { say, hear } = start(t, ['--tools', 'cwe_lookup,kev-detail']);
    say(initialize('2025-11-25'));
    await hear();
    say({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const names = (await hear()).result.tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['kev_detail', 'cwe_lookup']);
    const wrong = start(t, ['--tools', 'cve,zanzibar']);
    const [status] = await once(wrong.child, 'exit');
    assert.equal(status, 2);
    assert.match(wrong.errors(), /"zanzibar" is neither an area nor a tool\. Areas: cve/);
    assert.deepEqual(wrong.lines, []);
  });

  test('ends when nobody reads its output any more', async (t) => {
    const { child, say, hear } = start(t);
    say(initialize('2025-11-25'));
    await hear();
    child.stdout!.destroy();
    say({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const [status] = await once(child, 'exit');
    assert.equal(status, 0);
  });
});

test('no file of src/mcp writes to standard output', () => {
  for (const file of readdirSync(join(SRC, 'mcp'), { recursive: true }) as string[]) {
    if (!file.endsWith('.ts')) continue;
    assert.doesNotMatch(readFileSync(join(SRC, 'mcp', file), 'utf8'), /console\.|process\.(stdout|stderr)/, file);
  }
});
