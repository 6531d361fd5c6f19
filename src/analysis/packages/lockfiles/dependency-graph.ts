import { DEPENDENCY_SCOPES, type DependencyScope, type DependencyWays } from '../dependency-scope.ts';

/** Paths to one package. */
const MAX_PATHS = 5;
/** Names in one path; of a longer one the middle is left out. */
const MAX_PATH_NAMES = 8;
const HEAD_NAMES = 4;
const TAIL_NAMES = MAX_PATH_NAMES - HEAD_NAMES - 1;

export interface DependencyEdge {
  /** Key of the package that is needed. */
  to: string;
  /** Absent: needed to run. */
  scope?: DependencyScope | undefined;
  /** The document does not decide whether this package is the one that is needed: no path is shown, but it may be needed to run. */
  isUncertain?: boolean;
  /** It must have exactly the version of the package that needs it: both are released together. */
  isLockstep?: boolean;
}

/** More entries of one name are in no real document: each that needs the name would lead to all of them. */
const MAX_MEANT = 50;

/** Of the keys that a name has, those that are looked at. */
export function meantKeys(keys: readonly string[] | undefined): readonly string[] {
  return keys?.slice(0, MAX_MEANT) ?? [];
}

/** Edges to what a name may mean: certain where that is one package. */
export function edgesTo(keys: readonly string[], scope?: DependencyScope): DependencyEdge[] {
  return meantKeys(keys).map((to) => ({ to, scope, ...(keys.length > 1 && { isUncertain: true }) }));
}

/** Which package of a document needs which; a key names one package of it. */
export interface DependencyGraph {
  /** What the project itself asks for. */
  direct: readonly DependencyEdge[];
  next: (key: string) => Iterable<DependencyEdge>;
  nameOf: (key: string) => string;
}

/** Why a package is there. */
export interface PackageOrigin {
  /** Paths to it from direct dependencies (`express > qs`); [] where it is one itself. Absent where the document does not say. */
  broughtBy?: string[];
  /** Direct dependencies that require exactly their own version of it: with each of them it is upgraded. */
  releasedWith?: string[];
  ways: DependencyWays;
}

/** By key, what the graph tells. Of a package that nothing leads to it tells nothing. */
export function createOriginLookup(graph: DependencyGraph): (key: string) => PackageOrigin {
  const broughtBy = findBroughtBy(graph);
  const ways = findWays(graph);
  return (key) => ({
    ...(broughtBy.has(key) && { broughtBy: broughtBy.get(key)! }),
    ways: ways.get(key) ?? [],
  });
}

/** A package on a path from a direct dependency. */
interface PathStep {
  key: string;
  start: string;
  from: PathStep | null;
  length: number;
  /** The last step that is shown before the gap of a long path; null of the first steps. */
  head: PathStep | null;
}

/**
 * The shortest paths to each package from different direct dependencies, as `express > body-parser > qs`: at most five, the shortest
 * first. None leads through another direct dependency, whose own path is shorter. [] for a direct dependency; what nothing leads to is
 * not in the result.
 */
export function findBroughtBy({ direct, next, nameOf }: DependencyGraph): Map<string, string[]> {
  const paths = new Map<string, PathStep[]>();
  const directKeys = new Set(direct.flatMap(({ to, isUncertain }) => (isUncertain === true ? [] : [to])));
  const queue: PathStep[] = [...directKeys].map((key) => createStep(key, key, null));
  // An array that grows while it is walked is walked to its new end.
  for (const step of queue) {
    for (const { to, isUncertain } of next(step.key)) {
      if (isUncertain === true) continue;
      const known = paths.get(to) ?? [];
      if (directKeys.has(to) || known.length === MAX_PATHS || known.some(({ start }) => start === step.start)) continue;
      const after = createStep(to, step.start, step);
      paths.set(to, [...known, after]);
      queue.push(after);
    }
  }
  const found = new Map<string, string[]>([...directKeys].map((key) => [key, []]));
  for (const [key, steps] of paths) found.set(key, [...new Set(steps.map((step) => pathText(step, nameOf)))]);
  return found;
}

/** By key, the names of direct dependencies whose releases have it in their own version: `rails` for `actionpack`. */
export function findReleasedWith({ direct, next, nameOf }: DependencyGraph): Map<string, string[]> {
  const directKeys = new Set(direct.map(({ to }) => to));
  const found = new Map<string, string[]>();
  for (const start of directKeys) {
    const reached = new Set([start]);
    // A set that grows while it is walked is walked to its new end.
    for (const key of reached) {
      for (const { to, isLockstep } of next(key)) if (isLockstep === true && !directKeys.has(to)) reached.add(to);
    }
    reached.delete(start);
    for (const key of reached) found.set(key, [...(found.get(key) ?? []), nameOf(start)]);
  }
  return found;
}

