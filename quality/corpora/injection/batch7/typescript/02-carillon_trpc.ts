import { initTRPC } from '@trpc/server';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Pool } from 'pg';
import { z } from 'zod';

const pool = new Pool();
const db = drizzle(pool);
const t = initTRPC.create();

const ROLLS = '/srv/carillon/rolls';

const Tower = z.enum(['north', 'south', 'belfry']);
const RollName = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/);

const rolls = t.router({
  read: t.procedure.input(z.object({ tower: Tower, name: RollName })).query(async ({ input }) => {
    const file = path.join(ROLLS, input.tower, `${input.name}.json`);
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  }),

  write: t.procedure
    .input(z.object({ tower: Tower, folder: z.string().min(1).max(60), notes: z.array(z.number()) }))
    .mutation(async ({ input }) => {
      const folder = path.join(ROLLS, input.tower, input.folder);
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'notes.json'), JSON.stringify(input.notes));
      return { folder };
    }),
});

const concerts = t.router({
  search: t.procedure
    .input(z.object({ composer: z.string().trim(), after: z.coerce.number().int() }))
    .query(async ({ input }) => {
      const pattern = `%${input.composer}%`;
      const result = await db.execute(
        sql`SELECT id, title FROM concerts WHERE composer ILIKE ${pattern} AND year > ${input.after}`,
      );
      return result.rows;
    }),

  player: t.procedure.input(z.object({ player: z.string().trim().min(2) })).query(async ({ input }) => {
    const result = await db.execute(
      sql.raw(`SELECT id, title FROM concerts WHERE player ILIKE '%${input.player}%'`),
    );
    return result.rows;
  }),

  season: t.procedure.input(z.coerce.number().int()).query(async ({ input }) => {
    const { rows } = await pool.query(`SELECT count(*)::int AS n FROM concerts WHERE year = ${input}`);
    return rows[0] as { n: number };
  }),

  export: t.procedure
    .input(z.object({ columns: z.array(z.string()).nonempty() }))
    .query(async ({ input }) => {
      const { rows } = await pool.query(`SELECT ${input.columns.join(', ')} FROM concerts ORDER BY id`);
      return rows as Record<string, unknown>[];
    }),
});

export const appRouter = t.router({ rolls, concerts });
export type AppRouter = typeof appRouter;
