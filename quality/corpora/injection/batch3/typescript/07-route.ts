import { NextRequest, NextResponse } from 'next/server';
import { exec } from 'node:child_process';
import { promisify } from 'node:util';

const sh = promisify(exec);

async function hostOf(req: NextRequest): Promise<string> {
  const { host } = await req.json();
  return host;
}

async function portOf(req: NextRequest): Promise<number> {
  const port = Number(req.nextUrl.searchParams.get('port'));
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new RangeError('port');
  }
  return port;
}

export async function POST(req: NextRequest): Promise<NextResponse> {
  const [host, settings] = await Promise.all([hostOf(req), Promise.resolve({ timeout: 5 })]);
  const { stdout } = await sh(`timeout ${settings.timeout} traceroute '${host}'`);
  return NextResponse.json({ hops: stdout.split('\n').length });
}

export async function DELETE(req: NextRequest): Promise<NextResponse> {
  return hostOf(req)
    .then((host) => `arp -d ${host}`)
    .then((line) => sh(line))
    .then(() => new NextResponse(null, { status: 204 }));
}

export async function GET(req: NextRequest): Promise<NextResponse> {
  try {
    const port = await portOf(req);
    const { stdout } = await sh(`ss -ltn 'sport = :${port}' | tail -n +2`);
    return NextResponse.json({ listening: stdout.trim().length > 0 });
  } catch (e) {
    return NextResponse.json({ error: (e as Error).message }, { status: 400 });
  }
}
