/** Clients whose configuration is known. */
export const MCP_CLIENTS = ['claude', 'claude-code', 'cursor', 'vscode', 'codex'] as const;
export type McpClient = (typeof MCP_CLIENTS)[number];

/** How a client starts the server. */
export interface McpLaunch {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** What a client starts or asks: a program, or an address. */
type McpEntry = McpLaunch | { type: 'http'; url: string };

const NAME = 'sextant';

/** Where the configuration of a client is. */
export const MCP_CONFIG_PLACES: Readonly<Record<McpClient, string>> = {
  claude: 'claude_desktop_config.json (Claude Desktop: Settings, Developer, Edit Config)',
  'claude-code': '.mcp.json of a project (Claude Code)',
  cursor: '~/.cursor/mcp.json, or .cursor/mcp.json of a project',
  vscode: '.vscode/mcp.json of a project',
  codex: '~/.codex/config.toml',
};

/** The configuration of a client, as it stands in its file: JSON, for Codex TOML. */
export function renderMcpConfig(client: McpClient, launch: McpLaunch): string {
  if (client === 'codex') return renderToml(launch);
  const config =
    client === 'vscode'
      ? { servers: { [NAME]: withType(launch) } }
      : { mcpServers: { [NAME]: entryOf(client, launch) } };
  return JSON.stringify(config, null, 2);
}

/** The link by which a client adds the server; null: the client has none. */
export function mcpInstallLink(client: McpClient, entry: McpEntry): string | null {
  if (client === 'cursor') {
    const config = 'url' in entry ? { url: entry.url } : entry;
    const encoded = encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'));
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encoded}`;
  }
  if (client !== 'vscode') return null;
  const config = 'url' in entry ? entry : withType(entry);
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, ...config }))}`;
}

function entryOf(client: McpClient, launch: McpLaunch): object {
  return client === 'claude-code' ? withType(launch) : launch;
}

function withType(launch: McpLaunch): object {
  return { type: 'stdio', ...launch };
}

/** Strings of TOML are written as those of JSON are. */
function renderToml({ command, args, env }: McpLaunch): string {
  const variables = Object.entries(env ?? {}).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [
    `[mcp_servers.${NAME}]`,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((word) => JSON.stringify(word)).join(', ')}]`,
    ...(variables.length === 0 ? [] : ['', `[mcp_servers.${NAME}.env]`, ...variables]),
  ].join('\n');
}
