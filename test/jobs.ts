/** Test files that run one after the other in one process. */
export interface Job {
  files: string[];
}

/** Beginnings of paths whose files have a process each: they change or measure it, or fill minutes. The longest come first. */
const OWN_PROCESS = [
  'test/faults/',
  'test/security/',
  'test/access/engines/',
  'test/topology/',
  'test/catalog/crash',
  'test/cli/',
  'test/threads/',
  'conformance/mcp/',
  'test/mcp/stdio',
  'test/mcp/docs',
  'test/http/quota-processes',
  'test/http/one-person',
];

/** Pure functions, on data of the repository and of the public suites. */
const PURE = ['test/analysis/', 'test/feeds/', 'conformance/cvss/'];
/** Pure, but some seconds each: worst cases, and what reads feeds. */
const NOT_FAST = [
  'test/analysis/cvss/feeds',
  'test/analysis/injection/bounds',
  'test/analysis/packages/lockfile',
  'test/analysis/packages/more-lockfiles',
  'test/analysis/secrets/linear',
  'test/feeds/hostile',
  'test/feeds/unpack',
  'test/feeds/upstream',
];

/** Files by the process that runs them: those of a folder together, unless they need their own. */
export function planJobs(files: readonly string[]): Job[] {
  const groups = Map.groupBy(files, (file) => (rankOf(file) < 0 ? folderOf(file) : file));
  // The longest first, so that no core waits at the end.
  return [...groups.values()]
    .map((own) => ({ files: own }))
    .toSorted((a, b) => b.files.length - a.files.length || rankOf(a.files[0]!) - rankOf(b.files[0]!));
}

/** What one runs at each save: pure tests, in one process. */
export function planFastJobs(files: readonly string[]): Job[] {
  const fast = files.filter((file) => isIn(PURE, file) && !isIn(NOT_FAST, file));
  return fast.length === 0 ? [] : [{ files: fast }];
}

const isIn = (beginnings: readonly string[], file: string): boolean => beginnings.some((path) => file.startsWith(path));
const rankOf = (file: string): number => OWN_PROCESS.findIndex((path) => file.startsWith(path));
const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');
