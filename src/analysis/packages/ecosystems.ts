import { mavenOrder } from '../versions/maven.ts';
import { nugetOrder } from '../versions/nuget.ts';
import type { VersionOrder } from '../versions/order.ts';
import { packagistOrder } from '../versions/packagist.ts';
import { pep440Order } from '../versions/pep440.ts';
import { rubygemsOrder } from '../versions/rubygems.ts';
import { pubOrder, semverOrder } from '../versions/semver.ts';

/** A place where packages are published, with its rules. */
export interface Ecosystem {
  /** As OSV writes it. */
  readonly name: string;
  readonly order: VersionOrder;
  /** Type in a package URL. */
  readonly purlType: string;
  /** As GitHub advisories write it. */
  readonly github: string;
  /** Other names that people give it, in lower case. */
  readonly aliases: readonly string[];
  /** `target_sw` of CPE names of its packages. */
  readonly targetSoftware: readonly string[];
  /** Two names that mean one package become the same. */
  readonly canonicalName: (name: string) => string;
}

const same = (name: string): string => name;
const lower = (name: string): string => name.toLowerCase();
/** PEP 503. */
const python = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');
/** Package URLs write module paths in lower case (purl specification, golang), go.mod as their owner does. */
const golang = lower;
/** crates.io takes `-` and `_` for one. */
const crate = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** All ecosystems whose packages can be checked. */
export const ECOSYSTEMS: readonly Ecosystem[] = [
  of('npm', semverOrder, 'npm', 'npm', same, ['node', 'javascript'], ['node.js', 'nodejs']),
  of('PyPI', pep440Order, 'pypi', 'pip', python, ['pip', 'python'], ['python']),
  of('Maven', mavenOrder, 'maven', 'maven', same, ['java', 'gradle'], []),
  of('Go', semverOrder, 'golang', 'go', golang, ['golang'], ['go', 'golang']),
  of('crates.io', semverOrder, 'cargo', 'rust', crate, ['cargo', 'rust', 'crates'], ['rust']),
  of('RubyGems', rubygemsOrder, 'gem', 'rubygems', same, ['gem', 'ruby'], ['ruby', 'rails', 'ruby_on_rails']),
  of('Packagist', packagistOrder, 'composer', 'composer', lower, ['composer', 'php'], []),
  of('NuGet', nugetOrder, 'nuget', 'nuget', lower, ['dotnet', '.net'], ['.net', 'asp.net']),
  of('Hex', semverOrder, 'hex', 'erlang', lower, ['elixir', 'erlang'], []),
  of('Pub', pubOrder, 'pub', 'pub', lower, ['dart', 'flutter'], []),
];

function of(
  name: string,
  order: VersionOrder,
  purlType: string,
  github: string,
  canonicalName: (name: string) => string,
  aliases: string[],
  targetSoftware: string[],
): Ecosystem {
  return { name, order, purlType, github, canonicalName, aliases, targetSoftware };
}

const byAnyName = new Map(
  ECOSYSTEMS.flatMap((ecosystem) =>
    [ecosystem.name.toLowerCase(), ecosystem.purlType, ecosystem.github, ...ecosystem.aliases].map(
      (name) => [name, ecosystem] as const,
    ),
  ),
);

/** By its name in OSV, in GitHub advisories, in package URLs or among people, in any case; null where none is known. */
export function findEcosystem(name: string): Ecosystem | null {
  return byAnyName.get(name.trim().toLowerCase()) ?? null;
}
