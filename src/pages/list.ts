import type { Page } from './page.ts';
import { home } from './home.ts';
import { kev } from './kev.ts';
import { product } from './product.ts';
import { search } from './search.ts';
import { vendor } from './vendor.ts';

/** All pages. */
export const PAGES: readonly Page[] = [home, kev, product, search, vendor];
