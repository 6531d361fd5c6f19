import { isJsonObject } from '../../bounded-json.ts';
import { parse } from 'smol-toml';
import {
  commitFromUrl,
  DocumentError,
  mergeDuplicates,
  objectEntries,
  type JsonObject,
  parseJsonObject,
  type LockedPackage,
  objectList,
  createLockedPackage,
  type ReportGap,
  findReachable,
  stringOrEmpty,
} from './locked-package.ts';

/** `poetry.lock`. */
export function readPoetryLock(text: string): LockedPackage[] {
  return mergeDuplicates(
    objectList(parseTomlObject(text)['package']).map((entry) => {
      const source = isJsonObject(entry['source']) ? entry['source'] : {};
      return createLockedPackage({
        name: stringOrEmpty(entry['name']),
        version: stringOrEmpty(entry['version']),
        ecosystem: 'PyPI',
        commit: stringOrEmpty(source['resolved_reference']) || null,
        ...poetryGroups(entry),
      });
    }),
  );
}

/** Every group but `main` is of development: what users may choose are extras. */
function poetryGroups({ groups, category, optional }: JsonObject): Pick<LockedPackage, 'groups' | 'dev'> {
  const named = Array.isArray(groups) ? groups.map(stringOrEmpty) : [stringOrEmpty(category) || 'main'];
  const dev = !named.includes('main');
  return { groups: [...(dev ? named : []), ...(optional === true ? ['optional'] : [])], dev };
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
  return mergeDuplicates([...section('default', []), ...section('develop', ['dev'])]);
}

/** `pdm.lock`. */
export function readPdmLock(text: string): LockedPackage[] {
  return mergeDuplicates(
    objectList(parseTomlObject(text)['package']).map((entry) => {
      const groups = Array.isArray(entry['groups']) ? entry['groups'].map(stringOrEmpty) : [];
      return createLockedPackage({
        name: stringOrEmpty(entry['name']),
        version: stringOrEmpty(entry['version']),
        ecosystem: 'PyPI',
        commit: stringOrEmpty(entry['revision']) || null,
        dev: groups.length > 0 && groups.every((group) => DEV_GROUP_PATTERN.test(group)),
      });
    }),
  );
}

const DEV_GROUP_PATTERN = /^(?:dev|test|tests|lint|doc|docs)$/;

/** `pylock.toml` (PEP 751). */
export function readPylock(text: string): LockedPackage[] {
  return mergeDuplicates(
    objectList(parseTomlObject(text)['packages']).map((entry) => {
      const vcs = isJsonObject(entry['vcs']) ? entry['vcs'] : {};
      const version = stringOrEmpty(entry['version']);
      return createLockedPackage({
        name: stringOrEmpty(entry['name']),
        version,
        ecosystem: 'PyPI',
        commit: stringOrEmpty(vcs['commit-id']) || null,
      });
    }),
  );
}

/**
 * `uv.lock`, without the projects of the workspace itself. What only their dependency groups need is for development: the file
 * says about every package what it depends on.
 */
export function readUvLock(text: string): LockedPackage[] {
  const entries = objectList(parseTomlObject(text)['package']);
  const isOwn = (entry: JsonObject): boolean => {
    const source = isJsonObject(entry['source']) ? entry['source'] : {};
    return ['virtual', 'editable', 'directory'].some((kind) => source[kind] !== undefined);
  };
  const next = new Map<string, string[]>();
  for (const entry of entries) {
    const extras = isJsonObject(entry['optional-dependencies']) ? Object.values(entry['optional-dependencies']) : [];
    const names = [entry['dependencies'], ...extras].flatMap(objectList).map(({ name }) => stringOrEmpty(name));
    next.set(stringOrEmpty(entry['name']), [...(next.get(stringOrEmpty(entry['name'])) ?? []), ...names]);
  }
  const own = entries.filter(isOwn).map(({ name }) => stringOrEmpty(name));
  const needed = findReachable(own, (name) => next.get(name) ?? []);
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
          dev: own.length > 0 && !needed.has(stringOrEmpty(entry['name'])),
        });
      }),
  );
}

/** A TOML document; `DocumentError` for anything else. */
export function parseTomlObject(text: string): JsonObject {
  try {
    return parse(text);
  } catch (error) {
    throw new DocumentError(`it is no TOML: ${(error as Error).message.split('\n', 1)[0]!.slice(0, 120)}`);
  }
}
