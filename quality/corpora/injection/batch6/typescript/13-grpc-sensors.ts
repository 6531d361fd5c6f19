import * as grpc from '@grpc/grpc-js';
import * as protoLoader from '@grpc/proto-loader';
import { createReadStream, existsSync } from 'fs';
import { join } from 'path';
import { Client } from 'pg';

type Call<T> = grpc.ServerUnaryCall<T, unknown>;
type Reply = grpc.sendUnaryData<unknown>;
type Stream<T> = grpc.ServerWritableStream<T, { chunk: Buffer }>;

interface ReadingsRequest {
  sensor: string;
  unit: string;
  zone: string;
  bucket: 'MINUTE' | 'HOUR' | 'DAY';
}

interface FirmwareRequest {
  model: string;
  build: number;
}

const FIRMWARE = '/srv/firmware';
const BUCKETS: Readonly<Record<string, string>> = { MINUTE: 'minute', HOUR: 'hour', DAY: 'day' };

const db = new Client({ connectionString: process.env.SENSOR_DB });

async function readings(call: Call<ReadingsRequest>, reply: Reply): Promise<void> {
  const { sensor, bucket } = call.request;
  const step = BUCKETS[bucket];
  if (step === undefined) {
    reply({ code: grpc.status.INVALID_ARGUMENT, details: 'bucket' });
    return;
  }
  const { rows } = await db.query(
    `SELECT date_trunc('${step}', at) AS slot, avg(value) FROM readings WHERE sensor = $1 GROUP BY 1`,
    [sensor],
  );
  reply(null, { rows });
}

async function latest(call: Call<ReadingsRequest>, reply: Reply): Promise<void> {
  const unit = db.escapeLiteral(call.request.unit);
  const zone = call.request.zone ? `AT TIME ZONE '${call.request.zone}'` : '';
  try {
    const units = await db.query(`SELECT sensor FROM sensors WHERE unit = ${unit}`);
    const times = await db.query(`SELECT max(at) ${zone} AS at FROM readings`);
    reply(null, { sensors: units.rows, at: times.rows[0].at });
  } catch (err) {
    reply({ code: grpc.status.INTERNAL, details: (err as Error).message });
  }
}

async function rename(call: Call<{ from: string; to: string }>, reply: Reply): Promise<void> {
  const label = db.escapeIdentifier(call.request.to);
  await db.query(`UPDATE sensors SET label = '${label}' WHERE sensor = $1`, [call.request.from]);
  reply(null, {});
}

function firmware(call: Stream<FirmwareRequest>): void {
  const build = Math.floor(Number(call.request.build));
  const fallback = join(FIRMWARE, 'generic', `${build}.bin`);
  const special = join(FIRMWARE, call.request.model, `${build}.bin`);
  const stream = existsSync(special)
    ? createReadStream(special)
    : createReadStream(fallback);
  stream.on('data', (chunk) => call.write({ chunk: chunk as Buffer }));
  stream.on('end', () => call.end());
  stream.on('error', () => call.end());
}

async function main(): Promise<void> {
  await db.connect();
  const proto = grpc.loadPackageDefinition(protoLoader.loadSync('sensors.proto')) as any;
  const server = new grpc.Server();
  server.addService(proto.sensors.Sensors.service, { readings, latest, rename, firmware });
  server.bindAsync('0.0.0.0:50061', grpc.ServerCredentials.createInsecure(), () => undefined);
}

main();
