import manifest from '../../package.json' with { type: 'json' };

/** The name of the client on npm, in the scope of the program. */
export const CLIENT_PACKAGE_NAME = `${manifest.name.split('/')[0]}/client`;

/** The package.json of the client. It needs no other package. `repository`: as in `publishedManifest`. */
export function clientManifest(repository: string | null): object {
  const { version, license } = manifest;
  return {
    name: CLIENT_PACKAGE_NAME,
    version,
    description:
      'Typed client of Sextant, security intelligence over REST. For Node, browsers, Deno and Bun; no dependencies.',
    keywords: ['security', 'cve', 'vulnerability', 'epss', 'kev', 'client'],
    license,
    ...(repository !== null && {
      repository: { type: 'git', url: `git+${repository}.git`, directory: 'clients/typescript' },
      homepage: `${repository}/tree/HEAD/clients/typescript#readme`,
    }),
    type: 'module',
    exports: { '.': { types: './types/index.d.ts', default: './index.js' } },
    types: './types/index.d.ts',
    sideEffects: false,
    files: ['index.js', 'types'],
    engines: { node: '>=20' },
    publishConfig: { access: 'public' },
  };
}
