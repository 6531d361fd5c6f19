import Koa from 'koa';
import Router from '@koa/router';
import bodyParser from 'koa-bodyparser';
import { QueryTypes, Sequelize } from 'sequelize';

const sequelize = new Sequelize(process.env.DB_URI as string);
const router = new Router();

interface Filter {
  room?: string;
  day?: string;
  extra?: { note?: string };
}

function bookingSql({ room = 'A1', extra: { note = '' } = {} }: Filter, table = 'booking'): string {
  return `SELECT * FROM ${table} WHERE room = '${room}' AND note LIKE '%${note}%'`;
}

router.post('/bookings/search', async (ctx) => {
  const filter = ctx.request.body as Filter;
  ctx.body = await sequelize.query(bookingSql(filter), { type: QueryTypes.SELECT });
});

router.post('/bookings/day', async (ctx) => {
  const { day, ...rest } = ctx.request.body as Filter;
  ctx.log = Object.keys(rest);
  ctx.body = await sequelize.query('SELECT * FROM booking WHERE day = :day', {
    replacements: { day },
    type: QueryTypes.SELECT,
  });
});

router.delete('/bookings', async (ctx) => {
  const { guest: name = 'nobody' } = ctx.query as { guest?: string };
  await sequelize.query("DELETE FROM booking WHERE guest = '" + name + "'");
  ctx.status = 204;
});

router.get('/bookings/archive', async (ctx) => {
  const [table, who] = ['booking_archive', ctx.query.who as string];
  ctx.body = await sequelize.query(`SELECT * FROM ${table} WHERE guest = $1`, {
    bind: [who],
    type: QueryTypes.SELECT,
  });
});

const app = new Koa();
app.use(bodyParser());
app.use(router.routes());
app.listen(3005);
