import { EventEmitter, once } from 'node:events';
import { PassThrough, type Writable } from 'node:stream';
import { McpService } from '../../src/mcp/service.ts';
import { serveOverStdio } from '../../src/mcp/serve-over-stdio.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import type { CallerAccount } from '../../src/engine/caller-account.ts';
import type { Operation } from '../../src/engine/operation.ts';
import type { TaskStore } from '../../src/mcp/tasks/task-store.ts';
import type { TestService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Message = any;

export interface Wire {
  input: PassThrough;
  /** Writes a line; what is no string goes as JSON. */
  say: (line: unknown) => void;
  /** The next message. */
  hear: () => Promise<Message>;
  /** Resolved when the server has ended the connection. */
  ended: Promise<void>;
}

/** MCP over a pair of streams in this process; `output`: in place of one that is always read. */
export function openWire(
  { services }: Pick<TestService, 'services'>,
  options: {
    operations?: readonly Operation[];
    exchangeMs?: number;
    output?: Writable;
    mode?: string;
    tasks?: TaskStore;
    account?: CallerAccount;
    pollMs?: number;
  } = {},
): Wire {
  const mcp = new McpService(options.operations ?? OPERATIONS, services, options);
  const input = new PassThrough();
  const output = new PassThrough();
  const heard: Message[] = [];
  const arrivals = new EventEmitter();
  let rest = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) heard.push(JSON.parse(line));
    arrivals.emit('heard');
  });
  const ended = serveOverStdio({
    service: mcp,
    toolSet: mcp.toolSets.select({ tools: '', mode: options.mode ?? '' }),
    input,
    output: options.output ?? output,
    ...(options.exchangeMs === undefined ? {} : { responseTimeoutMs: options.exchangeMs }),
    ...(options.account === undefined ? {} : { account: options.account }),
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
    log: { toolCalled: () => {}, internalError: () => {} },
  });
  return {
    input,
    ended,
    say: (line) => void input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    async hear() {
      while (heard.length === 0) await once(arrivals, 'heard');
      return heard.shift();
    },
  };
}

/** The handshake of an old protocol, which has batches. */
export async function shakeHands({ say, hear }: Wire, protocolVersion = '2025-03-26'): Promise<void> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  say({ jsonrpc: '2.0', id: 'handshake', method: 'initialize', params });
  await hear();
  say({ jsonrpc: '2.0', method: 'notifications/initialized' });
}
