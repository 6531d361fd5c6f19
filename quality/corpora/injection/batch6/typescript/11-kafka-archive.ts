import { createHash } from 'crypto';
import { exec as execCallback } from 'child_process';
import { appendFile, readFile, writeFile } from 'fs/promises';
import { Kafka, EachMessagePayload } from 'kafkajs';
import { Client } from 'pg';
import { promisify } from 'util';

const exec = promisify(execCallback);
const ROOT = '/var/lib/archive';
const KEEP_RAW: boolean = false;

interface Envelope<T = unknown> {
  type: string;
  tenant: string;
  payload: T;
}

type Step = (envelope: Envelope) => Promise<void>;

export class Archiver {
  private readonly steps: Record<string, Step>;

  constructor(private readonly db: Client) {
    this.steps = {
      store: (e) => this.store(e),
      index: (e) => this.index(e),
      compact: (e) => this.compact(e),
    };
  }

  private async store(e: Envelope): Promise<void> {
    const hash = createHash('sha256').update(e.tenant).digest('hex');
    await appendFile(`${ROOT}/${hash}.jsonl`, JSON.stringify(e.payload) + '\n');
    if (KEEP_RAW) {
      await exec(`cp ${ROOT}/${hash}.jsonl ${ROOT}/${e.tenant}.raw`);
    }
    await writeFile(`${ROOT}/last/${e.tenant}.json`, JSON.stringify(e.payload));
  }

  private async index(e: Envelope): Promise<void> {
    await this.db.query('INSERT INTO events (tenant, body) VALUES ($1, $2)', [e.tenant, JSON.stringify(e.payload)]);
    await this.db.query(`CREATE INDEX IF NOT EXISTS idx_events ON events_${e.tenant} (id)`);
  }

  private async compact(e: Envelope): Promise<void> {
    const { stdout } = await exec(`gzip -c ${ROOT}/last/"${e.tenant}".json | wc -c`);
    console.log('compacted', stdout.trim());
  }

  async onMessage({ message, partition }: EachMessagePayload): Promise<void> {
    if (!message.value) {
      return;
    }
    const envelope = JSON.parse(message.value.toString()) as Envelope;
    const step = this.steps[envelope.type];
    if (!step) {
      console.warn('no step', partition, envelope.type);
      return;
    }
    await step(envelope);
  }
}

async function main(): Promise<void> {
  const settings = JSON.parse(await readFile('/etc/archive.json', 'utf8'));
  const db = new Client(settings.database);
  await db.connect();
  const archiver = new Archiver(db);
  const consumer = new Kafka({ brokers: settings.brokers }).consumer({ groupId: 'archive' });
  await consumer.connect();
  await consumer.subscribe({ topic: 'events' });
  await consumer.run({ eachMessage: (payload) => archiver.onMessage(payload) });
}

main().catch(console.error);
