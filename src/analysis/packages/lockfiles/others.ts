import {
  commitIn,
  distinct,
  entriesOf,
  isFields,
  jsonObject,
  type LockedPackage,
  listOf,
  locked,
  textOf,
} from './locked-package.ts';
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
        commit: isFields(entry['source']) ? textOf(entry['source']['reference']) || null : null,
        groups,
      }),
    );
  return distinct([...section('packages', []), ...section('packages-dev', ['dev'])]);
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

/** `gradle.lockfile`; lines of another form are passed over. */
export function readGradleLock(text: string): LockedPackage[] {
  return distinct(
    text.split(/\r?\n/).flatMap((line, index) => {
      const [, group, artifact, version] = /^\s*([^\s#:=]+):([^\s:=]+):([^\s:=]+)=/.exec(line) ?? [];
      if (group === undefined) return [];
      return [locked({ name: `${group}:${artifact}`, version: version!, ecosystem: 'Maven', line: index + 1 })];
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
