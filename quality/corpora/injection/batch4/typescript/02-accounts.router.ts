import { Router, type NextFunction, type Request, type Response } from 'express';
import mysql, { type RowDataPacket } from 'mysql2/promise';

const pool = mysql.createPool({ uri: process.env.MYSQL_URL });

enum SortKey {
  Name = 'name',
  Created = 'created_at',
  Balance = 'balance',
}

type TenantId = string & { readonly __brand: 'TenantId' };

interface AgingQuery {
  minDays: number;
  page: number;
}

function parseSort(raw: unknown): SortKey {
  const known = Object.values(SortKey) as unknown[];
  return known.includes(raw) ? (raw as SortKey) : SortKey.Created;
}

function tenantOf(req: Request): TenantId {
  const header = req.header('x-tenant');
  if (!header) {
    throw new Error('tenant header missing');
  }
  return header as TenantId;
}

class LedgerStore {
  constructor(private readonly tenant: TenantId) {}

  async balances(sort: SortKey): Promise<RowDataPacket[]> {
    const [rows] = await pool.query<RowDataPacket[]>(
      `SELECT id, name, balance FROM accounts ORDER BY ${sort} DESC LIMIT 100`,
    );
    return rows;
  }

  async aging({ minDays }: AgingQuery): Promise<RowDataPacket[]> {
    const sql = `SELECT id, name FROM accounts WHERE DATEDIFF(NOW(), last_paid) > ${minDays}`;
    const [rows] = await pool.query<RowDataPacket[]>(sql);
    return rows;
  }

  async journal({ page }: AgingQuery): Promise<RowDataPacket[]> {
    const [rows] = await pool.query<RowDataPacket[]>(`SELECT * FROM journal LIMIT 25 OFFSET ${page * 25}`);
    return rows;
  }

  async search(term: string): Promise<RowDataPacket[]> {
    const pattern = `'%${mysql.escape(term)}%'`;
    const [rows] = await pool.query<RowDataPacket[]>(`SELECT id, name FROM accounts WHERE name LIKE ${pattern}`);
    return rows;
  }

  async closing(): Promise<RowDataPacket[]> {
    const [rows] = await pool.query<RowDataPacket[]>(`SELECT * FROM \`${this.tenant}\`.closings`);
    return rows;
  }
}

type Action = (store: LedgerStore, req: Request) => Promise<RowDataPacket[]>;

const handle = (action: Action) => async (req: Request, res: Response, next: NextFunction) => {
  try {
    res.json(await action(new LedgerStore(tenantOf(req)), req));
  } catch (err) {
    next(err);
  }
};

export const accounts = Router()
  .get('/balances', handle((store, req) => store.balances(parseSort(req.query.sort))))
  .get('/aging', handle((store, req) => store.aging(req.query as unknown as AgingQuery)))
  .get('/journal', handle((store, req) => store.journal(req.query as unknown as AgingQuery)))
  .get('/search', handle((store, req) => store.search(String(req.query.q))))
  .get('/closing', handle((store) => store.closing()));
