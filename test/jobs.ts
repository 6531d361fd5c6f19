/** Test files that run one after the other in one process. */
export interface Job {
  files: string[];
}

/** Beginnings of paths whose files have a process each: they change or measure it, or fill minutes. */
const OWN_PROCESS = [
  'test/faults/',
  'test/security/',
  'test/access/engines/',
  'test/topology/',
  'test/catalog/crash',
  'test/cli/',
  'test/threads/',
  'test/build/package',
  'conformance/mcp/',
  'test/mcp/stdio',
  'test/mcp/docs',
  'test/http/quota-processes',
  'test/http/one-person',
  'test/pages/browser',
  'test/truth/affected',
  'test/truth/patches',
  'test/truth/sigma',
  'test/truth/watches',
  // They measure the CPU time of their thread, in which a group loads its next file.
  'test/operations/check-dependencies',
  'test/operations/code-',
];

/** Pure functions, on data of the repository and of the public suites. */
const PURE = ['test/analysis/', 'test/feeds/', 'conformance/cvss/'];
/** Pure, but some seconds each: worst cases, and what reads feeds. */
const NOT_FAST = [
  'test/analysis/cvss/feeds',
  'test/analysis/identity/identify-products',
  'test/analysis/injection/bounds',
  'test/analysis/injection/labelled',
  'test/analysis/packages/lockfile',
  'test/analysis/packages/more-lockfiles',
  'test/analysis/secrets/linear',
  'test/feeds/hostile',
  'test/feeds/unpack',
  'test/feeds/upstream',
];

/**
 * Beginnings of paths of the longest jobs: they begin first, so that no core waits at the end. The first one makes the full catalog, the
 * second reads the raw feeds; who needs them waits, so that those come later.
 */
const FIRST = [
  'test/truth/affected',
  'test/truth/patches',
  'test/pages/browser',
  'test/security/ssrf',
  'test/security/',
  'test/faults/',
  'test/truth/',
  'test/analysis/',
  'test/operations/',
  'test/catalog/crash',
  'test/access/engines/',
  'test/topology/',
  'test/cli/',
];
/** Of one process: more of a folder are in several. */
const MAX_FILES = 20;

/** Files by the process that runs them: those of a folder together, at most `MAX_FILES`, unless they need their own. */
export function planJobs(files: readonly string[]): Job[] {
  const groups = Map.groupBy(files, (file) => (isIn(OWN_PROCESS, file) ? file : folderOf(file)));
  return [...groups.values()]
    .flatMap((own) => inParts(own).map((part) => ({ files: part })))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.files.length - a.files.length);
}

/** As few parts as can be, of about the same size. */
function inParts(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / MAX_FILES);
  return Array.from({ length: count }, (_, part) => files.filter((_file, at) => at % count === part));
}

/** What one runs at each save: pure tests, a folder in a process. */
export function planFastJobs(files: readonly string[]): Job[] {
  const fast = files.filter((file) => isIn(PURE, file) && !isIn(NOT_FAST, file));
  return [...Map.groupBy(fast, folderOf).values()].map((own) => ({ files: own }));
}

const isIn = (beginnings: readonly string[], file: string): boolean => beginnings.some((path) => file.startsWith(path));
const rankOf = ({ files: [first] }: Job): number => {
  const rank = FIRST.findIndex((path) => first!.startsWith(path));
  return rank < 0 ? FIRST.length : rank;
};
const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');
