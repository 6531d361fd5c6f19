import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { createTools } from '../../src/mcp/tools.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { SHORT_DESCRIPTION, WITHOUT_A_SHELL } from './manifest.ts';
import { writeZip } from './zip.ts';

/** Where the package is in the bundle: as if npm had installed it, so that its data is in the folder of the user. */
const PACKAGE_FOLDER = 'node_modules/@sextant/cli';
const ENTRY_POINT = `${PACKAGE_FOLDER}/bin/sextant.js`;
/** As `bin/sextant.js` demands: the bundle brings no Node along. */
const NODE_VERSIONS = '>=24.15.0 <25.0.0 || >=26.0.0';

/** `manifest.json` of the bundle (MCPB 0.3). `repository`: its address. */
export function bundleManifest(repository: string | null): object {
  const { version, license } = manifest;
  return {
    manifest_version: '0.3',
    name: 'sextant',
    display_name: 'Sextant',
    version,
    description: SHORT_DESCRIPTION,
    long_description: manifest.description,
    author: { name: 'Sextant contributors', ...(repository !== null && { url: repository }) },
    ...(repository !== null && {
      repository: { type: 'git', url: `${repository}.git` },
      homepage: `${repository}#readme`,
      documentation: `${repository}/blob/v${version}/docs/mcp.md`,
      support: `${repository}/issues`,
    }),
    server: {
      type: 'node',
      entry_point: ENTRY_POINT,
      mcp_config: { command: 'node', args: [`\${__dirname}/${ENTRY_POINT}`, 'mcp'], env: {} },
    },
    tools: createTools(OPERATIONS).map(({ operation: { id, title } }) => ({ name: id, description: title })),
    tools_generated: false,
    prompts_generated: true,
    keywords: ['security', 'cve', 'vulnerability', 'osint'],
    license,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: NODE_VERSIONS } },
  };
}

/** A bundle (`.mcpb`) of a package that `writePackage` wrote. The same package makes the same bytes. */
export async function createBundle(packageFolder: string, repository: string | null): Promise<Buffer> {
  const entries = await readdir(packageFolder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.map(async (file) => {
      const path = relative(packageFolder, file).replaceAll(sep, '/');
      return { path: `${PACKAGE_FOLDER}/${path}`, bytes: await readFile(file), isExecutable: path.startsWith('bin/') };
    }),
  );
  const text = `${JSON.stringify(bundleManifest(repository), null, 2)}\n`;
  return writeZip([
    { path: 'manifest.json', bytes: Buffer.from(text), isExecutable: false },
    ...files.filter(({ path }) => !WITHOUT_A_SHELL.some((folder) => path.startsWith(`${PACKAGE_FOLDER}/${folder}/`))),
  ]);
}
