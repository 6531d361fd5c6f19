import { z } from 'zod';

/** Words to search a catalog by. */
export const Keyword = z
  .string()
  .max(200)
  .regex(/[\p{L}\p{N}]/u, 'at least one letter or digit')
  .optional()
  .meta({
    description: 'Words, best match first. Entries with all of them; where there is none, those with any.',
  });

/** A label or an id that entries are filtered by. */
export const Label = z
  .string()
  .max(100)
  .regex(/[\p{L}\p{N}]/u, 'at least one letter or digit')
  .optional();
