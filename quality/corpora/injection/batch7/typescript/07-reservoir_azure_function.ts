import { app, HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions';
import * as sql from 'mssql';
import { appendFile, readFile } from 'fs/promises';
import * as path from 'path';

const pool = new sql.ConnectionPool(process.env.RESERVOIR_DB as string);
const connected = pool.connect();
const MOUNT = '/mounts/reservoir';

interface GateMessage {
  gate: string;
  opening: number;
  journal: string;
  at: string;
}

async function levels(request: HttpRequest): Promise<HttpResponseInit> {
  const db = await connected;
  const result = await db
    .request()
    .input('basin', sql.NVarChar, request.query.get('basin'))
    .query('SELECT TOP 100 taken_at, level FROM levels WHERE basin = @basin ORDER BY taken_at DESC');
  return { jsonBody: result.recordset };
}

async function inflow(request: HttpRequest): Promise<HttpResponseInit> {
  const db = await connected;
  const river = request.params.river;
  const since = new Date(request.query.get('since') ?? 0);
  if (Number.isNaN(since.getTime())) {
    return { status: 400 };
  }
  const result = await db.request().query(
    `SELECT SUM(volume) AS volume FROM inflow WHERE river = N'${river}' AND taken_at > '${since.toISOString()}'`,
  );
  return { jsonBody: result.recordset[0] };
}

async function outflow(request: HttpRequest): Promise<HttpResponseInit> {
  await connected;
  const gate = request.params.gate;
  const result = await pool.query`SELECT SUM(volume) AS volume FROM outflow WHERE gate = ${gate}`;
  return { jsonBody: result.recordset[0] };
}

async function chart(request: HttpRequest, context: InvocationContext): Promise<HttpResponseInit> {
  const name = request.query.get('name') ?? '';
  const match = /^(basin|dam)-(\d{1,3})\.svg$/.exec(name);
  if (match === null) {
    context.warn('chart name refused');
    return { status: 404 };
  }
  const body = await readFile(path.join(MOUNT, 'charts', name));
  return { body, headers: { 'content-type': 'image/svg+xml' } };
}

async function onGate(message: unknown, context: InvocationContext): Promise<void> {
  const { gate, opening, journal, at } = message as GateMessage;
  const file = path.posix.normalize(`${MOUNT}/journals/${journal}.log`);
  await appendFile(file, `${at} ${opening}\n`);
  const db = await connected;
  await db.request().batch(`EXEC set_gate @gate = '${gate}', @opening = ${Number(opening)}`);
  context.log('gate moved');
}

app.http('levels', { methods: ['GET'], handler: levels });
app.http('inflow', { methods: ['GET'], route: 'inflow/{river}', handler: inflow });
app.http('outflow', { methods: ['GET'], route: 'outflow/{gate}', handler: outflow });
app.http('chart', { methods: ['GET'], handler: chart });
app.serviceBusQueue('gates', { connection: 'BUS', queueName: 'gates', handler: onGate });
