import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    tenant: string;
  }
}

const db = new Database(process.env.EVENTS_DB ?? 'events.db');

class EventQuery {
  private readonly conditions: string[] = [];

  constructor(private readonly tenant: string) {
    this.conditions.push(`tenant = '${this.tenant}'`);
  }

  since(from: Date): this {
    this.conditions.push(`created_at >= '${from.toISOString()}'`);
    return this;
  }

  build(): string {
    return `SELECT id, type, payload FROM events WHERE ${this.conditions.join(' AND ')} LIMIT 500`;
  }
}

const idParams = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', minimum: 1 } },
} as const;

export async function events(app: FastifyInstance): Promise<void> {
  app.decorateRequest('tenant', '');

  app.addHook('preHandler', async (request) => {
    const header = request.headers['x-tenant'];
    request.tenant = (Array.isArray(header) ? header[0] : header) ?? 'public';
  });

  app.get<{ Querystring: { from?: string } }>('/events', async (request) => {
    const query = new EventQuery(request.tenant).since(new Date(request.query.from ?? 0));
    return db.prepare(query.build()).all();
  });

  app.get<{ Querystring: { q: string } }>('/events/search', async (request) => {
    const pattern = request.query.q.replace(/[%_]/g, '\\$&');
    return db.prepare(`SELECT id FROM events WHERE payload LIKE '%${pattern}%' ESCAPE '\\'`).all();
  });

  app.get<{ Querystring: { day: string } }>('/events/daily', async (request) => {
    const from = new Date(request.query.day);
    const to = new Date(from.getTime() + 86_400_000);
    return db
      .prepare(
        'SELECT type, COUNT(*) AS n FROM events '
          + `WHERE created_at >= '${from.toISOString()}' AND created_at < '${to.toISOString()}' GROUP BY type`,
      )
      .all();
  });

  app.delete<{ Params: { id: number } }>('/events/:id', { schema: { params: idParams } }, async (request, reply) => {
    db.exec(`DELETE FROM events WHERE id = ${request.params.id}`);
    return reply.code(204).send();
  });

  app.post<{ Body: { ids: number[] } }>('/events/purge', async (request, reply) => {
    const { ids } = request.body;
    db.exec(`DELETE FROM events WHERE id IN (${ids.join(', ')})`);
    return reply.code(204).send();
  });
}
