import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { packageFileUrl } from '../program-files.ts';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const;

/** Sources of the files that browsers load, by name. Scripts are modules without imports. */
const SOURCES = {
  style: 'style.css',
  theme: 'theme.ts',
  page: 'page.ts',
  icon: 'icon.svg',
} as const;

function readAsset(source: string): { path: string; type: string; body: string } {
  const text = readFileSync(packageFileUrl(`src/pages/browser/${source}`), 'utf8');
  const [name, extension] = source.replace(/\.ts$/, '.js').split('.') as [string, keyof typeof TYPES];
  const body = source.endsWith('.ts') ? withoutTypes(text) : text;
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return { path: `/assets/${name}.${hash}.${extension}`, type: TYPES[extension], body };
}

/** Types and comments leave spaces behind, which nobody needs to load. */
function withoutTypes(text: string): string {
  return stripTypeScriptTypes(text)
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\s*$/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n');
}

/** Files that browsers load, each at a path with a hash of its content. The build puts them in the place of this module. */
export const ASSETS = Object.fromEntries(
  Object.entries(SOURCES).map(([name, source]) => [name, readAsset(source)]),
) as Readonly<Record<keyof typeof SOURCES, { path: string; type: string; body: string }>>;