function createStep(key: string, start: string, from: PathStep | null): PathStep {
  const length = (from?.length ?? 0) + 1;
  return { key, start, from, length, head: length > HEAD_NAMES ? (from!.head ?? from) : null };
}

function pathText(step: PathStep, nameOf: (key: string) => string): string {
  const names =
    step.length <= MAX_PATH_NAMES
      ? lastNames(step, step.length, nameOf)
      : [...lastNames(step.head!, HEAD_NAMES, nameOf), '...', ...lastNames(step, TAIL_NAMES, nameOf)];
  // A package and its extra are two steps with one name.
  return names.filter((name, index) => name !== names[index - 1]).join(' > ');
}

function lastNames(step: PathStep, count: number, nameOf: (key: string) => string): string[] {
  const names: string[] = [];
  for (let at: PathStep | null = step; at !== null && names.length < count; at = at.from) names.push(nameOf(at.key));
  return names.toReversed();
}

/** The ways to each package that a direct dependency leads to. Sets of scopes are numbers of one bit for each scope. */
function findWays({ direct, next }: DependencyGraph): Map<string, DependencyWays> {
  const sets = new Map<string, number[]>();
  const queue: [key: string, scopes: number][] = [];
  const reach = ({ to, scope }: DependencyEdge, before: number): void => {
    const scopes = before | (scope === undefined ? 0 : 1 << DEPENDENCY_SCOPES.indexOf(scope));
    const known = sets.get(to) ?? [];
    if (known.some((less) => (less & scopes) === less)) return;
    sets.set(to, [...known.filter((more) => (more & scopes) !== scopes), scopes]);
    queue.push([to, scopes]);
  };
  for (const edge of direct) reach(edge, 0);
  for (const [key, scopes] of queue) for (const edge of next(key)) reach(edge, scopes);
  const waysOf = (known: readonly number[]): DependencyWays =>
    known.includes(0)
      ? []
      : known.map((scopes) => DEPENDENCY_SCOPES.filter((_, index) => (scopes & (1 << index)) !== 0));
  return new Map([...sets].map(([key, known]) => [key, waysOf(known)]));
}

/** An entry of a lockfile that names what it needs without a version. */
export interface NamedEntry {
  key: string;
  name: string;
  /** Other names that it can be asked for by. */
  otherNames?: readonly string[];
  needs: readonly string[];
  /** What it needs only under conditions that the file does not decide. */
  mayNeed?: readonly string[];
}

/**
 * The graph of such a lockfile. Where a name has several entries the file does not say which is needed. Where the names
 * that the project asks for are not known (`asked` is null), they are those that no entry needs: a lockfile holds nothing that nobody
 * asked for.
 */
export function createNamedGraph(
  entries: readonly NamedEntry[],
  asked: readonly { name: string; scope?: DependencyScope }[] | null,
): DependencyGraph {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const own = new Map<string, string[]>();
  const others = new Map<string, string[]>();
  const addKey = (to: Map<string, string[]>, name: string, key: string): void => {
    const known = to.get(name);
    if (known === undefined) to.set(name, [key]);
    else known.push(key);
  };
  for (const { key, name, otherNames = [] } of entries) {
    addKey(own, name, key);
    for (const other of otherNames) addKey(others, other, key);
  }
  const keysOf = (name: string): readonly string[] => meantKeys(own.get(name) ?? others.get(name));
  const needed = new Set(
    entries.flatMap(({ key, needs, mayNeed = [] }) =>
      [...needs, ...mayNeed].flatMap((name) => keysOf(name).filter((other) => other !== key)),
    ),
  );
  const direct =
    asked === null
      ? entries.filter(({ key }) => !needed.has(key)).map(({ key }) => ({ to: key }))
      : asked.flatMap(({ name, scope }) => keysOf(name).map((to) => ({ to, scope })));
  return {
    direct,
    next: (key) => {
      const { needs = [], mayNeed = [] } = byKey.get(key) ?? {};
      return [
        ...needs.flatMap((name) => edgesTo(keysOf(name))),
        ...mayNeed.flatMap(keysOf).map((to) => ({ to, isUncertain: true })),
      ];
    },
    nameOf: (key) => byKey.get(key)?.name ?? key,
  };
}
