/** Parts of a project's dependencies that an installation can leave out. `provided`: by the place where the software runs (Maven). */
export const DEPENDENCY_SCOPES = ['dev', 'optional', 'peer', 'provided'] as const;

export type DependencyScope = (typeof DEPENDENCY_SCOPES)[number];

/**
 * The ways on which a project needs a package, each with the scopes that it passes through: without one of them that way is gone.
 * Empty: the software needs it to run, or its document does not say.
 */
export type DependencyWays = readonly (readonly DependencyScope[])[];

/** The ways of a package that two places of a document name. What one of them needs to run is needed to run. */
export function mergeWays(one: DependencyWays, other: DependencyWays): DependencyWays {
  if (one.length === 0 || other.length === 0) return [];
  const all = [...new Map([...one, ...other].map((way) => [way.join(), way])).values()];
  return all.filter((way) => !all.some((less) => less !== way && less.every((scope) => way.includes(scope))));
}

/** Whether no way is left when `omitted` is left out. */
export function isOmitted(ways: DependencyWays, omitted: ReadonlySet<DependencyScope>): boolean {
  return ways.length > 0 && ways.every((way) => way.some((scope) => omitted.has(scope)));
}

/** The scope by which a package is known: `dev` where every way is for development, else what the others have. Null: needed to run. */
export function scopeOf(ways: DependencyWays): DependencyScope | null {
  if (ways.length === 0) return null;
  const [way] = ways.filter((way) => !way.includes('dev'));
  return way === undefined ? 'dev' : way[0]!;
}
