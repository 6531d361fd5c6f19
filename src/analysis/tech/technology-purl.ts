import { nameKey, purlName, purlType } from '../identity/names.ts';
import type { TechnologyCategory } from './technology-rule.ts';

/** Registries whose packages sites are made of, the likeliest first; distributions and images package what is meant again. */
const REGISTRIES = ['composer', 'gem', 'pypi', 'maven', 'nuget', 'golang', 'cargo', 'npm', 'github'];
const BROWSER_CATEGORIES: ReadonlySet<TechnologyCategory> = new Set<TechnologyCategory>([
  'CSS framework',
  'JavaScript framework',
  'JavaScript library',
  'UI library',
]);

/**
 * The package URL of a technology with its version, of those that are known for its CPE name: the one of its own name, in the registry
 * that such things come from. Null: none fits.
 */
export function choosePurl(
  purls: readonly string[],
  { name, category, version }: { name: string; category: TechnologyCategory; version: string | null },
): string | null {
  const registries = BROWSER_CATEGORIES.has(category) ? ['npm', ...REGISTRIES] : REGISTRIES;
  const bareKey = (text: string): string => nameKey(text).replace(/js$/, '');
  const named = purls.filter((purl) => bareKey(purlName(purl)) === bareKey(name));
  const ranked = named
    .map((purl) => ({ purl, rank: registries.indexOf(purlType(purl)) }))
    .filter(({ rank }) => rank !== -1)
    .toSorted((one, other) => one.rank - other.rank || one.purl.length - other.purl.length);
  const [best] = ranked;
  if (best === undefined) return null;
  const bare = best.purl.split(/[?#@](?!.*\/)/, 1)[0]!;
  return version === null ? bare : `${bare}@${encodeURIComponent(version)}`;
}
