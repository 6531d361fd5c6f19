import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
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
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context;
}

/** Rules of WCAG 2.2 A and AA and best practices that the page breaks, each with the first places; empty: none. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, help, nodes }) => {
    const places = nodes
      .slice(0, 3)
      .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary?.split('\n')[1]?.trim() ?? ''}`);
    return `${id}: ${help}: ${places.join(' | ')}`;
  });
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
