import type { Page } from './page.ts';
import { home } from './home.ts';

/** All pages. */
export const PAGES: readonly Page[] = [home];
