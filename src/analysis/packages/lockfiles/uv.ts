import { isJsonObject } from '../../bounded-json.ts';
import type { DependencyScope } from '../dependency-scope.ts';
import { createOriginLookup, type DependencyEdge, type DependencyGraph, edgesTo } from './dependency-graph.ts';
import {
  commitFromUrl,
  mergeDuplicates,
  type JsonObject,
  type LockedPackage,
  objectList,
  createLockedPackage,
  stringList,
  stringOrEmpty,
} from './locked-package.ts';
import { parseTomlObject } from './toml.ts';

/**
 * `uv.lock`, without the projects of the workspace itself. The dependency groups of these are for development, their extras are
 * optional.
 */
export function readUvLock(text: string): LockedPackage[] {
  const root = parseTomlObject(text);
  const entries = objectList(root['package']);
  const originOf = createOriginLookup(createGraph(root, entries));
  return mergeDuplicates(
    entries
      .filter((entry) => !isOwn(entry))
      .map((entry) => {
        const source = isJsonObject(entry['source']) ? entry['source'] : {};
        return createLockedPackage({
          name: stringOrEmpty(entry['name']),
          version: stringOrEmpty(entry['version']),
          ecosystem: 'PyPI',
          commit: commitFromUrl(stringOrEmpty(source['git'])),
          ...originOf(keyOf(entry)),
        });
      }),
  );
}

/** Of one name: more are in no real file. */
const MAX_VERSIONS = 50;

function isOwn({ source }: JsonObject): boolean {
  return isJsonObject(source) && ['virtual', 'editable', 'directory'].some((kind) => source[kind] !== undefined);
}

function keyOf({ name, version }: JsonObject, extra = ''): string {
  return JSON.stringify([name, version ?? '', extra]);
}

/** A package, and each of its extras, which needs what the extra adds. */
function createGraph(root: JsonObject, entries: readonly JsonObject[]): DependencyGraph {
  const byName = Map.groupBy(entries, ({ name }) => stringOrEmpty(name));
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  const edgesOf = (dependencies: unknown, scope?: DependencyScope): DependencyEdge[] =>
    objectList(dependencies).flatMap(({ name, version, extra }) => {
      // Where several versions are locked, the file says which one is meant.
      const one = version === undefined ? undefined : byKey.get(keyOf({ name, version }));
      const meant = one === undefined ? (byName.get(stringOrEmpty(name)) ?? []).slice(0, MAX_VERSIONS) : [one];
      const keys = meant.filter((entry) => !isOwn(entry));
      return ['', ...stringList(extra)].flatMap((one) =>
        edgesTo(
          keys.map((entry) => keyOf(entry, one)),
          scope,
        ),
      );
    });
  const listsOf = (lists: unknown): [string, unknown][] => Object.entries(isJsonObject(lists) ? lists : {});
  const next = new Map<string, DependencyEdge[]>();
  for (const entry of entries) {
    next.set(keyOf(entry), edgesOf(entry['dependencies']));
    for (const [extra, list] of listsOf(entry['optional-dependencies'])) next.set(keyOf(entry, extra), edgesOf(list));
  }
  const manifest = isJsonObject(root['manifest']) ? root['manifest'] : {};
  const direct = entries
    .filter(isOwn)
    .flatMap((entry) => [
      ...edgesOf(entry['dependencies']),
      ...listsOf(entry['optional-dependencies']).flatMap(([, list]) => edgesOf(list, 'optional')),
      ...listsOf(entry['dev-dependencies']).flatMap(([, list]) => edgesOf(list, 'dev')),
    ]);
  return {
    direct: [
      ...direct,
      // Of a script, and of a workspace that is no package itself.
      ...edgesOf(manifest['requirements']),
      ...listsOf(manifest['dependency-groups']).flatMap(([, list]) => edgesOf(list, 'dev')),
    ],
    next: (key) => next.get(key) ?? [],
    nameOf: (key) => (JSON.parse(key) as [string])[0],
  };
}
