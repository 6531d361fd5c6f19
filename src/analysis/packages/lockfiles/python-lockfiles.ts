import { isJsonObject } from '../../bounded-json.ts';
import type { DependencyScope, DependencyWays } from '../dependency-scope.ts';
import { normalizePythonName } from '../python-name.ts';
import { createNamedGraph, createOriginLookup, type NamedEntry, type PackageOrigin } from './dependency-graph.ts';
import {
  fieldNames,
  mergeDuplicates,
  objectEntries,
  type JsonObject,
  parseJsonObject,
  type LockedPackage,
  objectList,
  createLockedPackage,
  type ReportGap,
  stringList,
  stringOrEmpty,
} from './locked-package.ts';
import { dependenciesOfPyproject, parseRequirementName } from './pyproject.ts';
import { parseTomlObject } from './toml.ts';

/** `poetry.lock`; `manifest` is the pyproject.toml beside it, which says what is direct. */
export function readPoetryLock(text: string, manifest: string | undefined): LockedPackage[] {
  const entries = objectList(parseTomlObject(text)['package']);
  const graph = createNamedGraph(entries.map(poetryEntry), dependenciesOfPyproject(manifest));
  const originOf = createOriginLookup({ ...graph, nameOf: nameIn(entries) });
  return mergeDuplicates(
    entries.map((entry, index) => {
      const source = isJsonObject(entry['source']) ? entry['source'] : {};
      return createLockedPackage({
        name: stringOrEmpty(entry['name']),
        version: stringOrEmpty(entry['version']),
        ecosystem: 'PyPI',
        commit: stringOrEmpty(source['resolved_reference']) || null,
        ...poetryGroups(entry),
        ...withWaysOf(entry, originOf(String(index))),
      });
    }),
  );
}

/** Of the entry with a number: as the file writes it. */
function nameIn(entries: readonly JsonObject[]): (key: string) => string {
  return (key) => stringOrEmpty(entries[Number(key)]?.['name']);
}

/** What is optional there is needed with an extra of the package alone. */
function poetryEntry({ name, dependencies }: JsonObject, index: number): NamedEntry {
  const isOptional = (one: unknown): boolean => isJsonObject(one) && one['optional'] === true;
  const all = Object.entries(isJsonObject(dependencies) ? dependencies : {});
  const [mayNeed, needs] = [true, false].map((wanted) =>
    all.flatMap(([other, how]) =>
      (Array.isArray(how) ? how.every(isOptional) : isOptional(how)) === wanted ? [normalizePythonName(other)] : [],
    ),
  );
  return { key: String(index), name: normalizePythonName(stringOrEmpty(name)), needs: needs!, mayNeed: mayNeed! };
}

/** Every group but `main` is of development: what users may choose are extras. */
function poetryGroups({ groups, category, optional }: JsonObject): Pick<LockedPackage, 'groups' | 'ways'> {
  const named = Array.isArray(groups) ? groups.map(stringOrEmpty) : [stringOrEmpty(category) || 'main'];
  const isDev = !named.includes('main');
  const way: DependencyScope[] = [
    ...(isDev ? ['dev' as const] : []),
    ...(optional === true ? ['optional' as const] : []),
  ];
  return {
    groups: [...(isDev ? named : []), ...(optional === true ? ['optional'] : [])],
    ways: way.length === 0 ? [] : [way],
  };
}

/** Between categories (until 1.5) and groups (from 2.0 on) Poetry marked no package. */
function withWaysOf(entry: JsonObject, origin: PackageOrigin): PackageOrigin {
  const isMarked = Array.isArray(entry['groups']) || entry['category'] !== undefined || entry['optional'] === true;
  return isMarked ? { ...origin, ways: poetryGroups(entry).ways } : origin;
}

/** `Pipfile.lock`. What comes from a folder or an archive has no version there, and is noted. */
export function readPipfileLock(text: string, note: ReportGap): LockedPackage[] {
  const root = parseJsonObject(text);
  const section = (name: string, groups: string[]): LockedPackage[] =>
    objectEntries(root[name]).flatMap(([name, entry]) => {
      const version = stringOrEmpty(entry['version']);
      const commit = stringOrEmpty(entry['ref']) || null;
      if (version === '' && commit === null) {
        note(`${name.slice(0, 80)} has no version in the file`);
        return [];
      }
      const exact = /^={2,3}([^*,]+)$/.exec(version)?.[1] ?? '';
      const range = exact === '' && version !== '' ? { range: version } : {};
      return [createLockedPackage({ name, version: exact, ...range, ecosystem: 'PyPI', commit, groups })];
    });
  // Categories are sections of any name (Pipenv, "Specifying Package Categories").
  const others = fieldNames(root).filter((name) => !['_meta', 'default', 'develop'].includes(name));
  return mergeDuplicates([
    ...section('default', []),
    ...section('develop', ['dev']),
    ...others.flatMap((name) => section(name, [name, 'optional'])),
  ]);
}

