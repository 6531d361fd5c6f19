import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { raw } from 'hono/html';
import { packageFileUrl } from '../../program-files.ts';
import { html } from '../html.ts';
import { VIEWS } from './list.ts';

const STYLES = ['base', 'cve', 'check', 'domain'];
/** A host gives the frame the height of its content: a body as high as the frame would never become lower. */
const VIEW_RULES = 'body { min-height: 0; } .foot { padding: 8px 0; }';

/** Scripts of one view as one: the renderer as the global `view`, then what speaks with the host. */
async function bundleView(source: string): Promise<string> {
  const path = (file: string): string => fileURLToPath(packageFileUrl(`src/pages/${file}`));
  const options = { bundle: true, minify: true, write: false, format: 'iife', target: 'es2022' } as const;
  const [renderer, host] = await Promise.all([
    build({ ...options, entryPoints: [path(`views/${source}`)], globalName: 'view' }),
    build({ ...options, entryPoints: [path('browser/view.ts')] }),
  ]);
  return `${renderer.outputFiles[0]!.text}${host.outputFiles[0]!.text}`;
}

async function readStyles(): Promise<string> {
  const texts = STYLES.map((name) => readFileSync(packageFileUrl(`src/pages/browser/style/${name}.css`), 'utf8'));
  const { outputFiles } = await build({
    stdin: { contents: `${texts.join('')}${VIEW_RULES}`, loader: 'css' },
    minify: true,
    write: false,
  });
  return outputFiles[0]!.text;
}

async function renderDocument(title: string, source: string): Promise<string> {
  const script = (await bundleView(source)).replaceAll('</script', '<\\/script');
  const style = await readStyles();
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main id="content"><p>Waiting for the answer …</p></main>
<script>${raw(script)}</script>
</body>
</html>
`.toString();
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The HTML document of each view, by its URI: complete, without anything to load. The build puts them in the place of this module. */
export const VIEW_DOCUMENTS: Readonly<Record<string, string>> = Object.fromEntries(
  await Promise.all(VIEWS.map(async ({ uri, title, source }) => [uri, await renderDocument(title, source)] as const)),
);
