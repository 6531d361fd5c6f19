import { error, fail, json, type Actions, type RequestEvent } from '@sveltejs/kit';
import { execFile, execSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VIDEOS = path.resolve('data/videos');
const RESULTS = path.resolve('data/results');

const sanitize = (name: string) => name.trim().toLowerCase().replace(/\s+/g, '-');

function must<T>(value: T | null | undefined, status: 400 | 404 = 400): T {
  if (value === null || value === undefined) error(status, 'missing');
  return value;
}

export async function load({ params }: RequestEvent<{ hill: string; year: string }>) {
  const hill = must(params.hill.match(/^(hs|k)\d{2,3}$/)?.[0], 404);
  const year = Number(params.year);
  if (!Number.isInteger(year)) error(404, 'year');
  const file = path.join(RESULTS, String(year), `${hill}.json`);
  return { results: JSON.parse(await readFile(file, 'utf8')) };
}

export async function GET({ url }: RequestEvent) {
  const clip = must(url.searchParams.get('clip'));
  const file = path.join(VIDEOS, clip);
  const info = await stat(file);
  if (info.size > 50_000_000) error(413 as 400, 'clip is too long');
  return new Response(await readFile(file), { headers: { 'content-type': 'video/mp4' } });
}

export async function PUT({ request }: RequestEvent) {
  const { clip, at } = (await request.json()) as { clip: string; at: string };
  const source = path.resolve(VIDEOS, clip);
  const relative = path.relative(VIDEOS, source);
  if (relative === '' || relative.startsWith('..') || path.isAbsolute(relative)) {
    error(404, 'clip');
  }
  const { stderr } = await run('ffmpeg', ['-ss', String(Number(at)), '-i', source, '-frames:v', '1', `${source}.png`]);
  return json({ stderr });
}

export async function PATCH({ request }: RequestEvent) {
  const body = await request.formData();
  const speed = String(body.get('speed') ?? '0.25');
  const gate = Number.parseInt(String(body.get('gate')), 10);
  execSync(`jump-slowmo --gate ${gate} --speed ${speed}`, { cwd: VIDEOS });
  const log = execSync(`jump-gate --print ${gate}`, { cwd: VIDEOS });
  return json({ log: log.toString() });
}

export const actions: Actions = {
  upload: async ({ request }) => {
    const form = await request.formData();
    const file = form.get('video');
    const album = sanitize(String(form.get('album') ?? 'misc'));
    if (!(file instanceof File)) {
      return fail(400, { message: 'video' });
    }
    const folder = `${VIDEOS}/${album}`;
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/${Date.now()}.mp4`, Buffer.from(await file.arrayBuffer()));
    return { stored: true };
  },
};
