import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createTools } from '../../src/mcp/tools.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { temporaryFolder } from '../cli/command-line.ts';
import { startService } from '../support/service.ts';

/** The snippets of docs/mcp.md, each tried as the client that it is for would: by its command, or at its address with its headers. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const PAGE = readFileSync(`${ROOT}/docs/mcp.md`, 'utf8');
const ADDRESS = 'http://127.0.0.1:8080';
const SELECTED = createTools(OPERATIONS).filter(({ operation }) => ['cve', 'd3fend'].includes(operation.area)).length;

interface Entry {
  type?: string;
  command?: string;
  args?: string[];
  url?: string;
  headers?: Record<string, string>;
}

const service = await startService({ after }, { quota: { keyless: 100, pro: 100 } });
const base = await service.listen();

describe('the snippets of docs/mcp.md', () => {
  const snippets = [...PAGE.matchAll(/^### (.+?)$|```json\n(.*?)```/gms)];
  let client = '';
  let tried = 0;
  for (const [, heading, json] of snippets) {
    if (heading !== undefined) client = heading;
    if (json === undefined) continue;
    const isVsCode = client === 'VS Code';
    const config = JSON.parse(json) as Record<string, Record<string, Entry>>;
    const key = isVsCode ? 'servers' : 'mcpServers';
    const [[name, entry] = []] = Object.entries(config[key] ?? {});
    tried++;
    test(`${client}: ${entry?.url ?? entry?.command}`, async () => {
      assert.equal(name, 'sextant');
      if (isVsCode) assert.equal(entry!.type, entry!.url === undefined ? 'stdio' : 'http');
      assert.equal(await toolCount(entry!), createTools(OPERATIONS).length);
    });
  }

  test('are one for each client at least', () => {
    assert.deepEqual(
      snippets.map(([, heading]) => heading).filter((heading) => heading !== undefined),
      ['Claude Desktop', 'Claude Code', 'Cursor', 'VS Code'],
    );
    assert.ok(tried >= 6);
  });

  for (const [line] of PAGE.matchAll(/^claude mcp add .*$/gm)) {
    test(line, async () => assert.equal(await toolCount(entryOfCommand(line)), createTools(OPERATIONS).length));
  }

  test('the selection on the command line and in the address', async () => {
    const [words] = /^npm run -s sextant -- mcp --tools \S+$/m.exec(PAGE)!;
    const [command = '', ...args] = words.split(' ');
    assert.equal(await toolCount({ command, args: ['--prefix', '/path/to/sextant', ...args] }), SELECTED);
    const [url] = /http:\/\/127\.0\.0\.1:8080\/mcp\?tools=cve,d3fend/.exec(PAGE)!;
    assert.equal(await toolCount({ url }), SELECTED);
  });
});

/** As `claude mcp add` reads its words. */
function entryOfCommand(line: string): Entry {
  const [before = '', command] = line.split(' -- npm ');
  if (command !== undefined) return { command: 'npm', args: command.split(' ') };
  const [, header, value] = /--header "([^:]+): (.+)"/.exec(before) ?? [];
  const url = /(https?:\/\/\S+)/.exec(before)![1]!;
  return { url, ...(header === undefined ? {} : { headers: { [header]: value! } }) };
}

async function toolCount({ command, args = [], url, headers = {} }: Entry): Promise<number> {
  const client = new Client({ name: 'docs', version: '1.0.0' });
  if (url === undefined) {
    const here = args.map((word) => word.replace('/path/to/sextant', ROOT));
    const env = { ...(process.env as Record<string, string>), SEXTANT_DATA_DIR: temporaryFolder() };
    await client.connect(new StdioClientTransport({ command: command!, args: here, env, stderr: 'ignore' }));
  } else {
    const { authorization } = await service.proHeaders();
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value === 'Bearer sxt_...' ? authorization! : value]),
    );
    const address = url.replace(ADDRESS, base).replace('https://sextant.example.com', base);
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers: sent } }));
    const { isError } = await client.callTool({ name: 'cve_lookup', arguments: { cve_id: 'CVE-2021-44228' } });
    assert.notEqual(isError, true);
  }
  const { tools } = await client.listTools();
  await client.close();
  return tools.length;
}
