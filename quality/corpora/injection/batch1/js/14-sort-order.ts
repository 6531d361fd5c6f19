import { Hono } from 'hono';
import Database from 'better-sqlite3';

const db = new Database('catalog.db');
const app = new Hono();

function column(key: string): string {
  switch (key) {
    case 'price':
      return 'price';
    case 'name':
      return 'title';
    default:
      return 'id';
  }
}

app.get('/items', (c) => {
  const col = column(c.req.query('sort') ?? '');
  const dir = c.req.query('dir') === 'desc' ? 'DESC' : 'ASC';
  const rows = db.prepare(`SELECT * FROM items ORDER BY ${col} ${dir}`).all();
  return c.json(rows);
});

app.get('/items/archive', (c) => {
  const sort = c.req.query('sort');
  const col = sort ? sort : 'id';
  const rows = db.prepare(`SELECT * FROM archive ORDER BY ${col}`).all();
  return c.json(rows);
});

export default app;
