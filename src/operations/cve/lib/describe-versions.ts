import type { z } from 'zod';
import { describeRange } from '../../../analysis/affected/test-version.ts';
import type { AffectedProduct } from './schemas.ts';

/** The versions of a row of affected products as text; empty: it names none. */
export function describeVersions(row: z.output<typeof AffectedProduct>): string {
  const range = describeRange({
    start_including: row.version_start_including,
    start_excluding: row.version_start_excluding,
    end_including: row.version_end_including,
    end_excluding: row.version_end_excluding,
  });
  return range || [row.version === '-' ? null : row.version, row.update].filter(Boolean).join(' ');
}
