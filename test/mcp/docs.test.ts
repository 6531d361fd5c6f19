import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PACKAGE_NAME } from '../../scripts/package/manifest.ts';
import { mcpInstallLink } from '../../src/cli/mcp-config.ts';
import { createTools } from '../../src/mcp/tools.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { temporaryFolder } from '../cli/command-line.ts';
import { PROGRAM_FOLDER } from '../support/built-program.ts';
import { startService } from '../support/service.ts';

/** The snippets of docs/mcp.md, each tried as the client that it is for would: by its command, or at its address with its headers. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const PAGE = readFileSync(`${ROOT}/docs/mcp.md`, 'utf8');
const ADDRESS = 'http://127.0.0.1:8080';
const ALL = createTools(OPERATIONS).length;
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
    const config = JSON.parse(json) as Record<string, Record<string, Entry>>;
    const isVsCode = client === 'VS Code';
    const servers = config[isVsCode ? 'servers' : 'mcpServers'];
    if (servers === undefined) continue;
    const [[name, entry] = []] = Object.entries(servers);
    tried++;
    test(`${client}: ${entry?.url ?? entry?.command}`, async () => {
      assert.equal(name, 'sextant');
      if (isVsCode) assert.equal(entry!.type, entry!.url === undefined ? 'stdio' : 'http');
      assert.equal(await toolCount(entry!), ALL);
    });
  }

  test('are one for each client at least', () => {
    assert.deepEqual(
      snippets.map(([, heading]) => heading).filter((heading) => heading !== undefined),
      ['Claude Desktop', 'Claude Code', 'Cursor', 'VS Code'],
    );
    assert.ok(tried >= 5);
  });

  for (const [line] of PAGE.matchAll(/^claude mcp add .*$/gm)) {
    test(line, async () => assert.equal(await toolCount(entryOfCommand(line)), ALL));
  }

  const commands = [...PAGE.matchAll(/`((?:cmd|npm|npx|sextant) [^`]*\bmcp)`/g)].map(([, command]) => command!);
  test('name every way to start it', () => {
    assert.deepEqual(
      commands.map((command) => command.split(' ')[0]),
      ['sextant', 'npx', 'cmd', 'npm'],
    );
    assert.ok(commands[1]!.includes(` ${PACKAGE_NAME} `));
  });
  for (const line of commands) {
    const [command = '', ...args] = line.split(' ');
    test(line, async () => assert.equal(await toolCount({ command, args }), ALL));
  }

  test('the selection on the command line and in the address', async () => {
    const [words] = /^sextant mcp --tools \S+$/m.exec(PAGE)!;
    const [command = '', ...args] = words.split(' ');
    assert.equal(await toolCount({ command, args }), SELECTED);
    const [url] = /http:\/\/127\.0\.0\.1:8080\/mcp\?tools=cve,d3fend/.exec(PAGE)!;
    assert.equal(await toolCount({ url }), SELECTED);
  });
});

describe('the links that add it', () => {
  const npx = { command: 'npx', args: ['-y', PACKAGE_NAME, 'mcp'] };
  const here = { type: 'http' as const, url: `${ADDRESS}/mcp` };
  for (const [document, entries] of [
    ['docs/mcp.md', [npx, here]],
    ['README.md', [here]],
  ] as const)
    test(`of ${document} are those that the program makes`, () => {
      const text = readFileSync(`${ROOT}/${document}`, 'utf8');
      const links = [...text.matchAll(/\]\(((?:cursor|vscode):[^)]*)\)/g)].map(([, link]) => link);
      const made = entries.flatMap((entry) =>
        (['cursor', 'vscode'] as const).map((name) => mcpInstallLink(name, entry)),
      );
      assert.deepEqual(links, made);
    });

  test('say what their clients read from them', () => {
    const cursor = new URL(mcpInstallLink('cursor', npx)!);
    assert.equal(
      `${cursor.protocol}//${cursor.host}${cursor.pathname}`,
      'cursor://anysphere.cursor-deeplink/mcp/install',
    );
    assert.equal(cursor.searchParams.get('name'), 'sextant');
    assert.deepEqual(JSON.parse(Buffer.from(cursor.searchParams.get('config')!, 'base64').toString()), npx);
    const [start, query] = mcpInstallLink('vscode', here)!.split('?');
    assert.equal(start, 'vscode:mcp/install');
    assert.deepEqual(JSON.parse(decodeURIComponent(query!)), { name: 'sextant', ...here });
  });
});

/** As `claude mcp add` reads its words. */
function entryOfCommand(line: string): Entry {
  const [before = '', words] = line.split(' -- ');
  const [command, ...args] = words?.split(' ') ?? [];
  if (command !== undefined) return { command, args };
  const [, header, value] = /--header "([^:]+): (.+)"/.exec(before) ?? [];
  const url = /(https?:\/\/\S+)/.exec(before)![1]!;
  return { url, ...(header === undefined ? {} : { headers: { [header]: value! } }) };
}

/** The same command, where neither npm nor the search path has the package: the built program is what is installed. */
function installedHere(words: string[]): { command: string; args: string[] } {
  const given = words.join(' ').replace('/path/to/sextant', ROOT);
  const installed = given.replace(
    /^(?:cmd \/c )?(?:npx -y @sextant\/cli|sextant) /,
    `${process.execPath} ${PROGRAM_FOLDER}/bin/sextant.js `,
  );
  const [command = '', ...args] = installed.split(' ');
  return { command, args };
}

async function toolCount({ command, args = [], url, headers = {} }: Entry): Promise<number> {
  const client = new Client({ name: 'docs', version: '1.0.0' });
  if (url === undefined) {
    const env = { ...(process.env as Record<string, string>), SEXTANT_DATA_DIR: temporaryFolder() };
    await client.connect(new StdioClientTransport({ ...installedHere([command!, ...args]), env, stderr: 'ignore' }));
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
