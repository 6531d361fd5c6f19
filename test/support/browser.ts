import { existsSync } from 'node:fs';
import axe, { type Result, type RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** A page that takes longer is broken, also on a busy machine. */
const TIMEOUT_MS = 60_000;

/** Where the browser is; null: tests that need one are skipped by name. */
export const chromiumPath = PATHS.find((path) => existsSync(path)) ?? null;

/** Starts the browser; the caller closes it. */
export function openBrowser(): Promise<Browser> {
  if (chromiumPath === null) throw new Error('no chromium on this machine');
  // The tests run as root in containers, where the sandbox of Chromium cannot start.
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export type Theme = 'light' | 'dark';

/** A window of its own: no storage, one theme. */
export async function openWindow(
  browser: Browser,
  width: number,
  theme: Theme,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: viewportOf(width),
    colorScheme: theme,
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context;
}

/** Gives the window of a page another width and theme. */
export async function reshape(page: Page, width: number, theme: Theme): Promise<void> {
  await page.setViewportSize(viewportOf(width));
  await page.emulateMedia({ colorScheme: theme });
}

function viewportOf(width: number): { width: number; height: number } {
  return { width, height: width < 600 ? 844 : 900 };
}

/** Rules of axe that look at how things are drawn: they judge anew what has another width or other colours. All others judge the document. */
const RULES_OF_DRAWING = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];

/**
 * Rules of WCAG 2.2 A and AA and best practices that the page breaks, each with the first places; empty: none. `drawing`: only rules
 * that look at how things are drawn.
 */
export function accessibilityFaults(page: Page, which: 'all' | 'drawing' = 'all'): Promise<string[]> {
  return axeFaults(page, which === 'drawing' ? { runOnly: RULES_OF_DRAWING } : {});
}

/** Links and controls that are too small or too close to hit (WCAG 2.2, 2.5.8), which axe looks for only when asked. */
export function targetSizeFaults(page: Page): Promise<string[]> {
  return axeFaults(page, { runOnly: ['target-size'], rules: { 'target-size': { enabled: true } } });
}

async function axeFaults(page: Page, which: RunOptions): Promise<string[]> {
  // Without the passes, of which there are hundreds a page.
  const options: RunOptions = { resultTypes: ['violations'], ...which };
  await page.evaluate(axe.source);
  const violations = await page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.map(({ id, help, nodes }) => {
    const places = nodes
      .slice(0, 3)
      .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary?.split('\n')[1]?.trim() ?? ''}`);
    return `${id}: ${help}: ${places.join(' | ')}`;
  });
}

/** The elements that are shown, by name and class, sorted: parts of a page come in any order. */
export function shownElements(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility())
      .map(({ localName, classList }) => [localName, ...classList].join('.')).sort()`,
  );
}

/** How far visible things have moved while the page came (Cumulative Layout Shift); 0: nothing has. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    `new Promise((done) => {
      let sum = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(sum), 100);
    })`,
  );
}

/** True where the page is wider than the window, so that one has to scroll sideways. */
export function overflowsSideways(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}
