import type { Page } from './page.ts';
import { as } from './as.ts';
import { domain } from './domain.ts';
import { check } from './check.ts';
import { home } from './home.ts';
import { indicator } from './indicator.ts';
import { ip } from './ip.ts';
import { kev } from './kev.ts';
import { lists } from './lists.ts';
import { product } from './product.ts';
import { search } from './search.ts';
import { vendor } from './vendor.ts';

/** All pages. */
export const PAGES: readonly Page[] = [
  as,
  domain,
  home,
  indicator,
  ip,
  kev,
  lists,
  product,
  search,
  vendor,
];
export const PAGES: readonly Page[] = [as, check, home, indicator, ip, lists];
