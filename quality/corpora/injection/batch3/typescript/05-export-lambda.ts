import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2 } from 'aws-lambda';
import { promises as fs } from 'fs';
import { join } from 'path';

const EXPORTS = '/mnt/efs/exports';

function reply(statusCode: number, body = ''): APIGatewayProxyResultV2 {
  return { statusCode, body };
}

export async function download(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyResultV2> {
  const name = event.queryStringParameters?.name ?? '';
  if (!/[\w-]+\.csv$/.test(name)) {
    return reply(400, 'name');
  }
  const data = await fs.readFile(join(EXPORTS, name), 'utf8');
  return reply(200, data);
}

export async function summary(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyResultV2> {
  const name = event.queryStringParameters?.name ?? '';
  if (!/^[\w-]{1,60}$/.test(name)) {
    return reply(400, 'name');
  }
  const data = await fs.readFile(join(EXPORTS, `${name}.summary.json`), 'utf8');
  return reply(200, data);
}

export async function store(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyResultV2> {
  const name = event.pathParameters?.name ?? '';
  if (name.match(/^[A-Za-z]/) === null) {
    return reply(400, 'name');
  }
  await fs.writeFile(`${EXPORTS}/${name}`, event.body ?? '');
  return reply(201);
}

export async function purge(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyResultV2> {
  const { names } = JSON.parse(event.body ?? '{"names":[]}') as { names: string[] };
  const matcher = /^[a-z0-9_]+\.csv$/;
  for (const n of names) {
    if (!matcher.test(n)) continue;
    await fs.rm(join(EXPORTS, n), { force: true });
  }
  return reply(204);
}
