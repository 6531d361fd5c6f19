import express from 'express';
import AdmZip from 'adm-zip';
import fs from 'node:fs';
import path from 'node:path';

interface ThemeStore {
  put(name: string, data: Buffer): void;
}

class FolderStore implements ThemeStore {
  constructor(private readonly dir: string) {}

  put(name: string, data: Buffer): void {
    fs.writeFileSync(path.join(this.dir, name), data);
  }
}

class ThemeFolder implements ThemeStore {
  private readonly dir: string;

  constructor(dir: string) {
    this.dir = path.resolve(dir) + path.sep;
  }

  put(name: string, data: Buffer): void {
    const target = path.resolve(this.dir, name);
    if (!target.startsWith(this.dir)) {
      throw new Error(`entry outside of theme: ${name}`);
    }
    fs.writeFileSync(target, data);
  }
}

function unpack(body: Buffer, store: ThemeStore): number {
  const entries = new AdmZip(body).getEntries().filter((e) => !e.isDirectory);
  entries.forEach((e) => store.put(e.entryName, e.getData()));
  return entries.length;
}

const app = express();
app.use(express.raw({ type: 'application/zip', limit: '30mb' }));

app.put('/themes/current', (req, res) => {
  res.json({ files: unpack(req.body, new FolderStore('/srv/themes/current')) });
});

app.put('/themes/preview', (req, res) => {
  res.json({ files: unpack(req.body, new ThemeFolder('/srv/themes/preview')) });
});

app.listen(3010);
