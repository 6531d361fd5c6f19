/** What a server chose in one connection, of two lists. */
export type PairChoice = { first: number; second: number } | 'refused' | null;

export interface PairEnumeration {
  first: readonly number[];
  second: readonly number[];
  /** It answered until it refused what was left, so that nothing is missing. */
  firstComplete: boolean;
  secondComplete: boolean;
}

type List = 'first' | 'second';

/**
 * What a server takes of two lists that it chooses from at the same time (signature scheme and group), by removing both choices
 * from the next offer. Once it refuses, each list is offered alone beside what it takes of the other one. `known`: chosen before.
 */
export async function enumeratePairs(
  candidates: Readonly<Record<List, readonly number[]>>,
  known: Readonly<Record<List, Iterable<number>>>,
  ask: (first: readonly number[], second: readonly number[]) => Promise<PairChoice>,
): Promise<PairEnumeration> {
  const found = { first: new Set(known.first), second: new Set(known.second) };
  const done = { first: false, second: false };
  const rest = (list: List): number[] => candidates[list].filter((code) => !found[list].has(code));
  const result = (): PairEnumeration => ({
    first: [...found.first],
    second: [...found.second],
    firstComplete: done.first,
    secondComplete: done.second,
  });
  /** Lists of which only new entries are offered. */
  let open: readonly List[] = ['first', 'second'];
  for (;;) {
    for (const list of ['first', 'second'] as const) if (rest(list).length === 0) done[list] = true;
    open = open.filter((list) => !done[list]);
    if (open.length === 0) open = (['first', 'second'] as const).filter((list) => !done[list]).slice(0, 1);
    if (open.length === 0) return result();
    const offer = (list: List): number[] => (open.includes(list) ? rest(list) : [...found[list]]);
    const choice = await ask(offer('first'), offer('second'));
    if (choice === null) return result();
    if (choice === 'refused') {
      if (found.first.size === 0) return { ...result(), firstComplete: true, secondComplete: true };
      if (open.length === 1) done[open[0]!] = true;
      open = open.length === 2 ? ['first'] : [];
    } else {
      // A choice that was made before shows that the server does not go by what is offered.
      if (found.first.has(choice.first) && found.second.has(choice.second)) return result();
      found.first.add(choice.first);
      found.second.add(choice.second);
    }
  }
}
