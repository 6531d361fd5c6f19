import { mavenOrder } from '../versions/maven.ts';
import { nugetOrder } from '../versions/nuget.ts';
import type { VersionOrder } from '../versions/version-order.ts';
import { packagistOrder } from '../versions/packagist.ts';
import { pep440Order } from '../versions/pep440.ts';
import { rubygemsOrder } from '../versions/rubygems.ts';
import { pubOrder, semverOrder } from '../versions/semver.ts';
import { findDistribution } from './distributions.ts';
import { normalizePythonName } from './python-name.ts';

/** A place where packages are published, with its rules: of a language, or a release of a distribution. */
export interface Ecosystem {
  /** As OSV writes it. */
  readonly name: string;
  readonly order: VersionOrder;
  /** Type in a package URL. */
  readonly purlType: string;
  /** As GitHub advisories write it. */
  readonly githubName: string;
  /** Other names that people give it, in lower case. */
  readonly aliases: readonly string[];
  /** `target_sw` of CPE names of its packages. */
  readonly targetSoftware: readonly string[];
  /** Two names that mean one package become the same. */
  readonly canonicalName: (name: string) => string;
}

const unchanged = (name: string): string => name;
const lowerCase = (name: string): string => name.toLowerCase();
/** Package URLs write module paths in lower case (purl specification, golang), go.mod as their owner does. */
const normalizeGoName = lowerCase;
/** crates.io takes `-` and `_` for one. */
const normalizeCrateName = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** All ecosystems whose packages can be checked. */
export const ECOSYSTEMS: readonly Ecosystem[] = [
  defineEcosystem('npm', semverOrder, 'npm', 'npm', unchanged, ['node', 'javascript'], ['node.js', 'nodejs']),
  defineEcosystem('PyPI', pep440Order, 'pypi', 'pip', normalizePythonName, ['pip', 'python'], ['python']),
  defineEcosystem('Maven', mavenOrder, 'maven', 'maven', unchanged, ['java', 'gradle'], []),
  defineEcosystem('Go', semverOrder, 'golang', 'go', normalizeGoName, ['golang'], ['go', 'golang']),
  defineEcosystem('crates.io', semverOrder, 'cargo', 'rust', normalizeCrateName, ['cargo', 'rust', 'crates'], ['rust']),
  defineEcosystem(
    'RubyGems',
    rubygemsOrder,
    'gem',
    'rubygems',
    unchanged,
    ['gem', 'ruby'],
    ['ruby', 'rails', 'ruby_on_rails'],
  ),
  defineEcosystem('Packagist', packagistOrder, 'composer', 'composer', lowerCase, ['composer', 'php'], []),
  defineEcosystem('NuGet', nugetOrder, 'nuget', 'nuget', lowerCase, ['dotnet', '.net'], ['.net', 'asp.net']),
  defineEcosystem('Hex', semverOrder, 'hex', 'erlang', lowerCase, ['elixir', 'erlang'], []),
  defineEcosystem('Pub', pubOrder, 'pub', 'pub', lowerCase, ['dart', 'flutter'], []),
];

function defineEcosystem(
  name: string,
  order: VersionOrder,
  purlType: string,
  github: string,
  canonicalName: (name: string) => string,
  aliases: string[],
  targetSoftware: string[],
): Ecosystem {
  return { name, order, purlType, githubName: github, canonicalName, aliases, targetSoftware };
}

const ECOSYSTEM_BY_NAME = new Map(
  ECOSYSTEMS.flatMap((ecosystem) =>
    [ecosystem.name.toLowerCase(), ecosystem.purlType, ecosystem.githubName, ...ecosystem.aliases].map(
      (name) => [name, ecosystem] as const,
    ),
  ),
);

/** Languages and platforms in CPE names, and the ecosystem whose packages are of them; null: none of these ecosystems. */
const ECOSYSTEM_OF_WORD: ReadonlyMap<string, string | null> = new Map([
  ...ECOSYSTEMS.flatMap(({ name, targetSoftware }) => targetSoftware.map((word) => [word, name] as const)),
  ...entriesOf('npm', ['node', 'javascript', 'js']),
  ...entriesOf('PyPI', ['py']),
  ...entriesOf('Maven', ['java', 'javalite', 'jvm', 'kotlin', 'scala', 'jdk', 'jre', 'jenkins']),
  ...entriesOf('Packagist', ['php', 'wordpress', 'drupal', 'joomla', 'joomla!', 'typo3', 'magento']),
  ...entriesOf('NuGet', ['dotnet', 'csharp']),
  ...entriesOf('Hex', ['elixir', 'erlang']),
  ...entriesOf('Pub', ['dart', 'flutter']),
  ...entriesOf(null, ['cpp', 'c++', 'perl', 'swift', 'lua', 'chrome', 'firefox']),
]);

function entriesOf(ecosystem: string | null, words: readonly string[]): (readonly [string, string | null])[] {
  return words.map((word) => [word, ecosystem] as const);
}

/** The ecosystem that a language or platform in a CPE name stands for; null: none of these; undefined: it is no such word. */
export function ecosystemOfWord(word: string): string | null | undefined {
  return ECOSYSTEM_OF_WORD.get(word.toLowerCase());
}

const DISTRIBUTION_ECOSYSTEMS = new Map<string, Ecosystem>();
const MAX_DISTRIBUTION_ECOSYSTEMS = 1000;

/**
 * By its name in OSV, in GitHub advisories, in package URLs or among people, in any case; a distribution by its name in OSV, with its
 * release (`Debian:12`). Null where none is known.
 */
export function findEcosystem(name: string): Ecosystem | null {
  const text = name.trim();
  return ECOSYSTEM_BY_NAME.get(text.toLowerCase()) ?? distributionEcosystem(text);
}

/** CPE names do not identify the packages of a distribution, which backports fixes under old versions. */
function distributionEcosystem(name: string): Ecosystem | null {
  const known = DISTRIBUTION_ECOSYSTEMS.get(name);
  if (known !== undefined) return known;
  const distribution = findDistribution(name);
  if (distribution === null || !/^[\w .:-]{1,60}$/.test(name)) return null;
  const release = name.slice(distribution.name.length);
  const { order, purlType } = distribution;
  const ecosystem = defineEcosystem(`${distribution.name}${release}`, order, purlType, '', unchanged, [], []);
  if (DISTRIBUTION_ECOSYSTEMS.size < MAX_DISTRIBUTION_ECOSYSTEMS) DISTRIBUTION_ECOSYSTEMS.set(name, ecosystem);
  return ecosystem;
}
