import type { Page } from './page.ts';
import { as } from './as.ts';
import { check } from './check.ts';
import { home } from './home.ts';
import { indicator } from './indicator.ts';
import { ip } from './ip.ts';
import { lists } from './lists.ts';

/** All pages. */
export const PAGES: readonly Page[] = [as, check, home, indicator, ip, lists];
