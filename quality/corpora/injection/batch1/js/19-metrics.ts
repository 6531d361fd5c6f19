import { Server } from 'socket.io';
import { createPool } from 'mysql2/promise';

const pool = createPool({ host: 'db', database: 'metrics' });
const io = new Server(4000);

const sleep = (ms: number) => new Promise<void>((r) => setTimeout(r, ms));

async function resolveSeries(name: string): Promise<string> {
  await sleep(10);
  return 'series_' + name;
}

io.on('connection', (socket) => {
  socket.on('series', async (name: string) => {
    const table = await resolveSeries(name);
    const [rows] = await pool.query(`SELECT ts, v FROM ${table} ORDER BY ts`);
    socket.emit('series', rows);
  });

  socket.on('point', (name: string, value: number) => {
    pool
      .execute('INSERT INTO points(name, v) VALUES (?, ?)', [name, value])
      .then(() => socket.emit('ok'))
      .catch(() => socket.emit('failed'));
  });
});
