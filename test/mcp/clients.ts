import { fileURLToPath } from 'node:url';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { PROGRAM } from '../cli/command-line.ts';
import { parseMarked } from './parse-marked.ts';

/** The public clients, as an agent's program uses them: both SDKs, the second in the old protocol and in the new one. */
export const CLIENTS = ['sdk v1', 'client v2, 2025', 'client v2, 2026'] as const;
export type ClientName = (typeof CLIENTS)[number];

/** Where a client finds the server: an address, or a data folder for a server of its own over stdio. */
export type Server = { url: string } | { dataDir: string; words?: string[]; inLab?: boolean };

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Loose = any;

export interface TestClient {
  version: () => string | undefined;
  listTools: () => Promise<{ name: string; outputSchema: object; inputSchema: object }[]>;
  call: (
    name: string,
    given: Record<string, unknown>,
  ) => Promise<{ content: { type: string; text: string }[]; structuredContent?: Loose; isError?: boolean }>;
  read: (uri: string) => Promise<Loose>;
  prompt: (name: string, given: Record<string, string>) => Promise<string>;
  /** The SDK's own object, for what is not here. */
  raw: Loose;
  close: () => Promise<void>;
}

const IN_LAB = fileURLToPath(new URL('stdio-in-lab.ts', import.meta.url));
const INFO = { name: 'sextant-test', version: '1.0.0' };

export async function connect(name: ClientName, server: Server): Promise<TestClient> {
  const client: Loose = name === 'sdk v1' ? new ClientV1(INFO) : newV2(name);
  await client.connect(transportOf(name, server));
  return {
    version: () => client.getNegotiatedProtocolVersion?.() ?? client.transport?.protocolVersion,
    listTools: async () => (await client.listTools()).tools,
    call: (tool, given) => client.callTool({ name: tool, arguments: given }),
    read: async (uri) => parseMarked((await client.readResource({ uri })).contents[0].text),
    prompt: async (prompt, given) =>
      (await client.getPrompt({ name: prompt, arguments: given })).messages[0].content.text,
    raw: client,
    close: () => client.close(),
  };
}

function newV2(name: ClientName): ClientV2 {
  return new ClientV2(INFO, { versionNegotiation: { mode: name.endsWith('2026') ? 'auto' : 'legacy' } });
}

function transportOf(name: ClientName, server: Server): Loose {
  if ('url' in server) return name === 'sdk v1' ? new HttpV1(new URL(server.url)) : new HttpV2(new URL(server.url));
  const { dataDir, words = [], inLab = false } = server;
  const others = Object.entries(process.env).filter(([name]) => !/^SEXTANT_|^NODE_TEST/.test(name));
  const env = { ...(Object.fromEntries(others) as Record<string, string>), SEXTANT_DATA_DIR: dataDir };
  const child = {
    command: process.execPath,
    args: inLab ? [IN_LAB] : [PROGRAM, 'mcp', ...words],
    env,
    stderr: 'ignore' as const,
  };
  return name === 'sdk v1' ? new StdioV1(child) : new StdioV2(child);
}
