import { Hono } from 'hono';
import AdmZip from 'adm-zip';
import fs from 'node:fs';
import path from 'node:path';

const app = new Hono();
const THEMES = path.resolve('/var/app/themes');
const FONTS = path.resolve('/var/app/fonts');

app.post('/themes', async (c) => {
  const zip = new AdmZip(Buffer.from(await c.req.arrayBuffer()));
  for (const entry of zip.getEntries()) {
    if (entry.isDirectory) continue;
    const out = path.join(THEMES, entry.entryName);
    fs.writeFileSync(out, entry.getData());
  }
  return c.json({ ok: true });
});

app.post('/fonts', async (c) => {
  const zip = new AdmZip(Buffer.from(await c.req.arrayBuffer()));
  let skipped = 0;
  for (const entry of zip.getEntries()) {
    const out = path.resolve(FONTS, entry.entryName);
    const rel = path.relative(FONTS, out);
    if (entry.isDirectory || rel.startsWith('..') || path.isAbsolute(rel)) {
      skipped++;
      continue;
    }
    fs.writeFileSync(out, entry.getData());
  }
  return c.json({ skipped });
});

export default app;
