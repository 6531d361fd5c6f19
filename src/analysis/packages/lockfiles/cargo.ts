import { createOriginLookup } from './dependency-graph.ts';
import {
  commitFromUrl,
  createLockedPackage,
  type JsonObject,
  type LockedPackage,
  mergeDuplicates,
  objectList,
  stringList,
  stringOrEmpty,
} from './locked-package.ts';
import { parseTomlObject } from './toml.ts';

/** `Cargo.lock`. What has no source is of the project itself. */
export function readCargoLock(text: string): LockedPackage[] {
  const entries = objectList(parseTomlObject(text)['package']);
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  // A dependency has its version only where several versions are locked.
  const keyByName = new Map(entries.map((entry) => [stringOrEmpty(entry['name']), keyOf(entry)]));
  const needsOf = (entry: JsonObject | undefined): { to: string }[] =>
    stringList(entry?.['dependencies']).flatMap((text) => {
      const [name, version] = text.split(' ', 2);
      const to = version === undefined ? keyByName.get(name!) : `${name} ${version}`;
      return to === undefined || !byKey.has(to) ? [] : [{ to }];
    });
  const originOf = createOriginLookup({
    direct: entries.filter(isOwn).flatMap(needsOf),
    next: (key) => needsOf(byKey.get(key)),
    nameOf: (key) => key.split(' ', 1)[0]!,
  });
  return mergeDuplicates(
    entries.map((entry) =>
      createLockedPackage({
        name: stringOrEmpty(entry['name']),
        version: stringOrEmpty(entry['version']),
        ecosystem: 'crates.io',
        commit: commitFromUrl(stringOrEmpty(entry['source'])),
        ...originOf(keyOf(entry)),
      }),
    ),
  );
}

function isOwn({ source }: JsonObject): boolean {
  return source === undefined;
}

function keyOf({ name, version }: JsonObject): string {
  return `${stringOrEmpty(name)} ${stringOrEmpty(version)}`;
}
