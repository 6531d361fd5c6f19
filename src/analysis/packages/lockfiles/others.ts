import { xmlDocument } from '../xml.ts';
import {
  commitIn,
  DocumentFault,
  distinct,
  entriesOf,
  isFields,
  jsonObject,
  type LockedPackage,
  listOf,
  locked,
  textOf,
} from './locked-package.ts';
import { yamlObject } from './pnpm.ts';
import { tomlObject } from './python.ts';

/** `Cargo.lock`. */
export function readCargoLock(text: string): LockedPackage[] {
  return distinct(
    listOf(tomlObject(text)['package']).map((entry) =>
      locked({
        name: textOf(entry['name']),
        version: textOf(entry['version']),
        ecosystem: 'crates.io',
        commit: commitIn(textOf(entry['source'])),
      }),
    ),
  );
}

/** `composer.lock`. */
export function readComposerLock(text: string): LockedPackage[] {
  const root = jsonObject(text);
  const section = (name: string, groups: string[]): LockedPackage[] =>
    listOf(root[name]).map((entry) =>
      locked({
        name: textOf(entry['name']),
        version: textOf(entry['version']),
        ecosystem: 'Packagist',
        commit: isFields(entry['source']) ? hashOnly(entry['source']['reference']) : null,
        groups,
      }),
    );
  return distinct([...section('packages', []), ...section('packages-dev', ['dev'])]);
}

/** A tag or a branch may stand in the place of a commit. */
function hashOnly(reference: unknown): string | null {
  return /^[0-9a-f]{40}$/.exec(textOf(reference))?.[0] ?? null;
}

/** NuGet's `packages.lock.json`: by framework; the projects of the solution itself are left out. */
export function readNugetLock(text: string): LockedPackage[] {
  const frameworks = jsonObject(text)['dependencies'];
  return distinct(
    entriesOf(frameworks).flatMap(([, packages]) =>
      entriesOf(packages).flatMap(([name, entry]) =>
        /^project$/i.test(textOf(entry['type']))
          ? []
          : [locked({ name, version: textOf(entry['resolved']), ecosystem: 'NuGet' })],
      ),
    ),
  );
}

/** NuGet's `packages.config`. */
export function readPackagesConfig(text: string): LockedPackage[] {
  const root = xmlDocument(text).find(({ name }) => name === 'packages');
  if (root === undefined) throw new DocumentFault('it is no packages.config: there is no <packages>');
  return distinct(
    root.children
      .filter(({ name }) => name === 'package')
      .map(({ attributes }) =>
        locked({
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
  return distinct(
    entriesOf(yamlObject(text)['packages']).flatMap(([key, entry]) => {
      if (['sdk', 'path'].includes(textOf(entry['source']))) return [];
      const description = isFields(entry['description']) ? entry['description'] : {};
      return [
        locked({
          name: textOf(description['name']) || key,
          version: textOf(entry['version']),
          ecosystem: 'Pub',
          commit: textOf(description['resolved-ref']) || null,
          groups: entry['dependency'] === 'direct dev' ? ['dev'] : [],
        }),
      ];
    }),
  );
}

/** Elixir's `mix.lock`: packages of Hex, and of repositories, of which the commit is known alone. */
export function readMixLock(text: string): LockedPackage[] {
  if (!/%\{/.test(text)) throw new DocumentFault('it is no mix.lock');
  return distinct(
    text.split(/\r?\n/).flatMap((content, index) => {
      const line = index + 1;
      const [, name, hexName, version] = /^\s*"([\w.-]+)":\s*\{:hex,\s*:"?([\w.-]+)"?,\s*"([^"]+)"/.exec(content) ?? [];
      if (name !== undefined) return [locked({ name: hexName!, version: version!, ecosystem: 'Hex', line })];
      const [, own, commit] = /^\s*"([\w.-]+)":\s*\{:git,\s*"[^"]*",\s*"([0-9a-f]{40})"/.exec(content) ?? [];
      return own === undefined ? [] : [locked({ name: own, ecosystem: 'Hex', commit: commit!, line })];
    }),
  );
}

/** `gradle.lockfile`; lines of another form are passed over. */
export function readGradleLock(text: string): LockedPackage[] {
  return distinct(
    text.split(/\r?\n/).flatMap((line, index) => {
      const [, group, artifact, version, configurations] =
        /^\s*([^\s#:=]+):([^\s:=]+):([^\s:=]+)=(\S*)/.exec(line) ?? [];
      if (group === undefined) return [];
      const dev = configurations!.split(',').every((configuration) => /^test[A-Z]/.test(configuration));
      return [locked({ name: `${group}:${artifact}`, version: version!, ecosystem: 'Maven', dev, line: index + 1 })];
    }),
  );
}

/** `Gemfile.lock`: the specs of its sources. What follows a hyphen in a version is the platform that it was built for. */
export function readGemfileLock(text: string): LockedPackage[] {
  const found: LockedPackage[] = [];
  let commit: string | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\S/.test(line)) commit = null;
    const [, revision] = /^ {2}revision: ([0-9a-f]{7,64})$/.exec(line) ?? [];
    if (revision !== undefined) commit = revision;
    const [, name, version] = /^ {4}(\S+) \(([^)]+)\)$/.exec(line) ?? [];
    if (name === undefined) continue;
    found.push(locked({ name, version: version!.split('-', 1)[0]!, ecosystem: 'RubyGems', commit, line: index + 1 }));
  }
  return distinct(found);
}
