import type { CveProduct } from '../../analysis/cve/cve-facts.ts';
import { cleanText } from '../../analysis/display-text.ts';
import { cveProduct } from '../cve-fields.ts';
import { versionSpan, type VersionSpan } from '../version-span.ts';
import { affectedVersions } from './affected-versions.ts';
import { normalizeCpeName, versionOfCpe, withCpeVersion } from './cpe-name.ts';
import type { AffectedEntry } from './schema.ts';

/** Affected products of a CVE record's containers, each once: by CPE if an entry has one, else by vendor and product. */
export function affectedProducts(entries: readonly AffectedEntry[]): CveProduct[] {
  const affected = entries
    .map(withoutCommits)
    .map((entry) => ({ entry, spans: affectedVersions(entry).map(cleanSpan) }))
    .filter(({ spans }) => spans.length > 0);
  const withVersions = new Set(
    affected.filter(({ entry }) => !hasOnlyCommits(entry)).map(({ entry }) => productKey(entry)),
  );
  const products = affected.flatMap(({ entry, spans }) => {
    // Commits cannot be compared with versions; they are used only if a product has nothing else.
    if (hasOnlyCommits(entry)) return withVersions.has(productKey(entry)) ? [] : commitProducts(entry, spans);
    return productsOf(entry, spans);
  });
  const seen = new Set<string>();
  return products.filter((product) => {
    const key = Object.values(product).join('\n');
    return !seen.has(key) && seen.add(key);
  });
}

function commitProducts(entry: AffectedEntry, spans: VersionSpan[]): CveProduct[] {
  return spans.flatMap((commits) => namedProduct(entry, versionSpan({ version: describeCommits(commits) })));
}

function productsOf(entry: AffectedEntry, spans: VersionSpan[]): CveProduct[] {
  const cpes = (entry.cpes ?? []).map(normalizeCpeName).filter((cpe) => cpe !== null);
  if (cpes.length === 0) return spans.flatMap((versions) => namedProduct(entry, versions));
  // The CPE of an entry with a package names what the package is part of (a distribution); the versions are the package's.
  const isPackage = entry.packageName !== undefined;
  const rows = cpes.flatMap((cpe) => cpeProducts(cpe, spans, isPackage));
  if (!isPackage) return rows;
  const packageEntry: AffectedEntry = { ...entry, product: entry.packageName };
  return [...rows, ...spans.flatMap((versions) => namedProduct(packageEntry, versions))];
}

function cpeProducts(cpe: string, spans: VersionSpan[], isPackage: boolean): CveProduct[] {
  const isOneVersion = !['*', '-'].includes(versionOfCpe(cpe));
  const areSpansExact = spans.every((versions) => versions.version !== null || isEveryVersion(versions));
  if (isOneVersion && (isPackage || areSpansExact)) return [cveProduct({ cpe })];
  return spans.map((versions) => {
    if (isEveryVersion(versions)) return cveProduct({ cpe });
    const isCpeVersion = versions.version !== null && !/\s/.test(versions.version);
    if (isCpeVersion) return cveProduct({ cpe: withCpeVersion(cpe, versions.version) });
    return cveProduct({ cpe: withCpeVersion(cpe, null), ...versions });
  });
}

function namedProduct(entry: AffectedEntry, versions: VersionSpan): CveProduct[] {
  const product = nameOrNull(entry.product) ?? nameOrNull(entry.packageName);
  return product === null ? [] : [cveProduct({ vendor: nameOrNull(entry.vendor), product, ...versions })];
}

function cleanSpan(versions: VersionSpan): VersionSpan {
  return {
    start_including: unquoteVersion(versions.start_including),
    start_excluding: unquoteVersion(versions.start_excluding),
    end_including: unquoteVersion(versions.end_including),
    end_excluding: unquoteVersion(versions.end_excluding),
    version: unquoteVersion(versions.version),
  };
}

/** CISA writes versions escaped as in a CPE: `11.0.5\\+security-01`. */
function unquoteVersion(text: string | null): string | null {
  return text === null ? null : cleanText(text).replace(/\\(.)/g, '$1');
}

/** The entry without version rows of Git commits, if it has other rows. */
function withoutCommits(entry: AffectedEntry): AffectedEntry {
  const versions = (entry.versions ?? []).filter((row) => row.versionType !== 'git');
  return versions.length > 0 ? { ...entry, versions } : entry;
}

function hasOnlyCommits(entry: AffectedEntry): boolean {
  const rows = entry.versions ?? [];
  return rows.length > 0 && rows.every((row) => row.versionType === 'git');
}

function describeCommits(commits: VersionSpan): string {
  if (commits.version !== null) return `commit ${commits.version}`;
  const from = commits.start_including === null ? '' : ` from ${commits.start_including}`;
  const end = commits.end_excluding !== null ? ` before ${commits.end_excluding}` : '';
  return `commits${from}${end}${commits.end_including !== null ? ` up to ${commits.end_including}` : ''}`;
}

function isEveryVersion(versions: VersionSpan): boolean {
  return Object.values(versions).every((bound) => bound === null);
}

function productKey(entry: AffectedEntry): string {
  return `${entry.vendor ?? ''}\n${entry.product ?? ''}`;
}

/** CNAs write `n/a` if they have no name. */
function nameOrNull(name: string | undefined): string | null {
  return name === undefined || /^(?:n\/?a|unknown|)$/i.test(name) ? null : name;
}
