import { isJsonObject } from '../../bounded-json.ts';
import { createNamedGraph, createOriginLookup } from './dependency-graph.ts';
import {
  createLockedPackage,
  fieldNames,
  type JsonObject,
  type LockedPackage,
  mergeDuplicates,
  objectList,
  parseJsonObject,
  stringOrEmpty,
} from './locked-package.ts';
import { parseManifest } from './package-json.ts';

/** `composer.lock`; `manifest` is the composer.json beside it, which says what is direct. */
export function readComposerLock(text: string, manifest: string | undefined): LockedPackage[] {
  const root = parseJsonObject(text);
  const entries = [
    ...objectList(root['packages']).map((entry) => ({ entry, groups: [] })),
    ...objectList(root['packages-dev']).map((entry) => ({ entry, groups: ['dev'] })),
  ];
  const graph = createNamedGraph(
    entries.map(({ entry }, index) => ({
      key: String(index),
      name: stringOrEmpty(entry['name']).toLowerCase(),
      otherNames: [...packageNames(entry['replace']), ...packageNames(entry['provide'])],
      needs: packageNames(entry['require']),
    })),
    askedIn(parseManifest(manifest)),
  );
  const originOf = createOriginLookup(graph);
  return mergeDuplicates(
    entries.map(({ entry, groups }, index) => {
      const { broughtBy } = originOf(String(index));
      return createLockedPackage({
        name: stringOrEmpty(entry['name']),
        version: stringOrEmpty(entry['version']),
        ecosystem: 'Packagist',
        commit: isJsonObject(entry['source']) ? commitHashOrNull(entry['source']['reference']) : null,
        groups,
        ...(broughtBy !== undefined && { broughtBy }),
      });
    }),
  );
}

function askedIn(manifest: JsonObject | null): { name: string }[] | null {
  if (manifest === null) return null;
  return [...packageNames(manifest['require']), ...packageNames(manifest['require-dev'])].map((name) => ({ name }));
}

/** Names without a vendor (`php`, `ext-json`) are of the platform. */
function packageNames(requirements: unknown): string[] {
  return fieldNames(requirements)
    .filter((name) => name.includes('/'))
    .map((name) => name.toLowerCase());
}

/** A tag or a branch may be given instead of a commit. */
function commitHashOrNull(reference: unknown): string | null {
  return /^[0-9a-f]{40}$/.exec(stringOrEmpty(reference))?.[0] ?? null;
}
