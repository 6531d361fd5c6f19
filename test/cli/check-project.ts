import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zipOf } from '../feeds/zip-of.ts';
import { temporaryFolder } from './command-line.ts';

/** Writes files by their paths below a folder. */
export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A folder with these files. */
export function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  write(folder, files);
  return folder;
}

/** OSV archives of our own: one flaw of `anvil`, fixed in 2.0, and one of curl in Debian. */
export function writeFeed(folder: string): void {
  const advisory = {
    schema_version: '1.6.0',
    id: 'PYSEC-2025-1',
    modified: '2025-03-01T00:00:00Z',
    aliases: ['CVE-2025-1000'],
    summary: 'Anvils fall on those who look up',
    database_specific: { severity: 'MODERATE' },
    affected: [
      {
        package: { ecosystem: 'PyPI', name: 'anvil' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0' }] }],
      },
    ],
  };
  const ofDebian = {
    ...advisory,
    id: 'DSA-2000-1',
    aliases: [],
    upstream: ['CVE-2023-38545'],
    affected: [
      {
        package: { ecosystem: 'Debian:12', name: 'curl' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '7.88.1-10+deb12u4' }] }],
      },
    ],
  };
  write(folder, { 'osv/ecosystems.txt': 'PyPI\nDebian\n' });
  for (const [ecosystem, one] of Object.entries({ PyPI: advisory, Debian: ofDebian })) {
    mkdirSync(join(folder, 'osv', ecosystem), { recursive: true });
    const zip = zipOf([{ name: `${one.id}.json`, content: JSON.stringify(one) }]);
    writeFileSync(join(folder, 'osv', ecosystem, 'all.zip'), zip);
  }
}

/** Lists a package with one flaw. */
export const VULNERABLE = { 'app/requirements.txt': '# pinned\nanvil==1.0\n' };
/** A program with one injection. */
export const CODE = { 'main.py': 'import os\n\ndef run(request):\n    os.system("ls " + request.args["x"])\n' };
