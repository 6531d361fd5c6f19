import { type CpeName, normalizeCpeToken, parseCpeLenient } from '../cve/cpe.ts';
import { type Ecosystem, findEcosystem } from '../packages/ecosystems.ts';
import { packageLabel, type PackageRef, parsePlainVersion, parsePurl } from '../packages/package-ref.ts';
import { orderOfProduct } from '../versions/two-numberings.ts';
import type { VersionOrder } from '../versions/version-order.ts';
import { type Platform, parsePlatform } from './platform.ts';
import type { Outcome } from './truth.ts';

/** The product as CVE records name it. */
export interface ProductNames {
  /** In the form of `normalizeCpeToken`; any of them is the product. */
  tokens: readonly string[];
  /** In the same form; null: any vendor. */
  vendor: string | null;
  /** Null: any part. */
  part: CpeName['part'];
  /** What CPE names of it must have as `target_sw`: those of its ecosystem. Null: any. */
  targetSoftware: readonly string[] | null;
}

/** What may be affected: one version of one product, or of one package. */
export interface Subject {
  /** Of a package; null for any other product. */
  ecosystem: Ecosystem | null;
  /** Of a package, as its ecosystem writes it. */
  packageName: string | null;
  /** The package URL without version and qualifiers, by which VEX statements name it; null where none was given. */
  purl: string | null;
  /** Null where CPE names cannot name it: they do not say which ecosystem they are of. */
  names: ProductNames | null;
  /** Null: not known. */
  version: string | null;
  order: VersionOrder;
  /** Present where packages of other languages have the same name (`google:protobuf`) and number their versions otherwise. */
  isSharedName?: true;
  /** Attributes of the CPE name that was given; null each where it leaves them open. */
  edition: Pick<CpeName, 'edition' | 'sw_edition' | 'target_sw' | 'target_hw'>;
  platform: Platform | null;
  /** Present where many records are judged that share their rows: what each row said. */
  tested?: Map<object, Outcome>;
}

/** What a caller says: exactly one of `purl`, `cpe` and `product`. */
export interface SubjectInput {
  purl?: string | undefined;
  cpe?: string | undefined;
  vendor?: string | undefined;
  product?: string | undefined;
  version?: string | undefined;
  platform?: string | undefined;
}

const OPEN_EDITION = { edition: null, sw_edition: null, target_sw: null, target_hw: null };

/** The subject, or what is wrong with the input: the field and a message for the caller. */
export function createSubject(input: SubjectInput): Subject | { field: keyof SubjectInput; problem: string } {
  const platform = input.platform === undefined ? null : parsePlatform(input.platform);
  const { purl, cpe, product } = input;
  if ([purl, cpe, product].filter((given) => given !== undefined).length !== 1) {
    return { field: 'product', problem: 'give exactly one of purl, cpe and product' };
  }
  if (purl !== undefined) return subjectOfPurl(purl, input.version, platform);
  if (cpe !== undefined) return subjectOfCpe(cpe, input.version, platform);
  return {
    ...subjectOfProduct(product!, input.vendor ?? null, input.version ?? null),
    platform,
  };
}

function subjectOfPurl(
  text: string,
  given: string | undefined,
  platform: Platform | null,
): ReturnType<typeof createSubject> {
  const ref = parsePurl(text);
  if (ref.ecosystem === null || ref.problem !== undefined)
    return { field: 'purl', problem: ref.problem ?? 'it is no package URL' };
  const version = ref.version === '' ? (given ?? '') : ref.version;
  const subject = subjectOfPackage({ ...ref, version });
  if (version !== '' && parsePlainVersion(version, subject.order) === null) {
    return { field: 'version', problem: `it is no ${ref.ecosystem} version` };
  }
  return { ...subject, purl: purlIdentity(text), platform };
}

