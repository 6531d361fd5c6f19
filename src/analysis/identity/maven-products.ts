import { normalizeCpeToken } from '../cve/cpe.ts';

/** What a Maven coordinate suggests that the CPE names of its product are: any of the vendors with any of the products. */
interface SuggestedNames {
  vendors: string[];
  products: string[];
}

/** Parts of a group that are those of domains and of source hosts, and parts of an artifact that name a part of the product. */
const COMMON_GROUP_PARTS = new Set([
  'org',
  'com',
  'net',
  'io',
  'de',
  'fr',
  'uk',
  'co',
  'dev',
  'github',
  'gitlab',
  'www',
]);
const PART_OF_PRODUCT =
  /-(?:core|api|all|base|client|server|common|commons|main|impl|util|utils|parent|bom|jdk\d+\w*|jre|java|embed|web)$/;
/** Artifacts that are about a product and number their own releases (`mongodb-driver-core`). */
const OF_THEIR_OWN = /(?:^|-)(?:driver|connector|plugin|plugins)(?:-|$)/;
const MIN_CHARACTERS = 3;
const MIN_PLAIN_CHARACTERS = 2 * MIN_CHARACTERS;

/**
 * Vendors: each part of the group. Products: the last part of the group, and the artifact, with and without the part of the product
 * that it names and the number of its generation (`struts2-core`: `struts2`, `struts`). `org.apache.maven.plugins:maven-x-plugin` is no
 * Maven: the first word of an artifact alone is not a product.
 */
export function namesOfMavenPackage(name: string): SuggestedNames {
  const [group = '', artifact = ''] = name.toLowerCase().split(':');
  const parts = group.split('.').filter((part) => part.length >= MIN_CHARACTERS && !COMMON_GROUP_PARTS.has(part));
  if (artifact === '') return { vendors: [], products: [] };
  const short = artifact.replace(PART_OF_PRODUCT, '').replace(PART_OF_PRODUCT, '');
  const ofGroup = OF_THEIR_OWN.test(artifact) ? '' : (parts.at(-1) ?? '');
  const names = [ofGroup, artifact, short, withoutGeneration(artifact), withoutGeneration(short)];
  const products = names.filter((one) => one.length >= MIN_CHARACTERS).flatMap(spellings);
  const vendors = parts.flatMap((part) => [part, ...(part.includes('-') ? [part.split('-')[0]!] : [])]);
  return { vendors: [...new Set(vendors.map(normalizeCpeToken))], products: [...new Set(products)] };
}

/** Whether a CPE product has the name of the package but for its separators: `spring_framework` of `org.springframework`. */
export function isNamedAsPackage(product: string, name: string): boolean {
  const plain = letters(product);
  return plain.length >= MIN_PLAIN_CHARACTERS && plainNamesOf(name).includes(plain);
}

/** Without separators, each once, all that a product may be called of which `namesOfMavenPackage` and `isNamedAsPackage` speak. */
export function wordsOfMavenPackage(name: string): string[] {
  const plain = plainNamesOf(name).filter((one) => one.length >= MIN_PLAIN_CHARACTERS);
  return [...new Set([...namesOfMavenPackage(name).products.map(letters), ...plain])];
}

function plainNamesOf(name: string): string[] {
  const [group = '', artifact = ''] = name.toLowerCase().split(':');
  const words = artifact.split(/[-_.]/);
  const starts = words.map((_, at) => words.slice(0, at + 1).join(''));
  return [...group.split('.').slice(-1), ...starts].flatMap((one) => [letters(withoutGeneration(one)), letters(one)]);
}

function withoutGeneration(name: string): string {
  return name.replace(/\d+$/, '').replace(/[-_.]$/, '');
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function spellings(name: string): string[] {
  const token = normalizeCpeToken(name);
  return [token, token.replaceAll('-', '_'), token.replaceAll('_', '-')];
}
