import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import type { ToolSetRequest } from '../mcp/tool-set.ts';
import { packageFileUrl } from '../program-files.ts';
import { SETTINGS } from '../settings.ts';
import { loadConfig } from './load-config.ts';
import { MCP_CONFIG_PLACES, type McpClient, type McpLaunch, mcpInstallLink, renderMcpConfig } from './mcp-config.ts';

/**
 * Prints the configuration of a client for this installation. Programs with windows do not have the search path of the shell: command and
 * script are absolute, and started without a shell. Where it goes is said on standard error, so that the output is the file.
 */
export function printMcpConfig(client: McpClient, request: ToolSetRequest): void {
  const config = loadConfig();
  const launch = ownLaunch(request, config);
  const link = mcpInstallLink(client, launch);
  const notes = [
    `For ${MCP_CONFIG_PLACES[client]}:`,
    ...(link === null ? [] : [`or open ${link}`]),
    ...leftOutNote(config),
    ...(/[/\\]_npx[/\\]/.test(launch.args[0]!) ? ['npx may remove this installation: npm install -g keeps one'] : []),
  ];
  process.stderr.write(`${notes.join('\n')}\n`);
  process.stdout.write(`${renderMcpConfig(client, launch)}\n`);
}

function ownLaunch({ tools, mode }: ToolSetRequest, config: Config): McpLaunch {
  return {
    command: process.execPath,
    args: [
      fileURLToPath(packageFileUrl('bin/sextant.js')),
      'mcp',
      ...(tools === '' ? [] : ['--tools', tools]),
      ...(mode === '' ? [] : ['--mode', mode]),
    ],
    ...dataFolderSetting(config),
  };
}

/** The data folder, where the client would not find the same by itself: it is configured here, or relative to this folder. */
function dataFolderSetting({ dataDir, explicitVariables }: Config): Pick<McpLaunch, 'env'> {
  const { variable, default: usual } = SETTINGS.dataDir;
  return !explicitVariables.has(variable) && isAbsolute(usual) ? {} : { env: { [variable]: dataDir } };
}

function leftOutNote({ explicitVariables, sourceUrls }: Config): string[] {
  const names = [
    ...[...explicitVariables].filter((name) => name !== SETTINGS.dataDir.variable),
    ...[...sourceUrls.keys()].map((id) => `SEXTANT_SOURCE_${id.toUpperCase()}_URL`),
  ];
  return names.length === 0 ? [] : [`not in it, but set here: ${names.toSorted().join(', ')}`];
}
