import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Event, S3EventRecord, SQSEvent, SQSBatchResponse } from 'aws-lambda';
import { Client } from 'pg';

const s3 = new S3Client({});
const WORK = '/tmp/ingest';
const TABLES = new Set(['orders', 'refunds', 'visits']);

interface RefreshMessage {
  table: string;
  partition: string;
  view?: string;
}

function objectKey(record: S3EventRecord): string {
  return decodeURIComponent(record.s3.object.key.replace(/\+/g, ' '));
}

async function download(bucket: string, key: string): Promise<Uint8Array> {
  const object = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return object.Body!.transformToByteArray();
}

export const onUpload = async (event: S3Event): Promise<void> => {
  for (const record of event.Records) {
    const key = objectKey(record);
    const bytes = await download(record.s3.bucket.name, key);
    const extension = key.split('.').pop();

    if (extension === 'gz') {
      const local = `${WORK}/${createHash('sha1').update(key).digest('hex')}.gz`;
      writeFileSync(local, bytes);
      execSync(`gunzip -f ${local}`);
      continue;
    }

    let target = join(WORK, key);
    if (key.endsWith('/')) {
      target = join(WORK, 'folder-marker');
    }
    writeFileSync(target, bytes);
  }
};

async function refresh(client: Client, message: RefreshMessage): Promise<void> {
  const { table, partition, view = `${message.table}_daily` } = message;
  if (!TABLES.has(table)) {
    throw new Error('table is not managed here');
  }
  await client.query(`DELETE FROM staging.${table} WHERE part = $1`, [partition]);
  await client.query(`REFRESH MATERIALIZED VIEW CONCURRENTLY reports.${view}`);
}

export const onRefresh = async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const client = new Client();
  await client.connect();
  const failures: { itemIdentifier: string }[] = [];
  for (const { body, messageId } of event.Records) {
    try {
      await refresh(client, JSON.parse(body) as RefreshMessage);
    } catch {
      failures.push({ itemIdentifier: messageId });
    }
  }
  await client.end();
  return { batchItemFailures: failures };
};
