import { Hono } from 'hono';
import { serve } from '@hono/node-server';
import { spawnSync, execSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LANGUAGES = ['python', 'ruby', 'lua'] as const;
type Language = (typeof LANGUAGES)[number];

interface RunBody {
  language: Language;
  code: string;
  timeout?: number | string;
}

const LIBRARY = '/srv/snippets';
const app = new Hono();

function pick(value: string): Language {
  const index = LANGUAGES.findIndex((l) => l === value);
  if (index === -1) {
    throw new TypeError(`language ${value}`);
  }
  return LANGUAGES[index];
}

function stash(code: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'snippet-'));
  const file = join(dir, 'main.txt');
  writeFileSync(file, code);
  return file;
}

app.post('/run', async (c) => {
  const body = await c.req.json<RunBody>();
  const language = pick(body.language);
  const seconds = Math.min(Number(body.timeout ?? 5), 20);
  const file = stash(body.code);
  const out = execSync(`timeout ${seconds} docker run --rm -i sandbox-${language} < ${file}`);
  return c.text(out.toString());
});

app.post('/check', async (c) => {
  const body = await c.req.json<RunBody>();
  const file = stash(body.code);
  const out = execSync(`docker run --rm -i lint-${body.language} < ${file}`);
  return c.text(out.toString());
});

app.post('/format', async (c) => {
  const body = await c.req.json<RunBody>();
  const style = c.req.query('style') ?? 'google';
  const done = spawnSync('clang-format', [`--style=${style}`], { input: body.code });
  return c.text(done.stdout.toString());
});

app.get('/library', (c) => {
  const name = c.req.query('name') ?? 'hello';
  if (/^\.\.?\//.test(name)) {
    return c.text('name', 400);
  }
  return c.text(readFileSync(join(LIBRARY, name), 'utf8'));
});

app.get('/search', (c) => {
  const word = c.req.query('word') ?? '';
  const done = spawnSync('rg', ['--files-with-matches', word, LIBRARY]);
  return c.json(done.stdout.toString().split('\n').filter(Boolean));
});

app.onError((err, c) => c.text(err.message, err instanceof TypeError ? 400 : 500));

serve({ fetch: app.fetch, port: 4110 });
