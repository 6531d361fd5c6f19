import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import manifest from '../../package.json' with { type: 'json' };
import { packageLabel } from '../../src/analysis/packages/package-ref.ts';
import { readLockfile } from '../../src/analysis/packages/read-document.ts';
import { PACKAGE_NAME } from './manifest.ts';
import { NODE_ON_LINUX } from './node-on-linux.ts';

const LOCKFILE = new URL('../../package-lock.json', import.meta.url);

/** Package URL of the published package. */
export const PACKAGE_PURL = packageLabel({ name: PACKAGE_NAME, version: manifest.version, ecosystem: 'npm' });

interface LockEntry {
  version: string;
  license?: string;
  integrity?: string;
}

/**
 * What the published package is made of, as CycloneDX 1.6: packages in the build (by their path in the lock file) are required, the Node
 * that npm installs with it is optional. It has no time, because the same source makes the same document.
 */
export function cycloneDxSbom(paths: ReadonlySet<string>): object {
  const text = readFileSync(LOCKFILE, 'utf8');
  const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, LockEntry>> };
  const known = new Set(readLockfile({ text, filename: 'package-lock.json' }).read!.packages.map(packageLabel));
  const toComponent = (path: string, scope: 'required' | 'optional'): Component => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const entry = packages[path];
    const purl = packageLabel({ name, version: entry?.version ?? '', ecosystem: 'npm' });
    if (entry === undefined || !known.has(purl)) throw new Error(`${path} is not in the lock file`);
    return componentOf({ name, purl, scope, entry });
  };
  const components = [
    ...[...paths].map((path) => toComponent(path, 'required')),
    ...Object.keys(manifest.optionalDependencies).map((name) => {
      const entry = NODE_ON_LINUX[name];
      if (entry === undefined) return toComponent(`node_modules/${name}`, 'optional');
      const purl = packageLabel({ name, version: entry.version, ecosystem: 'npm' });
      return componentOf({ name, purl, scope: 'optional', entry });
    }),
  ].toSorted((one, other) => (one.purl < other.purl ? -1 : 1));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: uuidOf(JSON.stringify([PACKAGE_PURL, components])),
    version: 1,
    metadata: {
      tools: { components: [{ type: 'application', name: manifest.name, version: manifest.version }] },
      component: {
        type: 'application',
        'bom-ref': PACKAGE_PURL,
        name: PACKAGE_NAME,
        version: manifest.version,
        description: manifest.description,
        licenses: [{ license: { id: manifest.license } }],
        purl: PACKAGE_PURL,
      },
    },
    components,
    dependencies: [{ ref: PACKAGE_PURL, dependsOn: components.map(({ purl }) => purl) }],
  };
}

interface Component {
  purl: string;
}

interface ComponentParts {
  name: string;
  purl: string;
  scope: 'required' | 'optional';
  entry: LockEntry;
}

function componentOf({ name, purl, scope, entry }: ComponentParts): Component {
  const { version, license, integrity } = entry;
  const hash =
    integrity === undefined ? null : Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope,
    ...(hash !== null && { hashes: [{ alg: 'SHA-512', content: hash }] }),
    ...(license !== undefined && {
      licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
    }),
    purl,
  } as Component;
}

/** A UUID (version 8) made from a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
