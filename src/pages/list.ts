import type { Page } from './page.ts';
import { check } from './check.ts';
import { home } from './home.ts';

/** All pages. */
export const PAGES: readonly Page[] = [check, home];
