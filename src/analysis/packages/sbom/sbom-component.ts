import type { DependencyScope } from '../dependency-scope.ts';
import { createOriginLookup, type DependencyEdge } from '../lockfiles/dependency-graph.ts';
import { createLockedPackage, type LockedPackage, stringOrEmpty } from '../lockfiles/locked-package.ts';
import { parsePurl } from '../package-ref.ts';

/** What a document says about one component, in the terms that all formats share. */
export interface SbomComponent {
  /** By which the document refers to it; empty where it has no such name. */
  ref: string;
  name: string;
  version: string;
  purl: string;
  cpe: string;
  /** Of the component itself, in whatever project. */
  scope?: DependencyScope | undefined;
}

/** One component needs another. */
export interface SbomDependency extends DependencyEdge {
  from: string;
}

/** A document: its components, and who needs whom. */
export interface SbomGraph {
  components: SbomComponent[];
  /** What the document is about: the software that has the components. */
  subjects: string[];
  dependencies: SbomDependency[];
}

export function toLockedPackages({ components, subjects, dependencies }: SbomGraph): LockedPackage[] {
  const byFrom = Map.groupBy(dependencies, ({ from }) => from);
  const names = new Map(components.map(({ ref, name }) => [ref, name]));
  const originOf = createOriginLookup({
    direct: subjects.filter((subject) => subject !== '').flatMap((subject) => byFrom.get(subject) ?? []),
    next: (ref) => byFrom.get(ref) ?? [],
    nameOf: (ref) => names.get(ref) || ref,
  });
  return components.map(({ ref, name, version, purl, cpe, scope }) => {
    const url = purl === '' ? null : parsePurl(purl);
    const isUrl = url !== null && url.name !== purl;
    const own = { name: url?.ecosystem == null ? name || (isUrl ? url.name : '') : url.name, version };
    if (own.version === '' && isUrl) own.version = url.version;
    // A component that is identified by its CPE alone is named by it.
    if (own.version === '' && !isUrl && cpe !== '') own.name = cpe;
    const ids = { ...(isUrl ? { purl } : {}), ...(cpe === '' ? {} : { cpe }) };
    const origin = originOf(ref);
    const ways = origin.ways.length === 0 ? [[]] : origin.ways;
    return createLockedPackage({
      ...own,
      ecosystem: url?.ecosystem ?? null,
      ...ids,
      ...origin,
      ...(scope !== undefined && { ways: ways.map((way) => [...new Set([...way, scope])]) }),
    });
  });
}

export function joinGroupAndName(group: unknown, name: unknown): string {
  return stringOrEmpty(group) === '' ? stringOrEmpty(name) : `${stringOrEmpty(group)}/${stringOrEmpty(name)}`;
}
