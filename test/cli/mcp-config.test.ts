import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { parse as parseToml } from 'smol-toml';
import { MCP_CLIENTS, type McpClient, type McpLaunch, renderMcpConfig } from '../../src/cli/mcp-config.ts';
import { ended, temporaryFolder } from './command-line.ts';
import { PROGRAM_FOLDER } from '../support/built-program.ts';

const PATIENCE_MS = 60_000;

/** What a client reads from its configuration. */
function entryOf(client: McpClient, text: string): McpLaunch & { type?: string } {
  // biome-ignore lint/suspicious/noExplicitAny: a configuration, whatever it says.
  const config: any = client === 'codex' ? JSON.parse(JSON.stringify(parseToml(text))) : JSON.parse(text);
  const servers = config[{ codex: 'mcp_servers', vscode: 'servers' }[client as string] ?? 'mcpServers'];
  assert.deepEqual(Object.keys(servers), ['sextant']);
  return servers.sextant;
}

async function printed(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [`${PROGRAM_FOLDER}/bin/sextant.js`, 'mcp', '--print-config', ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: temporaryFolder(), ...env },
    cwd: temporaryFolder(),
  });
  return ended(child);
}

/** Starts an entry as a program with windows does: no environment but its own, another folder; and asks for its tools. */
async function toolsOf({ command, args, env = {} }: McpLaunch): Promise<string[]> {
  const child = spawn(command, args, { env, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'], timeout: PATIENCE_MS });
  const lines = createInterface(child.stdout);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'window', version: '1' } };
  for (const message of [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list', params: {} },
  ])
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  try {
    for await (const line of lines) {
      const { id, result } = JSON.parse(line);
      if (id === 2) return result.tools.map(({ name }: { name: string }) => name);
    }
    throw new Error('it ended without an answer');
  } finally {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
  }
}

describe('sextant mcp --print-config', () => {
  for (const client of MCP_CLIENTS)
    test(`${client}: what it prints starts the server without a search path`, async () => {
      const data = temporaryFolder();
      const { stdout, stderr, status } = await printed([client, '--mode', 'compact'], { SEXTANT_DATA_DIR: data });
      assert.equal(status, 0, stderr);
      const entry = entryOf(client, stdout);
      assert.ok(isAbsolute(entry.command) && isAbsolute(entry.args[0]!));
      assert.deepEqual(entry.args.slice(1), ['mcp', '--mode', 'compact']);
      assert.deepEqual(entry.env, { SEXTANT_DATA_DIR: data });
      assert.equal(entry.type, client === 'vscode' || client === 'claude-code' ? 'stdio' : undefined);
      assert.deepEqual(await toolsOf(entry), ['find_tools', 'describe_tool', 'call_tool']);
    });

  test('says for which file it is, with which link, and what of the settings here is not in it', async () => {
    const { stdout, stderr } = await printed(['cursor'], { SEXTANT_SHODAN_KEY: 'secret-of-mine' });
    assert.match(stderr, /~\/\.cursor\/mcp\.json/);
    assert.match(stderr, /not in it, but set here: SEXTANT_SHODAN_KEY/);
    assert.doesNotMatch(stdout + stderr, /secret-of-mine/);
    const config = new URL(/cursor:\/\/\S+/.exec(stderr)![0]).searchParams.get('config')!;
    const entry = JSON.parse(Buffer.from(config, 'base64').toString());
    assert.deepEqual(entry, entryOf('cursor', stdout));
  });

  test('without a client it is for Claude Desktop; an unknown one is refused', async () => {
    assert.ok(entryOf('claude', (await printed([])).stdout).command !== '');
    const { status, stderr } = await printed(['notepad']);
    assert.equal(status, 2);
    assert.match(stderr, /claude, claude-code, cursor, vscode, codex/);
  });
});

test('paths of Windows are what they were, in every form', () => {
  const launch = {
    command: 'C:\\Program Files\\nodejs\\node.exe',
    args: ['C:\\Users\\Ann "A" \u00c9\\npm\\node_modules\\@sextant\\cli\\bin\\sextant.js', 'mcp'],
    env: { SEXTANT_DATA_DIR: 'D:\\new\\table' },
  };
  for (const client of MCP_CLIENTS) {
    const { type: _, ...entry } = entryOf(client, renderMcpConfig(client, launch));
    assert.deepEqual(entry, launch);
  }
});
