import { createNamedGraph, createOriginLookup, type NamedEntry } from './dependency-graph.ts';
import { createLockedPackage, DocumentError, type LockedPackage, mergeDuplicates } from './locked-package.ts';

const HEX_ENTRY = /^\s*"([\w.-]+)":\s*\{:hex,\s*:"?([\w.-]+)"?,\s*"([^"]+)"/;
const GIT_ENTRY = /^\s*"([\w.-]+)":\s*\{:git,\s*"[^"]*",\s*"([0-9a-f]{40})"/;
/** `{:plug, "~> 1.14", [hex: :plug, repo: "hexpm", optional: false]}` */
const NEEDED = /\{:"?([\w.-]{1,100})"?, ?"[^"]{0,200}", ?\[([^\]]{0,500})\]\}/g;

/**
 * Elixir's `mix.lock`: packages of Hex, and of repositories, of which the commit is known alone. What is optional for a package is there
 * because something else asks for it.
 */
export function readMixLock(text: string): LockedPackage[] {
  if (!/%\{/.test(text)) throw new DocumentError('it is no mix.lock');
  const entries: NamedEntry[] = [];
  const found = text.split(/\r?\n/).flatMap((content, index): LockedPackage[] => {
    const [, app, hexName, version] = HEX_ENTRY.exec(content) ?? [];
    const [, own, commit] = GIT_ENTRY.exec(content) ?? [];
    const name = app ?? own;
    if (name === undefined) return [];
    const needs = [...content.matchAll(NEEDED)].flatMap(([, needed, options]) =>
      /\boptional:\s*true\b/.test(options!) ? [] : [needed!],
    );
    entries.push({ key: name, name, needs });
    return [
      createLockedPackage({
        name: hexName ?? name,
        version: version ?? '',
        ecosystem: 'Hex',
        commit: commit ?? null,
        line: index + 1,
      }),
    ];
  });
  const originOf = createOriginLookup(createNamedGraph(entries, null));
  return mergeDuplicates(found.map((one, index) => ({ ...one, ...originOf(entries[index]!.key) })));
}
