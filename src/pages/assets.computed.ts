import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { packageFileUrl } from '../program-files.ts';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const;

const STYLES = 'style/*.css';
/** Sources of the files that browsers load, by name. Scripts are modules without imports. */
const SOURCES = {
  style: STYLES,
  theme: 'theme.ts',
  page: 'page.ts',
  docs: 'docs.ts',
  drop: 'drop.ts',
  visits: 'visits.ts',
  icon: 'icon.svg',
} as const;

function readAsset(name: string, source: string): { path: string; type: string; body: string } {
  const extension = source.endsWith('.ts') ? 'js' : (source.split('.')[1] as keyof typeof TYPES);
  const body = source === STYLES ? readStyles() : source.endsWith('.ts') ? withoutTypes(read(source)) : read(source);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return { path: `/assets/${name}.${hash}.${extension}`, type: TYPES[extension], body };
}

/** The rules of all pages, then those of single ones, as one file. */
function readStyles(): string {
  const folder = fileURLToPath(packageFileUrl('src/pages/browser/style'));
  const others = readdirSync(folder).filter((file) => file !== 'base.css');
  return ['base.css', ...others.toSorted()].map((file) => read(`style/${file}`)).join('');
}

function read(source: string): string {
  return readFileSync(packageFileUrl(`src/pages/browser/${source}`), 'utf8');
}

/** Types and comments leave spaces behind, which nobody needs to load. */
function withoutTypes(text: string): string {
  return stripTypes(text)
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\s*$/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n');
}

/** Node warns at each start that this function may change, which nobody who starts the service can use. */
function stripTypes(text: string): string {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Files that browsers load, each at a path with a hash of its content. The build puts them in the place of this module. */
export const ASSETS = Object.fromEntries(
  Object.entries(SOURCES).map(([name, source]) => [name, readAsset(name, source)]),
) as Readonly<Record<keyof typeof SOURCES, { path: string; type: string; body: string }>>;
