/**
 * The difference of two byte arrays, as in bsdiff: copies from the old bytes that need not be exact, each with the differences of its
 * bytes, and literal bytes between them. A list of numbers that all grew by one becomes a run of equal bytes, which packs well; an
 * exact match would find nothing there.
 */

/** The sizes allow to check everything before it is used. */
export interface Difference {
  /** For each copy three numbers: literal bytes before it, bytes copied, and how far the copy starts from where the last one ended. */
  steps: number[];
  /** New minus old of all copied bytes, modulo 256. */
  differences: Buffer;
  literals: Buffer;
}

const SEED_BYTES = 16;
const SEED_STEP = 4;
const MAX_SEED_TABLE_BITS = 24;
const SAMPLE_BYTES = 32;
/** Equal bytes of a sample from which on a copy is worth its step. */
const MIN_EQUAL_BYTES = 18;
/** Entries that were put into a list of 32-bit numbers, or taken out of it, move the rest by this much. */
const SHIFTS = [0, 1, -1, 2, -2, 3, -3, 4, -4, 8, -8, 12, -12, 16, -16];
/** A copy ends where so many more bytes differ than are equal. */
const MAX_LOSS = 48;

/** The steps from `old` to `next`. Takes time in proportion to both sizes. */
export function computeDifference(old: Buffer, next: Buffer): Difference {
  const seeds = indexSeeds(old);
  const steps: number[] = [];
  const differences = Buffer.alloc(next.length);
  const literals = Buffer.alloc(next.length);
  let [differenceBytes, literalBytes, literalStart] = [0, 0, 0];
  /** Where the last copy ended in `old`, and its distance from there in `next`. */
  let [copyEnd, distance] = [0, 0];
  for (let at = 0; at < next.length; ) {
    const from = bestStart(old, next, at, distance, seeds);
    if (from === -1) {
      at++;
      continue;
    }
    const length = approximateLength(old, next, from, at, seeds);
    literalBytes += next.copy(literals, literalBytes, literalStart, at);
    steps.push(at - literalStart, length, from - copyEnd);
    for (let index = 0; index < length; index++) {
      differences[differenceBytes++] = next[at + index]! - old[from + index]!;
    }
    at += length;
    literalStart = at;
    copyEnd = from + length;
    distance = copyEnd - at;
  }
  literalBytes += next.copy(literals, literalBytes, literalStart);
  return {
    steps,
    differences: differences.subarray(0, differenceBytes),
    literals: literals.subarray(0, literalBytes),
  };
}

/** The new bytes; null where the difference does not fit `old` or does not give exactly `length` bytes. */
export function applyDifference(
  old: Buffer,
  { steps, differences, literals }: Difference,
  length: number,
): Buffer | null {
  if (steps.length % 3 !== 0 || differences.length + literals.length !== length) return null;
  const next = Buffer.allocUnsafe(length);
  let [at, differenceAt, literalAt, copyEnd] = [0, 0, 0, 0];
  for (let index = 0; index < steps.length; index += 3) {
    const [before, copied, jump] = [steps[index]!, steps[index + 1]!, steps[index + 2]!];
    const from = copyEnd + jump;
    const isInside = from >= 0 && from + copied <= old.length && differenceAt + copied <= differences.length;
    if (before < 0 || copied < 0 || literalAt + before > literals.length || !isInside) return null;
    literals.copy(next, at, literalAt, literalAt + before);
    at += before;
    literalAt += before;
    for (let offset = 0; offset < copied; offset++) {
      next[at + offset] = old[from + offset]! + differences[differenceAt + offset]!;
    }
    at += copied;
    differenceAt += copied;
    copyEnd = from + copied;
  }
  if (differenceAt !== differences.length) return null;
  literals.copy(next, at, literalAt);
  return next;
}

function bestStart(old: Buffer, next: Buffer, at: number, distance: number, seeds: Int32Array): number {
  if (at + SEED_BYTES > next.length) return -1;
  let best = -1;
  let bestEqual = MIN_EQUAL_BYTES - 1;
  const consider = (from: number): void => {
    const equal = equalBytes(old, next, from, at);
    if (equal > bestEqual) [best, bestEqual] = [from, equal];
  };
  for (const shift of SHIFTS) consider(at + distance + shift);
  if (bestEqual === SAMPLE_BYTES) return best;
  if (distance !== 0) consider(at);
  const seed = seeds[hashSeed(next, at, seeds.length)]!;
  if (seed !== -1) consider(seed);
  return best;
}

/** Of the next bytes from two places. */
function equalBytes(old: Buffer, next: Buffer, from: number, at: number): number {
  const length = Math.min(SAMPLE_BYTES, old.length - from, next.length - at);
  if (from < 0 || length <= 0) return 0;
  let equal = 0;
  for (let index = 0; index < length; index++) if (old[from + index] === next[at + index]) equal++;
  return equal;
}

/** How far a copy from `from` to `at` pays, and at least one byte. */
function approximateLength(old: Buffer, next: Buffer, from: number, at: number, seeds: Int32Array): number {
  const end = Math.min(old.length - from, next.length - at);
  let [gain, bestGain, best] = [0, 0, 1];
  for (let index = 0; index < end; index++) {
    gain += old[from + index] === next[at + index] ? 1 : -1;
    if (gain > bestGain) [bestGain, best] = [gain, index + 1];
    if (gain < bestGain - MAX_LOSS) break;
    // Where this copy fits badly, one that fits exactly takes over.
    if (index % SEED_BYTES === 0 && gain < bestGain - 4 && at + index + SEED_BYTES <= next.length) {
      const seed = seeds[hashSeed(next, at + index, seeds.length)]!;
      if (seed !== -1 && seed !== from + index && equalBytes(old, next, seed, at + index) === SAMPLE_BYTES) break;
    }
  }
  return best;
}

/** Positions in `bytes` by the hash of what stands there; -1: none. A power of 2 of places, up to twice as many as there are positions. */
function indexSeeds(bytes: Buffer): Int32Array {
  const positions = Math.ceil(bytes.length / SEED_STEP);
  const seeds = new Int32Array(1 << Math.min(MAX_SEED_TABLE_BITS, 33 - Math.clz32(positions))).fill(-1);
  for (let at = 0; at + SEED_BYTES <= bytes.length; at += SEED_STEP) seeds[hashSeed(bytes, at, seeds.length)] = at;
  return seeds;
}

/** A number below `places`, a power of 2. */
function hashSeed(bytes: Buffer, at: number, places: number): number {
  let hash = 0;
  for (let index = 0; index < SEED_BYTES; index += 4) {
    const word =
      bytes[at + index]! |
      (bytes[at + index + 1]! << 8) |
      (bytes[at + index + 2]! << 16) |
      (bytes[at + index + 3]! << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> (Math.clz32(places) + 1);
}
