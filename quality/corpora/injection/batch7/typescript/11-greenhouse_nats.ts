import { connect, JSONCodec, Msg, NatsConnection } from 'nats';
import { exec as execCallback } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createPool, RowDataPacket } from 'mysql2/promise';

const exec = promisify(execCallback);
const codec = JSONCodec<Record<string, any>>();
const db = createPool({ host: 'mysql', user: 'green', database: 'greenhouse' });

const VALVES = ['north', 'south', 'drip', 'fog'];
const RECIPES = '/etc/greenhouse/recipes';

type Responder = (tokens: string[], data: Record<string, any>) => Promise<unknown>;

const valve: Responder = async ([name], { seconds }) => {
  if (!VALVES.includes(name)) {
    return { error: 'valve' };
  }
  const { stdout } = await exec(`valve-ctl ${name} ${Math.round(Number(seconds))}`);
  return { stdout };
};

const lamp: Responder = async ([name, state]) => {
  const level = state === 'on' ? 100 : 0;
  const { stdout } = await exec(`lamp-ctl --name ${name} --level ${level}`);
  return { stdout };
};

const spectrum: Responder = async (_, data) => {
  const curve = data.points.map(([nm, power]: [string, string]) => `${nm}:${power}`).join(',');
  const { stdout } = await exec(`lamp-ctl --curve ${curve}`);
  return { stdout };
};

const readings: Responder = async ([sensor], data) => {
  const clauses = Object.entries(data.filters ?? {}).reduce(
    (sql, [column, value]) => `${sql} AND ${column} >= ${Number(value)}`,
    'sensor = ?',
  );
  const [rows] = await db.query<RowDataPacket[]>(`SELECT * FROM readings WHERE ${clauses}`, [sensor]);
  return rows;
};

const batch: Responder = async (_, data) => {
  const id = BigInt(data.id);
  const [rows] = await db.query<RowDataPacket[]>(`SELECT * FROM batches WHERE id = ${id}`);
  return rows[0] ?? null;
};

const recipe: Responder = async (_, data) => {
  const crop = encodeURI(data.crop);
  const text = await readFile(`${RECIPES}/${crop}.yaml`, 'utf8');
  return { text };
};

const responders: Record<string, Responder> = { valve, lamp, spectrum, readings, batch, recipe };

async function serve(nc: NatsConnection): Promise<void> {
  const reply = async (msg: Msg): Promise<void> => {
    const [, kind, ...tokens] = msg.subject.split('.');
    const responder = responders[kind];
    if (!responder) return;
    try {
      const data = msg.data.length ? codec.decode(msg.data) : {};
      msg.respond(codec.encode({ ok: await responder(tokens, data) }));
    } catch (err) {
      msg.respond(codec.encode({ error: (err as Error).message }));
    }
  };
  for await (const msg of nc.subscribe('greenhouse.>')) {
    void reply(msg);
  }
}

serve(await connect({ servers: process.env.NATS_URL }));
