import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { build } from 'esbuild';
import type { Frame, Page } from 'playwright-core';
import { McpService } from '../../src/mcp/service.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { VIEWS } from '../../src/pages/views/list.ts';
import { openAppViews } from '../../src/server/app-views.ts';
import {
  accessibilityFaults,
  chromiumPath,
  openBrowser,
  openWindow,
  overflowsSideways,
  type Theme,
} from '../support/browser.ts';
import { startService } from '../support/service.ts';
import { ask, askModern } from './rpc.ts';

const MAX_BYTES = 60 * 1024;
const KB = 1024;

const views = openAppViews();
assert.ok(views !== null, 'development packages are installed where tests run');
const service = await startService({ after }, { sources: 'lab', views });

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Loose = any;

/** What a host gets of a tool and its view. */
async function fetchView(tool: string, given: object): Promise<{ html: string; result: Loose; csp: Loose }> {
  const { tools } = (await ask(service, 'tools/list', {})).body.result;
  const { resourceUri } = tools.find(({ name }: { name: string }) => name === tool)._meta.ui;
  const { contents } = (await ask(service, 'resources/read', { uri: resourceUri })).body.result;
  const { result } = (await ask(service, 'tools/call', { name: tool, arguments: given })).body;
  return { html: contents[0].text, result, csp: contents[0]._meta.ui.csp };
}

