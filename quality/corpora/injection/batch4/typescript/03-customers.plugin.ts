import type { FastifyInstance } from 'fastify';
import { Prisma, PrismaClient } from '@prisma/client';

const prisma = new PrismaClient();
const EXPORTABLE: ReadonlySet<string> = new Set(['id', 'email', 'country', 'created_at']);

interface RankingQuery {
  by?: string;
  dir?: 'asc' | 'desc';
}

function split(list: string | undefined): string[] {
  return (list ?? 'id').split(',').map((c) => c.trim());
}

function usable(column: string): boolean {
  return column.length > 0 && column.length <= 60;
}

export default async function customers(app: FastifyInstance): Promise<void> {
  app.get<{ Querystring: { email: string } }>('/customers', async (request) => {
    const { email } = request.query;
    return prisma.$queryRaw`SELECT id, email FROM "Customer" WHERE email = ${email}`;
  });

  app.get<{ Querystring: RankingQuery }>('/customers/ranking', async (request) => {
    const { by = 'lifetime_value', dir } = request.query;
    const direction = dir === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
    return prisma.$queryRaw`
      SELECT id, email FROM "Customer"
      ORDER BY ${Prisma.raw(by)} ${direction}
      LIMIT 20`;
  });

  app.get<{ Querystring: { columns?: string } }>('/customers/report', async (request) => {
    const columns = split(request.query.columns).filter(usable);
    const sql = `SELECT ${columns.join(', ')} FROM "Customer" LIMIT 1000`;
    return prisma.$queryRawUnsafe(sql);
  });

  app.get<{ Querystring: { columns?: string } }>('/customers/export', async (request, reply) => {
    const columns = split(request.query.columns).filter((c) => EXPORTABLE.has(c));
    if (columns.length === 0) {
      return reply.code(400).send({ error: 'no exportable column' });
    }
    const sql = `SELECT ${columns.join(', ')} FROM "Customer" LIMIT 1000`;
    return prisma.$queryRawUnsafe(sql);
  });
}
