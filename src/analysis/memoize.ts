/**
 * The same function, which remembers the results for up to `max` texts or numbers: for pure functions that are asked about the same few
 * again and again. When there are more it forgets them all. Results are shared, so they must not be changed.
 */
export function memoize<Key extends string | number, T>(compute: (key: Key) => T, max: number): (key: Key) => T {
  const known = new Map<Key, T>();
  return (key) => {
    let result = known.get(key);
    if (result === undefined) {
      if (known.size >= max) known.clear();
      result = compute(key);
      known.set(key, result);
    }
    return result;
  };
}
