import { isJsonObject } from '../../bounded-json.ts';
import {
  mergeDuplicates,
  objectEntries,
  type JsonObject,
  parseJsonObject,
  type LockedPackage,
  createLockedPackage,
} from './locked-package.ts';

/** `deno.lock`, versions 2 to 5: its npm packages. Those of JSR and modules by address have no advisories here. */
export function readDenoLock(text: string): LockedPackage[] {
  const root = parseJsonObject(text);
  // Version 2 has `npm.packages`, version 3 `packages.npm`, later ones `npm`.
  const outer = isJsonObject(root['packages']) ? root['packages'] : root;
  const npm = isJsonObject(outer['npm']) ? outer['npm'] : {};
  const packages: JsonObject = isJsonObject(npm['packages']) ? npm['packages'] : npm;
  const named = (entries: unknown): { name: string; version: string }[] =>
    objectEntries(entries).flatMap(([key]) => {
      // What follows `_` are the peers that it was resolved with.
      const [, name, version] = /^((?:@[^@/]+\/)?[^@/]+)@(\d[^_]*)/.exec(key) ?? [];
      return name === undefined ? [] : [{ name, version: version! }];
    });
  const modules = Object.keys(isJsonObject(root['remote']) ? root['remote'] : {});
  return mergeDuplicates([
    ...named(packages).map((one) => createLockedPackage({ ...one, ecosystem: 'npm' })),
    ...named(outer['jsr']).map((one) =>
      createLockedPackage({ ...one, ecosystem: null, problem: 'packages of JSR cannot be checked here' }),
    ),
    ...modules.map((name) =>
      createLockedPackage({ name, ecosystem: null, problem: 'modules by address cannot be checked here' }),
    ),
  ]);
}
