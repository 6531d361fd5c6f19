import express from 'express';
import { readFile } from 'fs/promises';
import { join } from 'path';

const PAGES: Record<string, string> = {
  intro: 'intro.md',
  setup: 'setup.md',
  faq: 'faq.md',
};
const LANGS = ['en', 'de', 'fr'];
const app = express();

app.get('/docs/:page', async (req, res) => {
  const file = Object.hasOwn(PAGES, req.params.page) ? PAGES[req.params.page] : undefined;
  if (!file) {
    return res.sendStatus(404);
  }
  const lang = String(req.query.lang);
  if (!LANGS.includes(lang)) {
    return res.sendStatus(400);
  }
  const text = await readFile(join('/srv/docs', lang, file), 'utf8');
  return res.type('text/markdown').send(text);
});

app.get('/legacy-docs/:page', async (req, res) => {
  const file = PAGES[req.params.page] ?? req.query.file;
  const text = await readFile('/srv/docs/old/' + file, 'utf8');
  return res.type('text/markdown').send(text);
});

app.listen(3000);