function subjectOfCpe(
  text: string,
  given: string | undefined,
  platform: Platform | null,
): ReturnType<typeof createSubject> {
  const name = parseCpeLenient(text);
  if (name === null || name.product === '*' || name.product === '') {
    return { field: 'cpe', problem: 'a CPE 2.3 name with a product, such as cpe:2.3:a:apache:log4j:2.14.1' };
  }
  const { edition, sw_edition, target_sw, target_hw } = name;
  const update = name.update === null || name.update === '-' ? '' : `-${name.update}`;
  const own = name.version === null || name.version === '-' ? null : `${name.version}${update}`;
  const vendor = name.vendor === '*' || name.vendor === '' ? null : name.vendor;
  const subject = subjectOfProduct(name.product, vendor, own ?? given ?? null);
  return {
    ...subject,
    names: { ...subject.names!, part: name.part },
    edition: { edition, sw_edition, target_sw, target_hw },
    platform: platform ?? (target_sw === null || target_sw === '-' ? null : parsePlatform(target_sw)),
  };
}

/** A product by name alone, as CPE names or plain names of CVE records have it. */
export function subjectOfProduct(product: string, vendor: string | null, version: string | null): Subject {
  return {
    ecosystem: null,
    packageName: null,
    purl: null,
    names: {
      tokens: spellingsOf(product),
      vendor: vendor === null ? null : normalizeCpeToken(vendor),
      part: null,
      targetSoftware: null,
    },
    version,
    order: orderOfProduct(normalizeCpeToken(product)),
    edition: OPEN_EDITION,
    platform: null,
  };
}

/** A package of a document or of a caller. Without an ecosystem it is a product that CPE names may name. */
export function subjectOfPackage(ref: Pick<PackageRef, 'name' | 'version' | 'ecosystem' | 'cpe'>): Subject {
  const ecosystem = ref.ecosystem === null ? null : findEcosystem(ref.ecosystem);
  const version = ref.version === '' ? null : ref.version;
  if (ecosystem === null) return subjectOfUnknownPackage(ref, version);
  const subject = subjectOfProduct(ref.name, null, version);
  const { targetSoftware } = ecosystem;
  const label = packageLabel(ref);
  return {
    ...subject,
    purl: label.startsWith('pkg:') ? purlIdentity(label) : null,
    ecosystem,
    packageName: ref.name,
    names: targetSoftware.length === 0 ? null : { ...subject.names!, part: 'a', targetSoftware },
    order: ecosystem.order,
  };
}

function subjectOfUnknownPackage({ name, cpe }: Pick<PackageRef, 'name' | 'cpe'>, version: string | null): Subject {
  if (cpe !== undefined) {
    const subject = createSubject({ cpe });
    // The document's own version field is the package's version; a CPE name of it may be older or without one.
    if (!('problem' in subject)) return { ...subject, version: version ?? subject.version };
  }
  const subject = subjectOfProduct(name, null, version);
  return { ...subject, names: { ...subject.names!, part: 'a' } };
}

function spellingsOf(product: string): string[] {
  const token = normalizeCpeToken(product);
  return [...new Set([token, token.replaceAll('-', '_'), token.replaceAll('_', '-')])];
}

/** A package URL without version, qualifiers and subpath, but for the repository of an image: in lower case. */
export function purlIdentity(purl: string): string {
  const [main = '', query = ''] = purl.split('#', 1)[0]!.split('?', 2);
  const at = main.lastIndexOf('@');
  const name = at > main.lastIndexOf('/') ? main.slice(0, at) : main;
  const repository = new URLSearchParams(query).get('repository_url');
  const key = repository === null ? name : `${name}?repository_url=${repository}`;
  return decodePercent(key).toLowerCase();
}

/** The version in a package URL; null where it has none. */
export function versionOfPurl(purl: string): string | null {
  const main = purl.split(/[?#]/, 1)[0]!;
  const at = main.lastIndexOf('@');
  return at > main.lastIndexOf('/') ? decodePercent(main.slice(at + 1)) : null;
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
