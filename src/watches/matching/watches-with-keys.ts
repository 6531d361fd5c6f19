import type { WatchKey } from '../../analysis/watch/watch-keys.ts';
import type { Watch } from '../../engine/watch-book.ts';
import type { MatchStore } from '../store/watch-store.ts';

/** A watch of components may have hundreds of them. */
const WATCHES_OF_PAGE = 500;

/** All watches that have one of at most 1,000 keys, page by page: many may have the same. */
export async function* watchesWithKeys(
  store: Pick<MatchStore, 'findByKeys'>,
  keys: readonly WatchKey[],
): AsyncIterable<readonly Watch[]> {
  let afterId = '';
  for (;;) {
    const page = await store.findByKeys(keys, { afterId, limit: WATCHES_OF_PAGE });
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < WATCHES_OF_PAGE) return;
    afterId = last.id;
  }
}
