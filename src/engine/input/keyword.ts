import { z } from 'zod';

/** Words for a catalog search. */
export const Keyword = z
  .string()
  .max(200)
  .regex(/[\p{L}\p{N}]/u, 'at least one letter or digit')
  .optional()
  .meta({
    description: 'Words; the best match first.',
  });

/** A label or an id that entries are filtered by. */
export const Label = z
  .string()
  .max(100)
  .regex(/[\p{L}\p{N}]/u, 'at least one letter or digit')
  .optional();
