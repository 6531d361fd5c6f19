import type { PageRequest } from './page.ts';

const MAX_WORDS_CHARACTERS = 200;

/** What lists have in common: words (`q`) and where the page begins. A bad offset is the beginning. */
export function listRequest({ query }: PageRequest): { words: string; offset: number } {
  const offset = Number(query.get('offset') ?? 0);
  return {
    words: (query.get('q') ?? '').trim().slice(0, MAX_WORDS_CHARACTERS),
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
  };
}
