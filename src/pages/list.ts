import type { Page } from './page.ts';
import { cve } from './cve.ts';
import { home } from './home.ts';

/** All pages. */
export const PAGES: readonly Page[] = [cve, home];
