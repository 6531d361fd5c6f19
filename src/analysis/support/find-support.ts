import { compareCodeUnits, type VersionOrder } from '../versions/version-order.ts';
import { isoDay } from '../iso-time.ts';
import { normalizeCpeToken } from '../cve/cpe.ts';

/** A cycle of releases of a product. */
export interface SupportCycle {
  /** `3.2`, `22.04`, `2019` */
  name: string;
  /** YYYY-MM-DD */
  released: string | null;
  /** Day of the last security fix, as far as it is known. */
  ends_at: string | null;
  /** Where no day is given: whether support had ended when the data was made. Null: not said either. */
  has_ended: boolean | null;
  /** End of the support that is paid for; null if there is none or it is not known. */
  extended_ends_at: string | null;
  latest: string | null;
}

/** A product of endoflife.date. */
export interface SupportedProduct {
  /** Id at the publisher: `django`. */
  product: string;
  label: string;
  aliases: string[];
  url: string | null;
  /** Package URLs without version. */
  purls: string[];
  /** `vendor:product` in the form of `normalizeCpeToken`. */
  cpes: string[];
  /** Newest first. */
  cycles: SupportCycle[];
}

/** Whether the release of a product still gets security fixes. */
export interface Support {
  product: string;
  cycle: string;
  is_supported: boolean;
  /** YYYY-MM-DD, the last day of support; null if it is not known. */
  ends_at: string | null;
  source: 'endoflife';
}

/** A product by one of its identifiers, and a version of it. */
export type SupportSubject = { version: string } & (
  | { /** Package URL, with or without version. */ purl: string }
  | { /** `vendor:product` */ cpe: string }
  | { /** As people write it. */ name: string }
);

/**
 * The support of the cycle that a version belongs to, at `now`; null where no product has the identifier, no cycle the version, or
 * where the publisher does not say. Where several products have the identifier and disagree, it is not known either.
 */
export function findSupport(products: readonly SupportedProduct[], subject: SupportSubject, now: Date): Support | null {
  const found = products
    .filter((product) => isProduct(product, subject))
    .map((product) => supportOf(product, subject.version, now))
    .filter((support) => support !== null);
  const [first] = found;
  return first !== undefined && found.every((other) => other.is_supported === first.is_supported) ? first : null;
}

/**
 * The newer cycle of the same product that gets security fixes longest at `now`; of several that end on no known day the newest. Null:
 * none is known to be supported longer than this one.
 */
export function findSuccessor(
  products: readonly SupportedProduct[],
  { product, cycle, ends_at }: Pick<Support, 'product' | 'cycle' | 'ends_at'>,
  now: Date,
): { cycle: string; ends_at: string | null } | null {
  const { cycles = [] } = products.find((one) => one.product === product) ?? {};
  const at = cycles.findIndex(({ name }) => name === cycle);
  const newer = cycles.slice(0, Math.max(at, 0));
  const living = newer.filter(
    (one) => supportOfCycle(one, now) === true && (ends_at === null || one.ends_at === null || one.ends_at > ends_at),
  );
  const [longest] = living.toSorted((a, b) => compareCodeUnits(b.ends_at ?? '', a.ends_at ?? ''));
  return longest === undefined ? null : { cycle: longest.name, ends_at: longest.ends_at };
}

/**
 * The newest cycle, where a version is beyond all cycles of a product: no such release line is known. Null where a cycle holds the version, or
 * where the names of the cycles cannot be compared with it.
 */
export function newestCycleBefore(
  products: readonly SupportedProduct[],
  version: string,
  order: VersionOrder,
): string | null {
  const parsed = order.parse(version);
  if (parsed === null || products.length === 0) return null;
  let newest: { name: string; parsed: unknown } | null = null;
  for (const cycle of products.flatMap(({ cycles }) => cycles)) {
    const known = /^\d/.test(cycle.name) ? order.parse(cycle.name) : null;
    const latest = order.parse(cycle.latest ?? cycle.name);
    if (known === null || latest === null || holdsVersion(cycle, versionParts(version))) return null;
    if (order.compare(parsed, known) <= 0 || order.compare(parsed, latest) <= 0) return null;
    if (newest === null || order.compare(known, newest.parsed) > 0) newest = { name: cycle.name, parsed: known };
  }
  return newest?.name ?? null;
}

/** A package URL as it identifies a product: lower case, without version, qualifiers and subpath. */
export function productPurl(purl: string): string {
  const path = purl.split(/[?#]/, 1)[0]!.toLowerCase().replaceAll('%40', '@');
  return path.replace(/(?<=[^/])@[^/@]*$/, '');
}

function isProduct(product: SupportedProduct, subject: SupportSubject): boolean {
  if ('purl' in subject) return product.purls.includes(productPurl(subject.purl));
  if ('cpe' in subject) return product.cpes.includes(subject.cpe);
  const name = normalizeCpeToken(subject.name);
  return [product.product, product.label, ...product.aliases].some((one) => normalizeCpeToken(one) === name);
}

function supportOf({ product, cycles }: SupportedProduct, version: string, now: Date): Support | null {
  const parts = versionParts(version);
  let best: { cycle: SupportCycle; length: number } | null = null;
  for (const cycle of cycles) {
    const { length } = partsOfCycle(cycle);
    if (holdsVersion(cycle, parts) && length > (best?.length ?? 0)) best = { cycle, length };
  }
  if (best === null) return null;
  const { name, ends_at } = best.cycle;
  const is_supported = supportOfCycle(best.cycle, now);
  return is_supported === null ? null : { product, cycle: name, is_supported, ends_at, source: 'endoflife' };
}

function holdsVersion(cycle: SupportCycle, parts: readonly string[]): boolean {
  const own = partsOfCycle(cycle);
  return own.length > 0 && own.every((part, at) => part === parts[at]);
}

/** Whether a cycle still gets security fixes at `now`; null where the publisher does not say. */
export function supportOfCycle({ ends_at, has_ended }: SupportCycle, now: Date): boolean | null {
  // The day itself is the last one with support.
  if (ends_at !== null) return isoDay(now.getTime()) <= ends_at;
  return has_ended === null ? null : !has_ended;
}

/** Taken apart once: a product has some thirty cycles, and the same products are asked for again and again. */
const partsByCycle = new WeakMap<SupportCycle, string[]>();

function partsOfCycle(cycle: SupportCycle): string[] {
  let parts = partsByCycle.get(cycle);
  if (parts === undefined) {
    parts = versionParts(cycle.name);
    partsByCycle.set(cycle, parts);
  }
  return parts;
}

/** Numbers without leading zeros, and words: `v3.2rc1` is 3, 2, rc, 1. */
function versionParts(version: string): string[] {
  const parts =
    version
      .toLowerCase()
      .replace(/^v(?=\d)/, '')
      .match(/\d+|[a-z]+/g) ?? [];
  return parts.map((part) => part.replace(/^0+(?=\d)/, ''));
}