describe('as resources', () => {
  test('each view is a document of its type, small, that loads nothing', async (t) => {
    for (const { uri } of VIEWS) {
      const { contents } = (await askModern(service, 'resources/read', { uri })).body.result;
      const [{ mimeType, text, _meta }] = contents;
      assert.equal(mimeType, 'text/html;profile=mcp-app');
      assert.deepEqual(Object.values(_meta.ui.csp).flat(), []);
      const bytes = Buffer.byteLength(text);
      t.diagnostic(`${uri}: ${(bytes / KB).toFixed(1)} KB`);
      assert.ok(bytes < MAX_BYTES, `${uri}: ${bytes} bytes`);
      assert.doesNotMatch(text, /<link|<img|<script src|@import|url\(/);
      assert.match(text, /default-src &#39;none&#39;; script-src &#39;sha256-/);
    }
    assert.equal((await ask(service, 'resources/read', { uri: 'ui://sextant/none' })).body.error.code, -32602);
  });

  test('tools name their view, and only where there are views', async (t) => {
    const uiOf = (tools: Loose[]) =>
      tools.flatMap(({ name, _meta }) => (_meta === undefined ? [] : [[name, _meta.ui]]));
    const { tools } = (await ask(service, 'tools/list', {})).body.result;
    assert.deepEqual(
      uiOf(tools),
      VIEWS.map(({ tool, uri }) => [tool, { resourceUri: uri }]).toSorted(
        ([a], [b]) => OPERATIONS.findIndex(({ id }) => id === a) - OPERATIONS.findIndex(({ id }) => id === b),
      ),
    );
    const without = await startService(t);
    assert.deepEqual(uiOf((await ask(without, 'tools/list', {})).body.result.tools), []);
    const { error } = (await ask(without, 'resources/read', { uri: VIEWS[0]!.uri })).body;
    assert.equal(error.code, -32602);
  });

  test('the whole list stays within its budget, with views and tasks', () => {
    const { toolSets } = new McpService(OPERATIONS, service.services, { views });
    const bytes = Buffer.byteLength(toolSets.select({ tools: '', mode: '' }).listJson(true));
    assert.ok(bytes < 120 * KB, `${bytes} bytes`);
  });
});

/** A small host: the public bridge of MCP Apps in a page, and the view in a frame without origin. */
const HOST_SCRIPT = `
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
window.showView = async ({ html, input, result, theme, openLinks }) => {
  const frame = document.querySelector('iframe');
  const bridge = new AppBridge(null, { name: 'host', version: '1' }, openLinks ? { openLinks: {} } : {}, { hostContext: { theme } });
  window.opened = [];
  window.sizes = [];
  bridge.onopenlink = async ({ url }) => (window.opened.push(url), {});
  bridge.onsizechange = ({ width, height }) => void window.sizes.push({ width, height });
  const initialized = new Promise((resolve) => (bridge.oninitialized = resolve));
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await initialized;
  await bridge.sendToolInput({ arguments: input });
  await bridge.sendToolResult(result);
  window.bridge = bridge;
};
window.setTheme = (theme) => window.bridge.setHostContext({ theme });
window.endView = () => window.bridge.teardownResource({});
`;

describe('in a host', { skip: chromiumPath === null ? 'no chromium' : false }, async () => {
  if (chromiumPath === null) return;
  const browser = await openBrowser();
  after(() => browser.close());
  const { outputFiles } = await build({
    stdin: { contents: HOST_SCRIPT, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'error',
  });
  const hostScript = outputFiles[0]!.text;

  interface Shown {
    page: Page;
    frame: Frame;
    problems: string[];
    close: () => Promise<void>;
  }

  async function show(
    theme: Theme,
    html: string,
    result: object,
    { width = 700, openLinks = true } = {},
  ): Promise<Shown> {
    const context = await openWindow(browser, width, theme === 'light' ? 'dark' : 'light');
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => request.url().startsWith('about:') || problems.push(request.url()));
    page.on('dialog', (dialog) => (problems.push(`dialog: ${dialog.message()}`), void dialog.dismiss()));
    await page.setContent(
      '<!doctype html><iframe sandbox="allow-scripts" style="width:100%;height:800px;border:0"></iframe>',
    );
    await page.addScriptTag({ content: hostScript });
    await page.evaluate(`window.showView(${JSON.stringify({ html, input: {}, result, theme, openLinks })})`);
    const frame = page.frames()[1]!;
    await frame.waitForFunction('!document.body.textContent.includes("Waiting for the answer")');
    return { page, frame, problems, close: () => context.close() };
  }

  const CASES: readonly [tool: string, given: object, texts: readonly RegExp[]][] = [
    [
      'cve_lookup',
      { cve_id: 'CVE-2021-44228' },
      [/CVE-2021-44228/, /10\.0/, /Update apache log4j/, /What this rests on/],
    ],
    [
      'domain_report',
      { domain: 'example.com' },
      [/example\.com/, /risk\s+\d+ of 100, lower is better/, /Registered|Registration/, /names? below it/i],
    ],
    [
      'check_dependencies',
      { packages: ['pkg:npm/lodash@4.17.20', 'jinja2@2.4.1'] },
      [/known flaw/, /lodash/, /Fixed in/],
    ],
  ];
  for (const [tool, given, texts] of CASES) {
    for (const theme of ['light', 'dark'] as const) {
      test(`${tool}, ${theme}: shows the answer, fits, is accessible, asks nobody`, async () => {
        const { html, result } = await fetchView(tool, given);
        assert.equal(result.isError, undefined, result.content[0].text);
        const { page, frame, problems, close } = await show(theme, html, result, {
          width: theme === 'light' ? 390 : 900,
        });
        const text = await frame.locator('main').innerText();
        for (const expected of texts) assert.match(text, expected);
        assert.doesNotMatch(text, /undefined|null|NaN|\[object/);
        assert.equal(await frame.evaluate('document.documentElement.dataset.theme'), theme);
        const height = await frame.evaluate('document.querySelector("main").getBoundingClientRect().height');
        await page.waitForFunction(`Math.abs((window.sizes.at(-1)?.height ?? 0) - ${height}) < 2`);
        assert.equal(
          await frame.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
          false,
        );
        assert.deepEqual(problems, []);
        // The markup by itself, in a window that tools can look into.
        const markup = (await frame.content())
          .replace(/<script>[\s\S]*<\/script>/, '')
          .replace(/<meta http-equiv[^>]*>/, '');
        await page.setContent(markup);
        assert.deepEqual(await accessibilityFaults(page), []);
        assert.equal(await overflowsSideways(page), false);
        await close();
      });
    }
  }

  test('follows the theme of its host, and ends when it is told', async () => {
    const { html, result } = await fetchView('cve_lookup', { cve_id: 'CVE-2021-44228' });
    const { page, frame, close } = await show('light', html, result);
    const background = () => frame.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.evaluate('window.setTheme("dark")');
    await frame.waitForFunction('document.documentElement.dataset.theme === "dark"');
    assert.notEqual(await background(), light);
    assert.deepEqual(await page.evaluate('window.endView()'), {});
    await close();
  });

  test('text of third parties stays text, and only web addresses are links, which the host opens', async () => {
    const { html, result } = await fetchView('cve_lookup', { cve_id: 'CVE-2021-44228' });
    const bad =
      '<img src=x onerror=alert(1)></script><script>alert(2)</script><a href="javascript:alert(3)">x</a>\u202e';
    const hostile = structuredClone(result);
    Object.assign(hostile.structuredContent, {
      title: bad,
      description: bad,
      references: [
        'javascript:alert(4)',
        'https://example.org/"><script>alert(5)</script>',
        'data:text/html,x',
        'https://user:pw@example.org/',
      ],
      trimmed: bad,
    });
    hostile.structuredContent.verdict.gaps = [bad];
    const { page, frame, problems, close } = await show('dark', html, hostile);
    const text = await frame.locator('main').innerText();
    assert.ok(text.includes('<img src=x onerror=alert(1)>'));
    assert.ok(!text.includes('\u202e'));
    assert.equal(await frame.locator('main img, main script, main iframe').count(), 0);
    const links = await frame.locator('main a[href]').evaluateAll((all) => all.map((one) => one.getAttribute('href')!));
    assert.ok(links.length > 0);
    for (const link of links) assert.match(link, /^(?:https?:\/\/|#)/, link);
    await frame.locator('main a[href^="https://example.org/"]').first().click();
    await page.waitForFunction('window.opened.length > 0');
    assert.deepEqual(await page.evaluate('window.opened'), [
      'https://example.org/%22%3E%3Cscript%3Ealert(5)%3C/script%3E',
    ]);
    assert.deepEqual(problems, []);
    await close();
  });

  test('where the host opens no links there are none, only their text', async () => {
    const { html, result } = await fetchView('cve_lookup', { cve_id: 'CVE-2021-44228' });
    const { frame, close } = await show('light', html, result, { openLinks: false });
    assert.equal(await frame.locator('main a[href^="http"], main a[href^="/"]').count(), 0);
    assert.match(await frame.locator('main').innerText(), /https?:\/\//);
    await close();
  });

  test('an error, and an answer of another form, are shown as text', async () => {
    const { html, result } = await fetchView('cve_lookup', { cve_id: 'CVE-1999-99999' });
    assert.equal(result.isError, true);
    const failed = await show('light', html, result);
    assert.match(await failed.frame.locator('main').innerText(), /CVE-1999-99999/);
    await failed.close();
    const strange = { content: [{ type: 'text', text: 'Something <b>else</b>.' }], structuredContent: { other: 1 } };
    const shown = await show('light', html, strange);
    assert.equal(await shown.frame.locator('main').innerText(), 'Something <b>else</b>.');
    assert.deepEqual(shown.problems, []);
    await shown.close();
  });
});
