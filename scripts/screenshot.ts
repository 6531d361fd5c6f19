/**
 * Takes pictures of pages in both themes, at 390 and 1440 px, and prints what axe finds, how far things moved, and how heavy each is:
 * `node scripts/screenshot.ts <address> <folder> <path>...`; with `--light` and `--wide` only that.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  accessibilityFaults,
  layoutShift,
  openBrowser,
  openWindow,
  overflowsSideways,
  type Theme,
} from '../test/support/browser.ts';

const MAX_HEIGHT = 3000;

const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const [address, folder, ...paths] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (address === undefined || folder === undefined || paths.length === 0) {
  throw new Error('usage: node scripts/screenshot.ts <address> <folder> <path>...');
}
const themes: Theme[] = options.includes('--light') ? ['light'] : ['light', 'dark'];
const widths = options.includes('--wide') ? [1440] : [390, 1440];

await mkdir(folder, { recursive: true });
const browser = await openBrowser();
for (const path of paths) {
  for (const width of widths) {
    for (const theme of themes) {
      const context = await openWindow(browser, width, theme);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      const response = await page.goto(new URL(path, address).href, { waitUntil: 'networkidle' });
      const name = `${path.replaceAll(/[^\w.-]+/g, '_').slice(0, 60) || 'home'}-${width}-${theme}.png`;
      const height = Math.min(MAX_HEIGHT, Number(await page.evaluate('document.documentElement.scrollHeight')));
      await page.screenshot({ path: join(folder, name), fullPage: true, clip: { x: 0, y: 0, width, height } });
      if (await overflowsSideways(page)) problems.push('wider than the window');
      // axe writes styles into shadow trees, which the policy of the pages forbids: that is not a fault of the page.
      page.removeAllListeners('console');
      problems.push(...(await accessibilityFaults(page)));
      const bytes = (await response?.body())?.byteLength ?? 0;
      const shift = await layoutShift(page);
      process.stdout.write(
        `${name}: status ${response?.status()}, ${Math.round(bytes / 1024)} KB of HTML, shift ${shift.toFixed(3)}\n${problems.map((problem) => `  ${problem}\n`).join('')}`,
      );
      await context.close();
    }
  }
}
await browser.close();
