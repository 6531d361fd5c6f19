import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { PAGES } from '../../src/pages/list.ts';
import {
  accessibilityFaults,
  chromiumPath,
  layoutShift,
  openBrowser,
  openWindow,
  overflowsSideways,
  type Theme,
} from '../support/browser.ts';
import { startService } from '../support/service.ts';
import { EXAMPLES } from './examples.ts';

const MAX_HTML_BYTES = 200 * 1024;
const MAX_ASSET_BYTES = 60 * 1024;
/** The document, its style, its picture and scripts: more would be felt on a slow link. */
const MAX_REQUESTS = 6;

test('every page has an example', () => {
  assert.deepEqual(
    PAGES.map(({ path }) => path).filter((path) => EXAMPLES[path] === undefined),
    [],
  );
});

describe('in a browser', { skip: chromiumPath === null ? 'no chromium' : false }, async () => {
  if (chromiumPath === null) return;
  const service = await startService({ after }, { sources: 'lab', origins: { host: '127.0.0.1' } });
  const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const browser = await openBrowser();
  after(() => browser.close());
  // A window for each kind of reader, used for all pages: a new one for each page would take several times as long.
  const narrow = await openReader(390, 'light');
  const wide = await openReader(1440, 'dark');
  const withoutScripts = await openReader(1440, 'light', { javaScriptEnabled: false });

  interface Reader {
    page: Page;
    problems: string[];
  }

  async function openReader(width: number, theme: Theme, options: BrowserContextOptions = {}): Promise<Reader> {
    const context = await openWindow(browser, width, theme, options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => request.url().startsWith(address) || problems.push(request.url()));
    return { page, problems };
  }

  /** Opens a page. Fails where it reports an error, asks another host or sets a cookie. */
  async function open({ page, problems }: Reader, path: string): Promise<Page> {
    problems.length = 0;
    await page.goto(`${address}${path}`, { waitUntil: 'load' });
    // A page of an error is one whose document has its status.
    assert.deepEqual(
      problems.filter((problem) => !problem.includes('the server responded with a status of 4')),
      [],
      path,
    );
    assert.deepEqual(await page.context().cookies(), []);
    return page;
  }

  for (const path of Object.values(EXAMPLES).flat()) {
    describe(path, () => {
      for (const [name, reader] of [
        ['390 px, light', narrow],
        ['1440 px, dark', wide],
      ] as const) {
        test(`${name}: accessible, nothing scrolls sideways or moves while it comes`, async () => {
          const page = await open(reader, path);
          assert.ok((await layoutShift(page)) < 0.1, 'things move while it comes');
          assert.equal(await overflowsSideways(page), false);
          assert.deepEqual(await accessibilityFaults(page), []);
        });
      }

      test('every control is reached by the keyboard, and shows that it is', async () => {
        const { page } = wide;
        assert.deepEqual(await page.evaluate<string[]>(TAB_ORDER_FAULTS), []);
        await page.keyboard.press('Tab');
        assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
        await page.keyboard.press('Tab');
        assert.notEqual(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none');
        await page.keyboard.press('/');
        assert.equal(await page.evaluate('document.activeElement.hasAttribute("data-search")'), true);
      });

      test('says the same without scripts', async () => {
        const page = await open(withoutScripts, path);
        assert.equal(await page.locator('h1').innerText(), await wide.page.locator('h1').innerText());
        assert.equal(await page.locator('main').isVisible(), true);
      });

      test('is light', async () => {
        const { text } = await service.get(path, { accept: 'text/html' });
        assert.ok(Buffer.byteLength(text) <= MAX_HTML_BYTES, `${Buffer.byteLength(text)} bytes of HTML`);
        assert.ok(text.match(/\/assets\/[\w.-]+/g)!.length <= MAX_REQUESTS);
      });
    });
  }

  test('a key press on a row goes to the next', async () => {
    const page = await open(wide, '/search?q=flaw');
    await page.locator('table[data-rows] tbody tr:first-child a').first().focus();
    await page.keyboard.press('j');
    assert.equal(await page.evaluate('document.activeElement.closest("tr").rowIndex'), 2);
  });

  test('a chosen theme is kept', async () => {
    const page = await open(narrow, '/');
    await page.locator('select[data-theme-choice]').selectOption('dark');
    await open(narrow, '/docs');
    assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(20, 24, 28)');
  });

  test('all styles and scripts together are light', async () => {
    const { ASSETS } = await import('../../src/pages/assets.computed.ts');
    const bytes = Object.values(ASSETS).reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    assert.ok(bytes <= MAX_ASSET_BYTES, `${bytes} bytes`);
  });
});

/** Things that can be clicked but not reached by the keyboard, or that are reached in another order than they are read. */
const TAB_ORDER_FAULTS = `(() => {
  const faults = [];
  for (const element of document.querySelectorAll('[tabindex]')) if (element.tabIndex > 0) faults.push(element.outerHTML);
  for (const element of document.querySelectorAll('a:not([href]), [onclick], [role=button]:not(button)')) faults.push(element.outerHTML);
  return faults;
})()`;
