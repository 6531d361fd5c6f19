import { Router, Request, Response, NextFunction } from 'express';
import { DataTypes, Model, QueryTypes, Sequelize, literal } from 'sequelize';

const sequelize = new Sequelize(process.env.PG_URL as string, { dialect: 'postgres' });

class Customer extends Model {}
Customer.init({ name: DataTypes.STRING, email: DataTypes.STRING, note: DataTypes.TEXT }, { sequelize, tableName: 'customers' });

const SORTABLE = ['name', 'email', 'created_at'] as const;
type SortKey = (typeof SORTABLE)[number];

const isSortable = (value: unknown): value is SortKey => SORTABLE.includes(value as SortKey);

type AsyncHandler = (req: Request, res: Response) => Promise<unknown>;
const wrap = (handler: AsyncHandler) => (req: Request, res: Response, next: NextFunction) =>
  handler(req, res).catch(next);

function quoteText(value: string): string {
  return "'" + value.replace(/'/g, "\\'") + "'";
}

export const customers = Router();

customers.get('/', wrap(async (req, res) => {
  const sort = isSortable(req.query.sort) ? req.query.sort : 'name';
  const rows = await sequelize.query(
    `SELECT id, name, email FROM customers WHERE active = :active ORDER BY ${sort} LIMIT 100`,
    { replacements: { active: req.query.active !== 'no' }, type: QueryTypes.SELECT },
  );
  res.json(rows);
}));

customers.get('/lookup', wrap(async (req, res) => {
  const name = String(req.query.name ?? '').toLowerCase();
  const found = await Customer.findAll({
    attributes: ['id', 'name'],
    where: literal(`lower(name) = ${quoteText(name)}`),
  });
  res.json(found);
}));

customers.put('/:id/note', wrap(async (req, res) => {
  const note = sequelize.escape(String(req.body.note));
  const id = Number.parseInt(req.params.id, 10);
  await sequelize.query(`UPDATE customers SET note = ${note} WHERE id = ${id}`);
  res.sendStatus(204);
}));

customers.post('/:id/tags', wrap(async (req, res) => {
  const id = Number(req.params.id);
  const tags: string[] = req.body.tags;
  const values = tags
    .filter((tag) => tag.length <= 30)
    .map((tag) => `(${id}, '${tag}')`)
    .join(', ');
  await sequelize.query(`INSERT INTO customer_tags (customer_id, tag) VALUES ${values}`);
  res.sendStatus(201);
}));

customers.get('/segments/:segment', wrap(async (req, res) => {
  const conditions: Record<string, string> = { active: 'active = true' };
  for (const [field, value] of Object.entries(req.query)) {
    conditions[field] = `${field} = '${Number(value)}'`;
  }
  const where = Object.values(conditions).join(' AND ');
  const [rows] = await sequelize.query(`SELECT id FROM customers WHERE ${where}`);
  res.json(rows);
}));
