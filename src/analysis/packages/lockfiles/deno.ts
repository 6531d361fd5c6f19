import { isJsonObject } from '../../bounded-json.ts';
import {
  createOriginLookup,
  type DependencyEdge,
  type DependencyGraph,
  edgesTo,
  meantKeys,
} from './dependency-graph.ts';
import {
  fieldNames,
  mergeDuplicates,
  objectEntries,
  type JsonObject,
  parseJsonObject,
  type LockedPackage,
  createLockedPackage,
  stringList,
  stringOrEmpty,
} from './locked-package.ts';

const SPECIFIER_NAME = /^(?:npm|jsr):(?:@[^@/]+\/)?[^@/]+/;

/** The parts of a `deno.lock`, wherever its version has them. A key is `npm:` or `jsr:` and the key of the package. */
interface DenoLock {
  packages: Map<string, JsonObject>;
  /** What was asked for (`npm:chalk@5`), and the key that it became. */
  specifiers: Map<string, string>;
  /** Specifiers that the project and the members of its workspace list. */
  listed: string[];
  modules: string[];
}

/** `deno.lock`, versions 2 to 5: its npm packages. Those of JSR and modules by address have no advisories here. */
export function readDenoLock(text: string): LockedPackage[] {
  const lock = parseDenoLock(parseJsonObject(text));
  const originOf = createOriginLookup(createGraph(lock));
  return mergeDuplicates([
    ...[...lock.packages.keys()].flatMap((key) => {
      const named = parseKey(key);
      if (named === null) return [];
      const registry = key.startsWith('npm:')
        ? { ecosystem: 'npm' }
        : { ecosystem: null, problem: 'packages of JSR cannot be checked here' };
      return [createLockedPackage({ ...named, ...registry, ...originOf(key) })];
    }),
    ...lock.modules.map((name) =>
      createLockedPackage({ name, ecosystem: null, problem: 'modules by address cannot be checked here' }),
    ),
  ]);
}

/** Version 2 has `npm.packages`, version 3 `packages.npm`, later ones `npm`. */
function parseDenoLock(root: JsonObject): DenoLock {
  const outer = isJsonObject(root['packages']) ? root['packages'] : root;
  const npm = isJsonObject(outer['npm']) ? outer['npm'] : {};
  const isVersion2 = isJsonObject(npm['packages']);
  const packages = [
    ...objectEntries(isVersion2 ? npm['packages'] : npm).map(([key, entry]) => [`npm:${key}`, entry] as const),
    ...objectEntries(outer['jsr']).map(([key, entry]) => [key.startsWith('jsr:') ? key : `jsr:${key}`, entry] as const),
  ];
  const specifiers = isVersion2 ? npm['specifiers'] : outer['specifiers'];
  return {
    packages: new Map(packages),
    specifiers: new Map(
      fieldNames(specifiers).map((name) => {
        const specifier = isVersion2 ? `npm:${name}` : name;
        const to = stringOrEmpty((specifiers as JsonObject)[name]);
        if (isVersion2 || /^(?:npm|jsr):/.test(to)) return [specifier, isVersion2 ? `npm:${to}` : to];
        // From version 4 on the version alone, with its peers.
        return [specifier, `${SPECIFIER_NAME.exec(specifier)?.[0] ?? ''}@${to}`];
      }),
    ),
    listed: listedSpecifiers(root['workspace']),
    modules: fieldNames(root['remote']),
  };
}

function listedSpecifiers(workspace: unknown): string[] {
  const root = isJsonObject(workspace) ? workspace : {};
  const members = [root, ...objectEntries(root['members']).map(([, member]) => member)];
  return members
    .flatMap((member) => [member, isJsonObject(member['packageJson']) ? member['packageJson'] : {}])
    .flatMap(({ dependencies }) => stringList(dependencies));
}

/** What follows `_` are the peers that it was resolved with. */
function parseKey(key: string): { name: string; version: string } | null {
  const [, name, version] = /^(?:npm|jsr):((?:@[^@/]+\/)?[^@/]+)@(\d[^_]*)/.exec(key) ?? [];
  return name === undefined ? null : { name, version: version! };
}

/**
 * Direct is what the project lists, and what was asked for and no package of JSR asks for: what packages of npm need is not among the
 * specifiers.
 */
function createGraph({ packages, specifiers, listed }: DenoLock): DependencyGraph {
  const keysByName = Map.groupBy(packages.keys(), (key) => key.slice(0, key.indexOf('@', key.indexOf(':') + 2)));
  /** Of `name`, where there is one version alone, `name@version`, or `alias@npm:name@version`. */
  const findNpm = (text: string): readonly string[] => {
    const key = `npm:${text.replace(/^.[^@]*@npm:/, '')}`;
    return packages.has(key) ? [key] : meantKeys(keysByName.get(key));
  };
  const specifiersByName = Map.groupBy(specifiers.keys(), (text) => SPECIFIER_NAME.exec(text)?.[0] ?? '');
  const specifiersOf = (text: string): readonly string[] =>
    specifiers.has(text) ? [text] : (specifiersByName.get(text) ?? []);
  const asked = new Set(
    [...packages].flatMap(([key, entry]) =>
      key.startsWith('jsr:') ? stringList(entry['dependencies']).flatMap(specifiersOf) : [],
    ),
  );
  for (const specifier of listed.flatMap(specifiersOf)) asked.delete(specifier);
  return {
    direct: [...specifiers].flatMap(([specifier, to]) => (asked.has(specifier) ? [] : [{ to }])),
    next: (key): DependencyEdge[] => {
      const entry = packages.get(key) ?? {};
      if (key.startsWith('jsr:')) {
        return stringList(entry['dependencies']).flatMap((text) =>
          edgesTo(specifiersOf(text).map((specifier) => specifiers.get(specifier)!)),
        );
      }
      return [
        ...npmNames(entry['dependencies']).flatMap((name) => edgesTo(findNpm(name))),
        ...npmNames(entry['optionalDependencies']).flatMap((name) => edgesTo(findNpm(name), 'optional')),
      ];
    },
    nameOf: (key) => parseKey(key)?.name ?? key,
  };
}

/** A list, or in old versions an object whose values are keys. */
function npmNames(value: unknown): string[] {
  return Array.isArray(value) ? stringList(value) : Object.values(isJsonObject(value) ? value : {}).map(stringOrEmpty);
}
