import { IncomingMessage, ServerResponse, createServer } from 'node:http';
import { Pool, QueryResultRow } from 'pg';

const pool = new Pool({ connectionString: process.env.PARKING_DB });

type Filter = Record<string, string>;

abstract class Repository<T extends QueryResultRow> {
  protected abstract readonly table: string;
  protected abstract readonly columns: readonly string[];

  async find(filter: Filter): Promise<T[]> {
    const keys = Object.keys(filter);
    const where = keys.map((key, i) => `${key} = $${i + 1}`).join(' AND ') || 'true';
    const { rows } = await pool.query<T>(
      `SELECT * FROM ${this.table} WHERE ${where}`,
      keys.map((key) => filter[key]),
    );
    return rows;
  }

  async count(filter: Filter): Promise<number> {
    const keys = Object.keys(filter).filter((key) => this.columns.includes(key));
    const where = keys.map((key, i) => `${key} = $${i + 1}`).join(' AND ') || 'true';
    const { rows } = await pool.query<{ n: string }>(
      `SELECT count(*) AS n FROM ${this.table} WHERE ${where}`,
      keys.map((key) => filter[key]),
    );
    return Number(rows[0].n);
  }

  async since(moment: string): Promise<T[]> {
    const date = new Date(moment);
    if (Number.isNaN(date.getTime())) {
      return [];
    }
    const { rows } = await pool.query<T>(`SELECT * FROM ${this.table} WHERE at > '${date.toISOString()}'`);
    return rows;
  }
}

interface Stay {
  id: number;
  plate: string;
  at: Date;
}

class StayRepository extends Repository<Stay> {
  protected readonly table = 'stays';
  protected readonly columns = ['plate', 'garage', 'level'] as const;

  async lastOf(plate: string): Promise<Stay | undefined> {
    const normal = plate.toUpperCase().replace(/\s/g, '');
    const { rows } = await pool.query<Stay>(`SELECT * FROM stays WHERE plate = '${normal}' ORDER BY at DESC LIMIT 1`);
    return rows[0];
  }

  async history(plate: string): Promise<Stay[]> {
    const { rows } = await pool.query<Stay>({ text: 'SELECT * FROM stays WHERE plate = $1', values: [plate] });
    return rows;
  }
}

const stays = new StayRepository();

async function route(url: URL): Promise<unknown> {
  const filter = Object.fromEntries(url.searchParams);
  switch (url.pathname) {
    case '/stays':
      return stays.find(filter);
    case '/stays/count':
      return stays.count(filter);
    case '/stays/since':
      return stays.since(filter.moment);
    case '/stays/last':
      return stays.lastOf(filter.plate ?? '');
    case '/stays/history':
      return stays.history(filter.plate ?? '');
    default:
      return null;
  }
}

createServer(async (req: IncomingMessage, res: ServerResponse) => {
  try {
    const body = await route(new URL(req.url ?? '/', 'http://localhost'));
    res.writeHead(body === null ? 404 : 200).end(JSON.stringify(body));
  } catch (err) {
    res.writeHead(500).end((err as Error).message);
  }
}).listen(4105);
