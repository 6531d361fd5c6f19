import {
  distinct,
  entriesOf,
  type Fields,
  isFields,
  jsonObject,
  type LockedPackage,
  locked,
} from './locked-package.ts';

/** `deno.lock`, versions 2 to 5: its npm packages. Those of JSR and modules by address have no advisories here. */
export function readDenoLock(text: string): LockedPackage[] {
  const root = jsonObject(text);
  // Version 2 has `npm.packages`, version 3 `packages.npm`, later ones `npm`.
  const outer = isFields(root['packages']) ? root['packages'] : root;
  const npm = isFields(outer['npm']) ? outer['npm'] : {};
  const packages: Fields = isFields(npm['packages']) ? npm['packages'] : npm;
  const named = (entries: unknown): { name: string; version: string }[] =>
    entriesOf(entries).flatMap(([key]) => {
      // What follows `_` are the peers that it was resolved with.
      const [, name, version] = /^((?:@[^@/]+\/)?[^@/]+)@(\d[^_]*)/.exec(key) ?? [];
      return name === undefined ? [] : [{ name, version: version! }];
    });
  const modules = Object.keys(isFields(root['remote']) ? root['remote'] : {});
  return distinct([
    ...named(packages).map((one) => locked({ ...one, ecosystem: 'npm' })),
    ...named(outer['jsr']).map((one) =>
      locked({ ...one, ecosystem: null, problem: 'packages of JSR cannot be checked here' }),
    ),
    ...modules.map((name) => locked({ name, ecosystem: null, problem: 'modules by address cannot be checked here' })),
  ]);
}
