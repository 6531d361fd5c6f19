import { atlasFeed } from './atlas/atlas.ts';
import { cvelistFeed } from './cvelist/cvelist.ts';
import { cweFeed } from './cwe/cwe.ts';
import { d3fendFeed } from './d3fend/d3fend.ts';
import { epssFeed } from './epss.ts';
import { exploitdbFeed } from './exploitdb.ts';
import type { Feed } from './feed.ts';
import { ghsaFeed } from './ghsa/ghsa.ts';
import { kevFeed } from './kev.ts';
import { nvdFeed } from './nvd/nvd.ts';
import { sigmaFeed } from './sigma/sigma.ts';

/** All synced feeds, in the order of a sync: the small ones that change an answer most come first. */
export const FEEDS = [
  kevFeed,
  epssFeed,
  cweFeed,
  nvdFeed,
  cvelistFeed,
  ghsaFeed,
  exploitdbFeed,
  atlasFeed,
  d3fendFeed,
  sigmaFeed,
] as unknown as readonly Feed[];
