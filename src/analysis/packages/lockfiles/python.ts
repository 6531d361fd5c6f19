import { parse } from 'smol-toml';
import {
  commitIn,
  DocumentFault,
  distinct,
  entriesOf,
  type Fields,
  isFields,
  jsonObject,
  type LockedPackage,
  listOf,
  locked,
  type Note,
  reachable,
  textOf,
} from './locked-package.ts';

/** `poetry.lock`. */
export function readPoetryLock(text: string): LockedPackage[] {
  return distinct(
    listOf(tomlObject(text)['package']).map((entry) => {
      const source = isFields(entry['source']) ? entry['source'] : {};
      return locked({
        name: textOf(entry['name']),
        version: textOf(entry['version']),
        ecosystem: 'PyPI',
        commit: textOf(source['resolved_reference']) || null,
        ...poetryGroups(entry),
      });
    }),
  );
}

/** Every group but `main` is of development: what users may choose are extras. */
function poetryGroups({ groups, category, optional }: Fields): Pick<LockedPackage, 'groups' | 'dev'> {
  const named = Array.isArray(groups) ? groups.map(textOf) : [textOf(category) || 'main'];
  const dev = !named.includes('main');
  return { groups: [...(dev ? named : []), ...(optional === true ? ['optional'] : [])], dev };
}

/** `Pipfile.lock`. What comes from a folder or an archive has no version there, and is noted. */
export function readPipfileLock(text: string, note: Note): LockedPackage[] {
  const root = jsonObject(text);
  const section = (name: string, groups: string[]): LockedPackage[] =>
    entriesOf(root[name]).flatMap(([name, entry]) => {
      const version = textOf(entry['version']);
      const commit = textOf(entry['ref']) || null;
      if (version === '' && commit === null) {
        note(`${name.slice(0, 80)} has no version in the file`);
        return [];
      }
      const exact = /^={2,3}([^*,]+)$/.exec(version)?.[1] ?? '';
      const range = exact === '' && version !== '' ? { range: version } : {};
      return [locked({ name, version: exact, ...range, ecosystem: 'PyPI', commit, groups })];
    });
  return distinct([...section('default', []), ...section('develop', ['dev'])]);
}

/** `pdm.lock`. */
export function readPdmLock(text: string): LockedPackage[] {
  return distinct(
    listOf(tomlObject(text)['package']).map((entry) => {
      const groups = Array.isArray(entry['groups']) ? entry['groups'].map(textOf) : [];
      return locked({
        name: textOf(entry['name']),
        version: textOf(entry['version']),
        ecosystem: 'PyPI',
        commit: textOf(entry['revision']) || null,
        dev: groups.length > 0 && groups.every((group) => DEV_GROUP.test(group)),
      });
    }),
  );
}

const DEV_GROUP = /^(?:dev|test|tests|lint|doc|docs)$/;

/** `pylock.toml` (PEP 751). */
export function readPylock(text: string): LockedPackage[] {
  return distinct(
    listOf(tomlObject(text)['packages']).map((entry) => {
      const vcs = isFields(entry['vcs']) ? entry['vcs'] : {};
      const version = textOf(entry['version']);
      return locked({
        name: textOf(entry['name']),
        version,
        ecosystem: 'PyPI',
        commit: textOf(vcs['commit-id']) || null,
      });
    }),
  );
}

/**
 * `uv.lock`, without the projects of the workspace itself. What only their dependency groups need is for development: the file
 * says of every package what it depends on.
 */
export function readUvLock(text: string): LockedPackage[] {
  const entries = listOf(tomlObject(text)['package']);
  const isOwn = (entry: Fields): boolean => {
    const source = isFields(entry['source']) ? entry['source'] : {};
    return ['virtual', 'editable', 'directory'].some((kind) => source[kind] !== undefined);
  };
  const next = new Map<string, string[]>();
  for (const entry of entries) {
    const extras = isFields(entry['optional-dependencies']) ? Object.values(entry['optional-dependencies']) : [];
    const names = [entry['dependencies'], ...extras].flatMap(listOf).map(({ name }) => textOf(name));
    next.set(textOf(entry['name']), [...(next.get(textOf(entry['name'])) ?? []), ...names]);
  }
  const own = entries.filter(isOwn).map(({ name }) => textOf(name));
  const needed = reachable(own, (name) => next.get(name) ?? []);
  return distinct(
    entries
      .filter((entry) => !isOwn(entry))
      .map((entry) => {
        const source = isFields(entry['source']) ? entry['source'] : {};
        return locked({
          name: textOf(entry['name']),
          version: textOf(entry['version']),
          ecosystem: 'PyPI',
          commit: commitIn(textOf(source['git'])),
          dev: own.length > 0 && !needed.has(textOf(entry['name'])),
        });
      }),
  );
}

/** A TOML document; `DocumentFault` for anything else. */
export function tomlObject(text: string): Fields {
  try {
    return parse(text);
  } catch (error) {
    throw new DocumentFault(`it is no TOML: ${(error as Error).message.split('\n', 1)[0]!.slice(0, 120)}`);
  }
}
