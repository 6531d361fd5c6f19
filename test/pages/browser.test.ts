import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core';
import { PAGES } from '../../src/pages/list.ts';
import {
  accessibilityFaults,
  chromiumPath,
  layoutShift,
  openBrowser,
  openWindow,
  overflowsSideways,
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

  /** Opens a page in a window of its own, which is closed after `look`. Fails where it reports an error or asks another host. */
  async function withPage(
    path: string,
    { width = 1440, scripts = true }: { width?: number; scripts?: boolean },
    look: (page: Page, context: BrowserContext) => Promise<void>,
  ): Promise<void> {
    const context = await openWindow(browser, width, 'light', { javaScriptEnabled: scripts });
    try {
      const page = await context.newPage();
      const problems: string[] = [];
      // Until it has come: axe itself writes styles into shadow trees, which the policy refuses.
      const noteConsole = (message: ConsoleMessage): void => {
        if (message.type() === 'error') problems.push(message.text());
      };
      page.on('console', noteConsole);
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('request', (request) => request.url().startsWith(address) || problems.push(request.url()));
      await page.goto(`${address}${path}`, { waitUntil: 'load' });
      page.off('console', noteConsole);
      await look(page, context);
      assert.deepEqual(await context.cookies(), []);
      // A page of an error is one whose document has its status.
      assert.deepEqual(
        problems.filter((problem) => !problem.includes('the server responded with a status of 4')),
        [],
        path,
      );
    } finally {
      await context.close();
    }
  }

  for (const path of Object.values(EXAMPLES).flat()) {
    describe(path, () => {
      for (const width of [390, 1440]) {
        test(`${width} px: accessible in both themes, and nothing scrolls sideways`, () =>
          withPage(path, { width }, async (page) => {
            assert.ok((await layoutShift(page)) < 0.1, 'things move while it comes');
            for (const colorScheme of ['light', 'dark'] as const) {
              await page.emulateMedia({ colorScheme });
              assert.deepEqual(await accessibilityFaults(page), [], colorScheme);
              assert.equal(await overflowsSideways(page), false);
            }
          }));
      }

      test('says the same without scripts', async () => {
        let withScripts = '';
        await withPage(path, {}, async (page) => {
          withScripts = await page.locator('h1').innerText();
        });
        await withPage(path, { scripts: false }, async (page) => {
          assert.equal(await page.locator('h1').innerText(), withScripts);
          assert.equal(await page.locator('h1').count(), 1);
          assert.equal(await page.locator('main').isVisible(), true);
        });
      });

      test('every control is reached by the keyboard, and shows that it is', () =>
        withPage(path, {}, async (page) => {
          const faults = await page.evaluate<string[]>(TAB_ORDER_FAULTS);
          assert.deepEqual(faults, []);
          await page.keyboard.press('Tab');
          assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
          await page.keyboard.press('Tab');
          assert.notEqual(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none');
          await page.keyboard.press('/');
          assert.equal(await page.evaluate('document.activeElement.hasAttribute("data-search")'), true);
        }));

      test('is light', async () => {
        const { text } = await service.get(path, { accept: 'text/html' });
        assert.ok(Buffer.byteLength(text) <= MAX_HTML_BYTES, `${Buffer.byteLength(text)} bytes of HTML`);
        assert.ok(/\/assets\/[\w.-]+/g[Symbol.match](text)!.length <= MAX_REQUESTS);
      });
    });
  }

  test('a key press on a row goes to the next', { todo: EXAMPLES['/search'] === undefined }, async () => {
    if (EXAMPLES['/search'] === undefined) return;
    await withPage(EXAMPLES['/search'][0]!, {}, async (page) => {
      await page.locator('table[data-rows] tbody tr:first-child a').first().focus();
      await page.keyboard.press('j');
      const row = 'document.activeElement.closest("tr").rowIndex';
      assert.equal(await page.evaluate(row), 2);
    });
  });

  test('a chosen theme is kept', () =>
    withPage('/', {}, async (page, context) => {
      await page.locator('select[data-theme-choice]').selectOption('dark');
      const again = await context.newPage();
      await again.goto(`${address}/`);
      assert.equal(await again.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(20, 24, 28)');
    }));

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
