const PER_VALUE = 16;

/**
 * Approximate bytes of a value in memory: two for each character, plus binary data, plus 16 for every value. Counting ends at `limit`:
 * then the result is some number above it.
 */
export function sizeInMemory(value: unknown, limit: number): number {
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0 && size <= limit) {
    const next = open.pop();
    size += PER_VALUE;
    if (typeof next === 'string') size += 2 * next.length;
    else if (ArrayBuffer.isView(next)) size += next.byteLength;
    else if (typeof next === 'object' && next !== null) size += PER_VALUE * addParts(next, open, limit / PER_VALUE);
  }
  return size;
}

/** Adds the parts of `whole` to `open`, unless they are more than `limit`; returns their number. */
function addParts(whole: object, open: unknown[], limit: number): number {
  const isCollection = whole instanceof Map || whole instanceof Set;
  const count = isCollection ? whole.size : Object.keys(whole).length;
  if (count > limit) return count;
  if (whole instanceof Map) for (const key of whole.keys()) open.push(key);
  for (const part of isCollection ? whole.values() : Object.values(whole)) open.push(part);
  return count;
}
