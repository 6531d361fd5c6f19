import manifest from '../../package.json' with { type: 'json' };
import { NODE_ON_LINUX } from './node-on-linux.ts';

/** The name on npm. Without the scope it is a program of others. */
export const PACKAGE_NAME = manifest.name;

/** At most 100 characters, which is the limit of the registry of MCP servers. */
export const SHORT_DESCRIPTION =
  'CVEs, domains, IPs, mail, indicators, code: each answer names its sources, its age and its gaps.';

/** Folders of the package that only a shell uses. */
export const WITHOUT_A_SHELL = ['completions', 'man'];

const GITHUB_REPOSITORY = /^https:\/\/github\.com\/([\w-]+)\/[\w.-]+$/;

/** The name in the registry of MCP servers, whose first part says who may publish it; null: the repository is not at GitHub. */
export function registryName(repository: string): string | null {
  const [, owner] = GITHUB_REPOSITORY.exec(repository) ?? [];
  return owner === undefined ? null : `io.github.${owner}/sextant`;
}

/** Beside package.json, README and licence, which npm always packs. */
export const PACKED_FILES = ['bin', 'completions', 'dist', 'man', 'starter', 'THIRD-PARTY-LICENSES.txt'];

/**
 * The package.json of the published package. It has no dependencies but the Node for those whose own is too old; what the program needs
 * is in the build. `repository`: its address, which npm compares with that of the workflow that publishes.
 */
export function publishedManifest(repository: string | null): object {
  const mcpName = repository === null ? null : registryName(repository);
  const { version, description, license, type, bin, engines } = manifest;
  const onLinux = Object.entries(NODE_ON_LINUX).map(([name, node]) => [name, node.version]);
  return {
    name: PACKAGE_NAME,
    version,
    description,
    keywords: ['security', 'cve', 'vulnerability', 'epss', 'kev', 'sbom', 'mcp', 'osint'],
    license,
    ...(repository !== null && {
      repository: { type: 'git', url: `git+${repository}.git` },
      homepage: `${repository}#readme`,
    }),
    ...(mcpName !== null && { mcpName }),
    type,
    bin,
    man: ['man/sextant.1'],
    files: PACKED_FILES,
    engines,
    optionalDependencies: { ...manifest.optionalDependencies, ...Object.fromEntries(onLinux) },
    publishConfig: { access: 'public' },
  };
}
