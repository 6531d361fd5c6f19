import { type DependencyEdge, findBroughtBy, findReleasedWith } from './dependency-graph.ts';
import { createLockedPackage, type LockedPackage, mergeDuplicates } from './locked-package.ts';

/** `Gemfile.lock`: the specs of its sources. What follows a hyphen in a version is the platform that it was built for. */
export function readGemfileLock(text: string): LockedPackage[] {
  const found: LockedPackage[] = [];
  const needs = new Map<string, DependencyEdge[]>();
  const direct: string[] = [];
  let section = '';
  let commit: string | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\S/.test(line)) {
      section = line.trim();
      commit = null;
    }
    const [, revision] = /^ {2}revision: ([0-9a-f]{7,64})$/.exec(line) ?? [];
    if (revision !== undefined) commit = revision;
    // Below a gem, the gems that it needs; those of the project have a section of their own.
    const [, needed, exact] = /^ {6}([^\s!]+)(?: \(= ([^,)]+)\))?/.exec(line) ?? [];
    const needing = found.at(-1);
    if (needed !== undefined)
      needs
        .get(needing?.name ?? '')
        ?.push({ to: needed, isLockstep: exact !== undefined && exact === needing?.version });
    const wanted = section === 'DEPENDENCIES' ? /^ {2}([^\s!]+)/.exec(line)?.[1] : undefined;
    if (wanted !== undefined) direct.push(wanted);
    const [, name, version] = /^ {4}(\S+) \(([^)]+)\)$/.exec(line) ?? [];
    if (name === undefined) continue;
    needs.set(name, needs.get(name) ?? []);
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
  const graph = {
    direct: direct.map((to) => ({ to })),
    next: (name: string) => needs.get(name) ?? [],
    nameOf: (name: string) => name,
  };
  const broughtBy = findBroughtBy(graph);
  const releasedWith = findReleasedWith(graph);
  return mergeDuplicates(
    found.map((one) => ({
      ...one,
      ...(broughtBy.has(one.name) && { broughtBy: broughtBy.get(one.name)! }),
      ...(releasedWith.has(one.name) && { releasedWith: releasedWith.get(one.name)! }),
    })),
  );
}
