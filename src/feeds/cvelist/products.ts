import type { ProductFact } from '../../analysis/cve/facts.ts';
import { cleanText } from '../../analysis/text.ts';
import { span, type VersionSpan } from '../version-span.ts';
import { affectedVersions } from './affected-versions.ts';
import { cpeName, versionOfCpe, withVersion } from './cpe-name.ts';
import type { AffectedEntry } from './schema.ts';

/** Affected products of a CVE record's containers: by CPE where an entry has any, else by vendor and product. Each once. */
export function affectedProducts(entries: readonly AffectedEntry[]): ProductFact[] {
  const affected = entries
    .map(withoutCommits)
    .map((entry) => ({ entry, spans: affectedVersions(entry).map(cleanSpan) }))
    .filter(({ spans }) => spans.length > 0);
  const withVersions = new Set(affected.filter(({ entry }) => !isOfCommits(entry)).map(({ entry }) => nameOf(entry)));
  const products = affected.flatMap(({ entry, spans }) => {
    // Commits cannot be compared with versions; they count only where a product has nothing else.
    if (isOfCommits(entry)) return withVersions.has(nameOf(entry)) ? [] : commitRows(entry, spans);
    return productsOf(entry, spans);
  });
  const seen = new Set<string>();
  return products.filter((product) => {
    const key = Object.values(product).join('\n');
    return !seen.has(key) && seen.add(key);
  });
}

function commitRows(entry: AffectedEntry, spans: VersionSpan[]): ProductFact[] {
  return spans.flatMap((commits) => plainRow(entry, span({ version: wordsOf(commits) })));
}

function productsOf(entry: AffectedEntry, spans: VersionSpan[]): ProductFact[] {
  const cpes = (entry.cpes ?? []).map(cpeName).filter((cpe) => cpe !== null);
  if (cpes.length === 0) return spans.flatMap((versions) => plainRow(entry, versions));
  // The CPE beside a package names what the package is part of (a distribution): the versions are the package's.
  const isPackage = entry.packageName !== undefined;
  const rows = cpes.flatMap((cpe) => cpeRows(cpe, spans, isPackage));
  if (!isPackage) return rows;
  const pack: AffectedEntry = { ...entry, product: entry.packageName };
  return [...rows, ...spans.flatMap((versions) => plainRow(pack, versions))];
}

function cpeRows(cpe: string, spans: VersionSpan[], isPackage: boolean): ProductFact[] {
  const isOneVersion = !['*', '-'].includes(versionOfCpe(cpe));
  const sayNoMore = spans.every((versions) => versions.version !== null || isEvery(versions));
  if (isOneVersion && (isPackage || sayNoMore)) return [fact({ cpe }, span())];
  return spans.map((versions) => {
    if (isEvery(versions)) return fact({ cpe }, versions);
    const canBind = versions.version !== null && !/\s/.test(versions.version);
    if (canBind) return fact({ cpe: withVersion(cpe, versions.version) }, span());
    return fact({ cpe: withVersion(cpe, null) }, versions);
  });
}

function plainRow(entry: AffectedEntry, versions: VersionSpan): ProductFact[] {
  const product = givenName(entry.product) ?? givenName(entry.packageName);
  return product === null ? [] : [fact({ vendor: givenName(entry.vendor), product }, versions)];
}

function fact(name: Partial<Pick<ProductFact, 'cpe' | 'vendor' | 'product'>>, versions: VersionSpan): ProductFact {
  return { cpe: null, vendor: null, product: null, ecosystem: null, vulnerable: true, ...name, ...versions };
}

function cleanSpan(versions: VersionSpan): VersionSpan {
  return {
    start_including: cleaned(versions.start_including),
    start_excluding: cleaned(versions.start_excluding),
    end_including: cleaned(versions.end_including),
    end_excluding: cleaned(versions.end_excluding),
    version: cleaned(versions.version),
  };
}

/** CISA writes versions quoted as in a CPE: `11.0.5\\+security-01`. */
function cleaned(text: string | null): string | null {
  return text === null ? null : cleanText(text).replace(/\\(.)/g, '$1');
}

/** An entry's version rows without those about commits, where it has others. */
function withoutCommits(entry: AffectedEntry): AffectedEntry {
  const versions = (entry.versions ?? []).filter((row) => row.versionType !== 'git');
  return versions.length > 0 ? { ...entry, versions } : entry;
}

function isOfCommits(entry: AffectedEntry): boolean {
  const rows = entry.versions ?? [];
  return rows.length > 0 && rows.every((row) => row.versionType === 'git');
}

function wordsOf(commits: VersionSpan): string {
  if (commits.version !== null) return `commit ${commits.version}`;
  const from = commits.start_including === null ? '' : ` from ${commits.start_including}`;
  const end = commits.end_excluding !== null ? ` before ${commits.end_excluding}` : '';
  return `commits${from}${end}${commits.end_including !== null ? ` up to ${commits.end_including}` : ''}`;
}

function isEvery(versions: VersionSpan): boolean {
  return Object.values(versions).every((bound) => bound === null);
}

function nameOf(entry: AffectedEntry): string {
  return `${entry.vendor ?? ''}\n${entry.product ?? ''}`;
}

/** CNAs write `n/a` where they have no name. */
function givenName(name: string | undefined): string | null {
  return name === undefined || /^(?:n\/?a|unknown|)$/i.test(name) ? null : name;
}
