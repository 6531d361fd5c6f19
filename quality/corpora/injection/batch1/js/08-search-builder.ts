import { FastifyInstance } from 'fastify';
import { Pool } from 'pg';
import { format } from 'util';

const pool = new Pool();

interface Search {
  title?: string;
  author?: string;
  minYear?: string;
}

export default async function routes(app: FastifyInstance) {
  app.get<{ Querystring: Search }>('/books', async (request) => {
    const q = request.query;
    const parts: string[] = [];
    if (q.title) {
      parts.push(format("title ILIKE '%%%s%%'", q.title));
    }
    if (q.author) {
      parts.push(format("author = '%s'", q.author));
    }
    const where = parts.length ? ' WHERE ' + parts.join(' AND ') : '';
    const { rows } = await pool.query('SELECT * FROM books' + where);
    return rows;
  });

  app.get<{ Querystring: Search }>('/books/since', async (request) => {
    const sql = format('SELECT * FROM books WHERE year >= %d', Number(request.query.minYear));
    const { rows } = await pool.query(sql);
    return rows;
  });
}
