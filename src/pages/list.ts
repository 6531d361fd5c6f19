import type { Page } from './page.ts';
import { as } from './as.ts';
import { domain } from './domain.ts';
import { home } from './home.ts';
import { indicator } from './indicator.ts';
import { ip } from './ip.ts';
import { lists } from './lists.ts';

/** All pages. */
export const PAGES: readonly Page[] = [as, domain, home, indicator, ip, lists];
