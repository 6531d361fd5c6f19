import type { Page } from './page.ts';
import { as } from './as.ts';
import { check } from './check.ts';
import { domain } from './domain.ts';
import { home } from './home.ts';
import { indicator } from './indicator.ts';
import { ip } from './ip.ts';
import { kev } from './kev.ts';
import { key } from './key.ts';
import { lists } from './lists.ts';
import { privacy } from './privacy.ts';
import { product } from './product.ts';
import { search } from './search.ts';
import { status } from './status.ts';
import { vendor } from './vendor.ts';

/** All pages. */
export const PAGES: readonly Page[] = [
  as,
  check,
  domain,
  home,
  indicator,
  ip,
  kev,
  key,
  lists,
  privacy,
  product,
  search,
  status,
  vendor,
];
