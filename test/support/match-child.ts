/**
 * Matches watches in a process of its own, to be killed: `node match-child.ts <catalog folder> <folder of watches.db>`. Sends `commit` before
 * each transaction that writes matches, `committed` after it, and `done` at the end.
 */
const [, , catalogFolder, watchesFolder] = process.argv;

const { CatalogHandle } = await import('../../src/catalog/catalog-handle.ts');
const { matchChanges } = await import('../../src/watches/matching/match-changes.ts');
const { openWatchStore } = await import('../../src/watches/store/open-watch-store.ts');

const told = (message: string): Promise<void> => new Promise((resolve) => process.send!(message, () => resolve()));
const now = (): Date => new Date();
const store = await openWatchStore({ dataDir: watchesFolder!, secret: null, databaseUrl: null }, now);
const catalog = new CatalogHandle(catalogFolder!, (problem) => {
  throw problem;
});
const commit = store.matches.commitMatches.bind(store.matches);
store.matches.commitMatches = async (from, to, matches) => {
  await told('commit');
  const isCommitted = await commit(from, to, matches);
  await told('committed');
  return isCommitted;
};
const ask = async () => {
  throw new Error('nothing is asked');
};
await matchChanges({ store: store.matches, catalog, ask, now }, new AbortController().signal);
await told('done');
await store.close();
catalog.close();
process.disconnect?.();
