import type { Page } from './page.ts';
import { domain } from './domain.ts';
import { home } from './home.ts';

/** All pages. */
export const PAGES: readonly Page[] = [domain, home];
