const PER_VALUE = 16;

/**
 * About how many bytes a value takes: strings at two bytes a character, bytes as they are, 16 for every value. Counting ends
 * past `limit`: then the result is some number above it.
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

/** Adds what `whole` holds to `open`; gives how many parts it has. Of one with more than `limit` parts nothing is added. */
function addParts(whole: object, open: unknown[], limit: number): number {
  const isCollection = whole instanceof Map || whole instanceof Set;
  const count = isCollection ? whole.size : Object.keys(whole).length;
  if (count > limit) return count;
  if (whole instanceof Map) for (const key of whole.keys()) open.push(key);
  for (const part of isCollection ? whole.values() : Object.values(whole)) open.push(part);
  return count;
}
