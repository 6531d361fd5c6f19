import { findBroughtBy } from './brought-by.ts';
import { isJsonObject } from '../../bounded-json.ts';
import { parseXml } from '../parse-xml.ts';
import {
  commitFromUrl,
  DocumentError,
  mergeDuplicates,
  objectEntries,
  parseJsonObject,
  type LockedPackage,
  objectList,
  createLockedPackage,
  stringOrEmpty,
} from './locked-package.ts';
import { parseYamlObject } from './pnpm.ts';
import { parseTomlObject } from './python-lockfiles.ts';

/** `Cargo.lock`. What has no source is of the project itself. */
export function readCargoLock(text: string): LockedPackage[] {
  const entries = objectList(parseTomlObject(text)['package']);
  const keys = new Map<string, string>();
  for (const { name, version } of entries) {
    const key = `${stringOrEmpty(name)} ${stringOrEmpty(version)}`;
    keys.set(key, key);
    // A dependency has its version only where several versions are locked.
    keys.set(stringOrEmpty(name), key);
  }
  const next = new Map<string, string[]>();
  const direct = new Map<string, string>();
  for (const { name, version, source, dependencies } of entries) {
    const needed = (Array.isArray(dependencies) ? dependencies : []).flatMap(
      (one) => keys.get(stringOrEmpty(one).split(' ', 2).join(' ')) ?? [],
    );
    next.set(`${stringOrEmpty(name)} ${stringOrEmpty(version)}`, needed);
    if (source === undefined) for (const key of needed) direct.set(key, key.split(' ', 1)[0]!);
  }
  const broughtBy = findBroughtBy(direct, (key) => next.get(key) ?? []);
  const originOf = (key: string) => (broughtBy.has(key) ? { broughtBy: broughtBy.get(key)! } : {});
  return mergeDuplicates(
    entries.map((entry) =>
      createLockedPackage({
        ...originOf(`${stringOrEmpty(entry['name'])} ${stringOrEmpty(entry['version'])}`),
        name: stringOrEmpty(entry['name']),
        version: stringOrEmpty(entry['version']),
        ecosystem: 'crates.io',
        commit: commitFromUrl(stringOrEmpty(entry['source'])),
      }),
    ),
  );
}

/** `composer.lock`. */
export function readComposerLock(text: string): LockedPackage[] {
  const root = parseJsonObject(text);
  const section = (name: string, groups: string[]): LockedPackage[] =>
    objectList(root[name]).map((entry) =>
      createLockedPackage({
        name: stringOrEmpty(entry['name']),
        version: stringOrEmpty(entry['version']),
        ecosystem: 'Packagist',
        commit: isJsonObject(entry['source']) ? commitHashOrNull(entry['source']['reference']) : null,
        groups,
      }),
    );
  return mergeDuplicates([...section('packages', []), ...section('packages-dev', ['dev'])]);
}

/** A tag or a branch may be given instead of a commit. */
function commitHashOrNull(reference: unknown): string | null {
  return /^[0-9a-f]{40}$/.exec(stringOrEmpty(reference))?.[0] ?? null;
}

/** NuGet's `packages.lock.json`: by framework; the projects of the solution itself are left out. */
export function readNugetLock(text: string): LockedPackage[] {
  const frameworks = parseJsonObject(text)['dependencies'];
  return mergeDuplicates(
    objectEntries(frameworks).flatMap(([, packages]) =>
      objectEntries(packages).flatMap(([name, entry]) =>
        /^project$/i.test(stringOrEmpty(entry['type']))
          ? []
          : [createLockedPackage({ name, version: stringOrEmpty(entry['resolved']), ecosystem: 'NuGet' })],
      ),
    ),
  );
}

/** NuGet's `packages.config`. */
export function readPackagesConfig(text: string): LockedPackage[] {
  const root = parseXml(text).find(({ name }) => name === 'packages');
  if (root === undefined) throw new DocumentError('it is no packages.config: there is no <packages>');
  return mergeDuplicates(
    root.elements
      .filter(({ name }) => name === 'package')
      .map(({ attributes }) =>
        createLockedPackage({
          name: attributes['id'] ?? '',
          version: attributes['version'] ?? '',
          ecosystem: 'NuGet',
          dev: attributes['developmentDependency'] === 'true',
        }),
      ),
  );
}

