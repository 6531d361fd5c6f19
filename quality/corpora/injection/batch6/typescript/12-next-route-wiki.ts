import { execFile, exec } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NextRequest, NextResponse } from 'next/server';

const run = promisify(execFile);
const shell = promisify(exec);
const WIKI = '/srv/wiki';

type Params = { params: Promise<{ page: string[] }> };

function segmentsOf(page: string[]): string[] {
  if (!page.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) {
    throw new RangeError('page');
  }
  return page;
}

async function history(revision: string | null, file: string): Promise<string> {
  if (revision === null) {
    const { stdout } = await run('git', ['log', '--oneline', '--', file], { cwd: WIKI });
    return stdout;
  }
  const { stdout } = await run('git', ['show', revision], { cwd: WIKI });
  return stdout;
}

export async function GET(request: NextRequest, { params }: Params) {
  const { page } = await params;
  const query = request.nextUrl.searchParams;
  if (query.has('history')) {
    return new NextResponse(await history(query.get('revision'), page.join('/')));
  }
  if (query.has('include')) {
    const include = query.get('include') as string;
    const text = await readFile(join(WIKI, 'includes', include), 'utf8');
    return new NextResponse(text);
  }
  const file = join(WIKI, 'pages', ...segmentsOf(page)) + '.md';
  return new NextResponse(await readFile(file, 'utf8'));
}

export async function PUT(request: NextRequest, { params }: Params) {
  const { page } = await params;
  const { text, message } = (await request.json()) as { text: string; message: string };
  try {
    const file = join(WIKI, 'pages', ...segmentsOf(page)) + '.md';
    await writeFile(file, text);
    await shell(`git add ${file}`, { cwd: WIKI });
    await shell('git commit -q -m "$MESSAGE"', { cwd: WIKI, env: { ...process.env, MESSAGE: message } });
  } catch (err) {
    return NextResponse.json({ error: (err as Error).message }, { status: 400 });
  }
  return NextResponse.json({ ok: true });
}

export async function DELETE(request: NextRequest, { params }: Params) {
  const { page } = await params;
  const file = segmentsOf(page).join('/') + '.md';
  const reason = (request.headers.get('x-reason') ?? 'removed').replace(/["\\]/g, '');
  await shell(`git rm -q pages/${file} && git commit -q -m "${reason}"`, { cwd: WIKI });
  return NextResponse.json({ removed: file });
}
