/**
 * The same function, which remembers the results of up to `max` texts: for pure functions that are asked about the same few texts again
 * and again. Results are shared, so they must not be changed.
 */
export function memoizeByText<T>(compute: (text: string) => T, max: number): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      if (known.size >= max) known.clear();
      result = compute(text);
      known.set(text, result);
    }
    return result;
  };
}
