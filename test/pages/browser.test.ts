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
  reshape,
  shownElements,
  targetSizeFaults,
  type Theme,
} from '../support/browser.ts';
import { startService } from '../support/service.ts';
import { EXAMPLES } from './examples.ts';

const MAX_HTML_BYTES = 200 * 1024;
const MAX_ASSET_BYTES = 60 * 1024;
/** The document, its style, its picture and scripts: more would be felt on a slow link. */
const MAX_REQUESTS = 6;
const DOMAIN_PARTS = ['mail', 'tls', 'web', 'technologies', 'scan', 'names', 'history'];

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
      for (const [name, reader, rules] of [
        ['1440 px, dark', wide, 'all'],
        // It shows the same elements, as the next test requires: what can differ is how they are drawn.
        ['390 px, light', narrow, 'drawing'],
      ] as const) {
        test(`${name}: accessible, nothing scrolls sideways or moves while it comes`, async () => {
          const page = await open(reader, path);
          assert.ok((await layoutShift(page)) < 0.1, 'things move while it comes');
          assert.equal(await overflowsSideways(page), false);
          assert.deepEqual(await accessibilityFaults(page, rules), []);
        });
      }

      test('shows the same at both widths, in both themes', async () => {
        const { page } = wide;
        const shown = await shownElements(page);
        await reshape(page, 390, 'light');
        const shownNarrow = await shownElements(page);
        await reshape(page, 1440, 'dark');
        assert.deepEqual(shownNarrow, shown);
      });

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

  test('the title of a domain is its risk once that is known', async () => {
    const page = await open(wide, '/domain/kept.lab');
    assert.match(await page.title(), /^kept\.lab: (very )?(low|medium|high) risk, \d+ of 100, lower is better/);
    const still = await open(withoutScripts, '/domain/kept.lab');
    assert.equal(await still.title(), 'kept.lab: domain report · Sextant');
  });

  test('a finding that the address names is open', async () => {
    const page = await open(wide, '/domain/poor.lab#mail.dmarc_policy_none');
    assert.equal(await page.locator('[id="mail.dmarc_policy_none"] > details').getAttribute('open'), '');
    assert.equal(await page.locator('[id="mail.dkim_testing"] > details').getAttribute('open'), null);
  });

  for (const path of [
    '/domain/kept.lab',
    '/domain/poor.lab',
    '/domain/poor.lab?open=all',
    ...DOMAIN_PARTS.map((part) => `/domain/poor.lab?part=${part}`),
  ]) {
    test(`${path}: every link can be hit, and in print every finding is read`, async () => {
      const page = await open(wide, path);
      assert.deepEqual(await targetSizeFaults(page), []);
      await reshape(page, 390, 'light');
      assert.deepEqual(await targetSizeFaults(page), []);
      assert.equal(await overflowsSideways(page), false);
      assert.deepEqual(await accessibilityFaults(page), []);
      const folded = (await page.evaluate<string[]>(HIDDEN_FINDINGS)).length;
      assert.equal(folded > 0, !path.includes('?'));
      await page.emulateMedia({ media: 'print' });
      assert.deepEqual(await page.evaluate<string[]>(HIDDEN_FINDINGS), []);
      await page.emulateMedia({ media: null });
      await reshape(page, 1440, 'dark');
    });
  }

  test('Back leads to the result of a check of packages', async () => {
    const page = await open(wide, '/check');
    await page.fill('#check-text', 'pkg:npm/lodash@4.17.20');
    await page.click('#paste button');
    await page.waitForSelector('ul.verdict');
    const heading = await page.textContent('h1');
    await page.click('a[href^="/cve/"]');
    await page.waitForURL('**/cve/**');
    // Of an answer that it may not keep, a browser shows an error instead (ERR_CACHE_MISS).
    await page.goBack();
    assert.equal(await page.textContent('h1'), heading);
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

/** Findings whose text is not drawn. */
const HIDDEN_FINDINGS = `[...document.querySelectorAll('.findings > li')]
  .filter((item) => [...item.querySelectorAll('details > p')].some((part) => !part.checkVisibility()))
  .map(({ id }) => id)`;

/** Things that can be clicked but not reached by the keyboard, or that are reached in another order than they are read. */
const TAB_ORDER_FAULTS = `(() => {
  const faults = [];
  for (const element of document.querySelectorAll('[tabindex]')) if (element.tabIndex > 0) faults.push(element.outerHTML);
  for (const element of document.querySelectorAll('a:not([href]), [onclick], [role=button]:not(button)')) faults.push(element.outerHTML);
  return faults;
})()`;
