import express, { NextFunction, Request, Response } from 'express';
import sql, { ConnectionPool } from 'mssql';

const app = express();
app.use(express.json());

class UnknownBinError extends Error {
  constructor(readonly bin: string) {
    super(`Bin ${bin} does not exist`);
  }
}

class StockRepository {
  private warehouse = 'MAIN';

  constructor(private readonly pool: ConnectionPool) {}

  forWarehouse(code: string): this {
    this.warehouse = code;
    return this;
  }

  async bySku(sku: string) {
    const result = await this.pool.query`SELECT * FROM stock WHERE sku = ${sku}`;
    return result.recordset;
  }

  async inventory() {
    const result = await this.pool
      .request()
      .query(`SELECT sku, qty FROM stock WHERE warehouse = '${this.warehouse}'`);
    return result.recordset;
  }

  async assign(bin: string, sku: string): Promise<void> {
    const request = this.pool.request().input('bin', sql.VarChar, bin).input('sku', sql.VarChar, sku);
    const result = await request.query('UPDATE bins SET sku = @sku WHERE code = @bin');
    if (result.rowsAffected[0] === 0) throw new UnknownBinError(bin);
  }

  async recordFailure(error: Error): Promise<void> {
    const text = "INSERT INTO failures (at, message) VALUES (SYSUTCDATETIME(), '" + error.message + "')";
    await this.pool.request().batch(text);
  }
}

type Route = (repository: StockRepository, req: Request, res: Response) => Promise<unknown>;

function route(work: Route) {
  return async (req: Request, res: Response, next: NextFunction) => {
    const repository = new StockRepository(await sql.connect(process.env.MSSQL_URL!));
    try {
      await work(repository, req, res);
    } catch (error) {
      await repository.recordFailure(error as Error);
      next(error);
    }
  };
}

app.get('/stock/:sku', route(async (repository, req, res) => {
  res.json(await repository.bySku(req.params.sku));
}));

app.get('/inventory', route(async (repository, req, res) => {
  const code = req.header('x-warehouse');
  const scoped = code ? repository.forWarehouse(code) : repository;
  res.json(await scoped.inventory());
}));

app.put('/bins/:bin', route(async (repository, req, res) => {
  await repository.assign(req.params.bin, req.body.sku);
  res.sendStatus(204);
}));

app.listen(5000);
