import manifest from '../../package.json' with { type: 'json' };
import { SETTINGS } from '../../src/settings.ts';
import { PACKAGE_NAME, registryName, SHORT_DESCRIPTION } from './manifest.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** Settings that somebody who only uses the tools may want. */
const OFFERED_SETTINGS = [SETTINGS.dataDir, SETTINGS.abusechKey, SETTINGS.abuseipdbKey, SETTINGS.shodanKey];

/** A bundle as the registry names it. */
export interface PublishedBundle {
  fileName: string;
  /** Hexadecimal. */
  sha256: string;
}

/**
 * `server.json` for the registry of MCP servers (schema of 2025-12-11): the package of npm and the bundle over standard input and output,
 * and a service of one's own over Streamable HTTP. Null for a repository that is not at GitHub, which proves who publishes.
 */
export function registryEntry(repository: string, bundle: PublishedBundle): object | null {
  const { version } = manifest;
  const name = registryName(repository);
  if (name === null) return null;
  return {
    $schema: SCHEMA,
    name,
    title: 'Sextant',
    description: SHORT_DESCRIPTION,
    version,
    websiteUrl: `${repository}#readme`,
    repository: { url: repository, source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: PACKAGE_NAME,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        environmentVariables: OFFERED_SETTINGS.map((setting) => ({
          name: setting.variable,
          description: setting.means.replaceAll('`', ''),
          isRequired: false,
          isSecret: 'secret' in setting && setting.secret,
        })),
      },
      {
        registryType: 'mcpb',
        identifier: `${repository}/releases/download/v${version}/${bundle.fileName}`,
        version,
        fileSha256: bundle.sha256,
        transport: { type: 'stdio' },
      },
    ],
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://{host}/mcp',
        variables: {
          host: { description: 'Host of a service that you or your organization run.', isRequired: true },
        },
        headers: [
          {
            name: 'Authorization',
            description: 'A Pro key, if you have one: Bearer sxt_...',
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
  };
}
