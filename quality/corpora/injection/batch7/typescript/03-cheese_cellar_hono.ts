import { Hono } from 'hono';
import type { D1Database } from '@cloudflare/workers-types';

type Bindings = { DB: D1Database };
type Shelf = 'cave' | 'cold' | 'smoke';

const shelves = new Set<string>(['cave', 'cold', 'smoke']);
const isShelf = (value: string): value is Shelf => shelves.has(value);

const metrics = {
  moisture: 'AVG(moisture)',
  weight: 'SUM(weight)',
  count: 'COUNT(*)',
} satisfies Record<string, string>;

const app = new Hono<{ Bindings: Bindings }>();

app.get('/wheels/:shelf', async (c) => {
  const shelf = c.req.param('shelf');
  if (!isShelf(shelf)) {
    return c.json({ error: 'shelf' }, 404);
  }
  const { results } = await c.env.DB.prepare(`SELECT * FROM wheels_${shelf} WHERE batch = ?1`)
    .bind(c.req.query('batch') ?? '')
    .all();
  return c.json(results);
});

app.get('/rinds/:shelf', async (c) => {
  const shelf = c.req.param('shelf') as Shelf;
  const { results } = await c.env.DB.prepare(`SELECT id, culture FROM rinds_${shelf} LIMIT 50`).all();
  return c.json(results);
});

app.get('/metrics', async (c) => {
  const key = c.req.query('metric') ?? 'count';
  const expression = Object.hasOwn(metrics, key) ? metrics[key as keyof typeof metrics] : metrics.count;
  const row = await c.env.DB.prepare(`SELECT ${expression} AS value FROM wheels_cave`).first();
  return c.json(row);
});

app.post('/turn', async (c) => {
  const body = await c.req.json<{ wheel: number; by: string }>();
  await c.env.DB.prepare(`INSERT INTO turns (wheel, turned_by) VALUES (${body.wheel}, ?)`)
    .bind(body.by)
    .run();
  return c.body(null, 204);
});

app.post('/tastings', async (c) => {
  const { notes } = await c.req.json<{ notes: { wheel: number; text: string }[] }>();
  const statement = c.env.DB.prepare('INSERT INTO tastings (wheel, text) VALUES (?1, ?2)');
  await c.env.DB.batch(notes.map((n) => statement.bind(n.wheel, n.text)));
  return c.json({ stored: notes.length }, 201);
});

app.delete('/wheels/cave/:id', async (c) => {
  const id = c.req.param('id').replaceAll('"', '').replaceAll(';', '');
  const outcome = await c.env.DB.exec(`DELETE FROM wheels_cave WHERE id = '${id}'`);
  return c.json({ count: outcome.count });
});

app.notFound((c) => c.json({ error: 'not found' }, 404));

export default app;
