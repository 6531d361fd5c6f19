import type { PublishedDelta, Snapshot } from './signed-metadata.ts';

/**
 * The deltas that lead from the database with the SHA-256 `from` to the published one with the fewest bytes, in order; null where there
 * is no way, or where the full catalog has no more bytes.
 */
export function findDeltaPath(
  { catalog, full, deltas }: Pick<Snapshot, 'catalog' | 'full' | 'deltas'>,
  from: string,
): PublishedDelta[] | null {
  const best = new Map<string, { bytes: number; path: PublishedDelta[] }>([[from, { bytes: 0, path: [] }]]);
  // As often as there are deltas: no way is longer.
  for (let round = 0, isBetter = true; isBetter && round < deltas.length; round++) {
    isBetter = false;
    for (const delta of deltas) {
      const start = best.get(delta.from);
      if (start === undefined) continue;
      const bytes = start.bytes + delta.bytes;
      if (bytes >= (best.get(delta.to)?.bytes ?? full.bytes)) continue;
      best.set(delta.to, { bytes, path: [...start.path, delta] });
      isBetter = true;
    }
  }
  return best.get(catalog.sha256)?.path ?? null;
}
