import { NameTest } from './name-test.ts';

/** Functions whose result is the list of what their callback makes of each element. */
export const MAP_FUNCTIONS = new NameTest(
  /^(map|flatMap|Select|SelectMany|collect|flat_map|array_map|each_with_index|mapToObj|filter_map|then(Apply|Compose)(Async)?|handleAsync|flatMapMany|flatMapIterable|concatMap|switchMap|mapNotNull|mapMulti|ContinueWith|SelectAwait|ConvertAll)$/,
);
export const FILTER_FUNCTIONS = new NameTest(
  /^(filter|Where|select|reject|find|detect|array_filter|findFirst|takeWhile|FirstOrDefault|First)$/,
);
export const REDUCE_FUNCTIONS = new NameTest(
  /^(reduce|reduceRight|reduce_right|inject|fold|foldl|foldLeft|Aggregate|each_with_object|array_reduce)$/,
);
/** Functions that call their callback for each element, for what it does. */
export const EACH_FUNCTIONS = new NameTest(/^(?:[fF]orEach(?:Series|Of)?|each(?:Series|Limit|Of)?|pEach|array_walk)$/);
/** Other functions that do: of libraries for promises, tests of all elements, sorting. */
const FURTHER_FUNCTIONS = new NameTest(
  /^(?:map(?:Series|Limit|Values)|pMap(?:Series)?|imap|starmap|some|every|any|all|usort)$/,
);

/** Whether a function calls the one that it is given for each element of a list. */
export function callsForEach(name: string): boolean {
  return [MAP_FUNCTIONS, FILTER_FUNCTIONS, EACH_FUNCTIONS, FURTHER_FUNCTIONS].some((names) => names.test(name));
}
