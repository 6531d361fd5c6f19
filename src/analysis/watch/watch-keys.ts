import { createSubject } from '../affected/subject.ts';
import { normalizeCpeToken } from '../cve/cpe.ts';
import { wordsOfMavenPackage } from '../identity/maven-products.ts';
import { nameKey } from '../identity/names.ts';
import { findEcosystem } from '../packages/ecosystems.ts';
import { parsePurl } from '../packages/package-ref.ts';
import type { WatchedComponent, WatchSubject } from './watch.ts';

/**
 * A name under which the matcher finds a watch: `cve:CVE-2021-44228`, `product:apache:log4j`, `product::log4j` (any vendor), `vendor:apache`,
 * `package:npm:lodash`, `search` (all searches). A key only finds candidates, so spellings that differ little have one key: whether a CVE
 * concerns a watch is decided by the rules of `affected_check`.
 */
export type WatchKey = string;

/** All searches: their filters are evaluated for the CVEs that changed. */
export const SEARCH_KEY: WatchKey = 'search';

export function cveWatchKey(cveId: string): WatchKey {
  return `cve:${cveId}`;
}

export function vendorWatchKey(vendor: string): WatchKey {
  return `vendor:${normalizeCpeToken(vendor)}`;
}

/** A product of this vendor; null: of any, also under a name that differs by separators. */
export function productWatchKey(vendor: string | null, product: string): WatchKey {
  const token = normalizeCpeToken(product);
  if (vendor === null) return `product::${nameKey(token) || token}`;
  return `product:${normalizeCpeToken(vendor)}:${token.replaceAll('-', '_')}`;
}

/** A package by its ecosystem, as OSV writes it, and its name there. */
export function packageWatchKey(ecosystem: string, name: string): WatchKey {
  const canonical = findEcosystem(ecosystem)?.canonicalName(name) ?? name;
  return `package:${ecosystem}:${canonical.toLowerCase().replaceAll('_', '-')}`;
}

/** The keys of a watch, each once. None for domains and indicators, which are examined, and for packages of which no source can say anything. */
export function watchKeys(subject: WatchSubject): WatchKey[] {
  switch (subject.kind) {
    case 'cve':
      return [cveWatchKey(subject.cve_id)];
    case 'product':
      return [productWatchKey(subject.vendor, subject.product)];
    case 'vendor':
      return [vendorWatchKey(subject.vendor)];
    case 'package':
      return keysOfPurl(subject.purl);
    case 'search':
      return [SEARCH_KEY];
    case 'components':
      return [...new Set(subject.components.flatMap(keysOfComponent))];
    case 'domain':
    case 'indicator':
      return [];
  }
}

/** The keys by which one component of a watch is found. */
export function keysOfComponent({ purl, cpe }: WatchedComponent): WatchKey[] {
  if (purl !== null) return keysOfPurl(purl);
  const subject = cpe === null ? null : createSubject({ cpe });
  if (subject === null || 'problem' in subject || subject.names === null) return [];
  return [productWatchKey(subject.names.vendor, subject.names.tokens[0]!)];
}

function keysOfPurl(purl: string): WatchKey[] {
  const { ecosystem, name, isGeneric, problem } = parsePurl(purl);
  if (problem !== undefined) return [];
  if (isGeneric || ecosystem === null) return [productWatchKey(null, name)];
  // CPE names of Java products say no ecosystem: they are found by the words of the coordinate.
  const words = ecosystem === 'Maven' ? wordsOfMavenPackage(name) : [];
  return [...new Set([packageWatchKey(ecosystem, name), ...words.map((word) => productWatchKey(null, word))])];
}