/** `pdm.lock`; `manifest` is the pyproject.toml beside it, which says what is direct. */
export function readPdmLock(text: string, manifest: string | undefined): LockedPackage[] {
  const entries = objectList(parseTomlObject(text)['package']);
  const asked = dependenciesOfPyproject(manifest)?.map((one) => ({
    ...one,
    name: nameWithExtras(one.name, one.extras),
  }));
  const graph = createNamedGraph(entries.map(pdmEntry), asked ?? null);
  const originOf = createOriginLookup({ ...graph, nameOf: nameIn(entries) });
  return mergeDuplicates(
    entries.map((entry, index) =>
      createLockedPackage({
        name: stringOrEmpty(entry['name']),
        version: stringOrEmpty(entry['version']),
        ecosystem: 'PyPI',
        commit: stringOrEmpty(entry['revision']) || null,
        ...originOf(String(index)),
        ways: waysOfGroups(
          stringList(entry['groups']).filter((group) => group !== ''),
          'default',
        ),
      }),
    ),
  );
}

/** A package with extras has an entry of its own: `coverage` with `extras = ["toml"]` needs `coverage` and `tomli`. */
function pdmEntry({ name, extras, dependencies }: JsonObject, index: number): NamedEntry {
  return {
    key: String(index),
    name: nameWithExtras(normalizePythonName(stringOrEmpty(name)), stringList(extras).map(normalizePythonName)),
    needs: stringList(dependencies).flatMap((text) => {
      const needed = parseRequirementName(text);
      return needed === null ? [] : [nameWithExtras(needed.name, needed.extras)];
    }),
  };
}

function nameWithExtras(name: string, extras: readonly string[]): string {
  return extras.length === 0 ? name : `${name}[${extras.toSorted().join()}]`;
}

const DEV_GROUP_PATTERN = /^(?:dev|test|tests|lint|doc|docs)$/;

/** Groups beside the main one are of development by their usual names; the others may be extras. */
function waysOfGroups(groups: readonly string[], main: string): DependencyWays {
  if (groups.length === 0 || groups.includes(main)) return [];
  return groups.map((group) => [DEV_GROUP_PATTERN.test(group) ? 'dev' : 'optional']);
}

/** `pylock.toml` (PEP 751). Whether it says what a package needs is up to the tool that wrote it. */
export function readPylock(text: string): LockedPackage[] {
  const root = parseTomlObject(text);
  const entries = objectList(root['packages']);
  const graph = createNamedGraph(
    entries.map(({ name, dependencies }, index) => ({
      key: String(index),
      name: normalizePythonName(stringOrEmpty(name)),
      needs: objectList(dependencies).map((one) => normalizePythonName(stringOrEmpty(one['name']))),
    })),
    null,
  );
  const saysNeeds = entries.some(({ dependencies }) => dependencies !== undefined);
  const originOf = createOriginLookup({ ...graph, direct: saysNeeds ? graph.direct : [], nameOf: nameIn(entries) });
  const installed = new Set(stringList(root['default-groups']));
  return mergeDuplicates(
    entries.map((entry, index) => {
      const vcs = isJsonObject(entry['vcs']) ? entry['vcs'] : {};
      return createLockedPackage({
        name: stringOrEmpty(entry['name']),
        version: stringOrEmpty(entry['version']),
        ecosystem: 'PyPI',
        commit: stringOrEmpty(vcs['commit-id']) || null,
        ...originOf(String(index)),
        ways: waysOfMarker(stringOrEmpty(entry['marker']), installed),
      });
    }),
  );
}

const MARKER_TERM = /^\(?\s*["']([^"']+)["']\s+in\s+(extras|dependency_groups)\s*\)?$/;

/** Of a marker that is nothing but groups and extras, joined by `or`; what depends on the machine is needed. */
function waysOfMarker(marker: string, installed: ReadonlySet<string>): DependencyWays {
  const terms = marker.split(/\sor\s/).map((term) => MARKER_TERM.exec(term.trim()));
  if (!terms.every((term) => term !== null && !installed.has(term[1]!))) return [];
  return [...new Set(terms.map((term) => term![2]!))].map((list) => [list === 'extras' ? 'optional' : 'dev']);
}