/** Dart's `pubspec.lock`; the SDK and folders of the project are left out. */
export function readPubspecLock(text: string): LockedPackage[] {
  return mergeDuplicates(
    objectEntries(parseYamlObject(text)['packages']).flatMap(([key, entry]) => {
      if (['sdk', 'path'].includes(stringOrEmpty(entry['source']))) return [];
      const description = isJsonObject(entry['description']) ? entry['description'] : {};
      return [
        createLockedPackage({
          name: stringOrEmpty(description['name']) || key,
          version: stringOrEmpty(entry['version']),
          ecosystem: 'Pub',
          commit: stringOrEmpty(description['resolved-ref']) || null,
          groups: entry['dependency'] === 'direct dev' ? ['dev'] : [],
        }),
      ];
    }),
  );
}

/** Elixir's `mix.lock`: packages of Hex, and of repositories, of which the commit is known alone. */
export function readMixLock(text: string): LockedPackage[] {
  if (!/%\{/.test(text)) throw new DocumentError('it is no mix.lock');
  return mergeDuplicates(
    text.split(/\r?\n/).flatMap((content, index) => {
      const line = index + 1;
      const [, name, hexName, version] = /^\s*"([\w.-]+)":\s*\{:hex,\s*:"?([\w.-]+)"?,\s*"([^"]+)"/.exec(content) ?? [];
      if (name !== undefined)
        return [createLockedPackage({ name: hexName!, version: version!, ecosystem: 'Hex', line })];
      const [, own, commit] = /^\s*"([\w.-]+)":\s*\{:git,\s*"[^"]*",\s*"([0-9a-f]{40})"/.exec(content) ?? [];
      return own === undefined ? [] : [createLockedPackage({ name: own, ecosystem: 'Hex', commit: commit!, line })];
    }),
  );
}

/** `gradle.lockfile`; lines of another form are skipped. */
export function readGradleLock(text: string): LockedPackage[] {
  return mergeDuplicates(
    text.split(/\r?\n/).flatMap((line, index) => {
      const [, group, artifact, version, configurations] =
        /^\s*([^\s#:=]+):([^\s:=]+):([^\s:=]+)=(\S*)/.exec(line) ?? [];
      if (group === undefined) return [];
      const dev = configurations!.split(',').every((configuration) => /^test[A-Z]/.test(configuration));
      return [
        createLockedPackage({
          name: `${group}:${artifact}`,
          version: version!,
          ecosystem: 'Maven',
          dev,
          line: index + 1,
        }),
      ];
    }),
  );
}

/** `Gemfile.lock`: the specs of its sources. What follows a hyphen in a version is the platform that it was built for. */
export function readGemfileLock(text: string): LockedPackage[] {
  const found: LockedPackage[] = [];
  const next = new Map<string, string[]>();
  const direct = new Map<string, string>();
  let commit: string | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\S/.test(line)) commit = null;
    const [, revision] = /^ {2}revision: ([0-9a-f]{7,64})$/.exec(line) ?? [];
    if (revision !== undefined) commit = revision;
    // Below a gem, the gems that it needs; at the margin of DEPENDENCIES, those of the project.
    const needed = /^ {6}(\S+)/.exec(line)?.[1];
    if (needed !== undefined) next.get(found.at(-1)?.name ?? '')?.push(needed);
    const wanted = /^ {2}([^\s:!]+)!?(?: \([^)]*\))?!?$/.exec(line)?.[1];
    if (wanted !== undefined) direct.set(wanted, wanted);
    const [, name, version] = /^ {4}(\S+) \(([^)]+)\)$/.exec(line) ?? [];
    if (name === undefined) continue;
    next.set(name, next.get(name) ?? []);
    found.push(
      createLockedPackage({
        name,
        version: version!.split('-', 1)[0]!,
        ecosystem: 'RubyGems',
        commit,
        line: index + 1,
      }),
    );
  }
  const broughtBy = findBroughtBy(direct, (name) => next.get(name) ?? []);
  return mergeDuplicates(
    found.map((one) => (broughtBy.has(one.name) ? { ...one, broughtBy: broughtBy.get(one.name)! } : one)),
  );
}
