import { attackFeed } from './attack/attack.ts';
import { atlasFeed } from './atlas/atlas.ts';
import { cvelistFeed } from './cvelist/cvelist.ts';
import { cweFeed } from './cwe/cwe.ts';
import { d3fendFeed } from './d3fend/d3fend.ts';
import { endoflifeFeed } from './endoflife/endoflife.ts';
import { epssFeed } from './epss.ts';
import { exploitdbFeed } from './exploitdb.ts';
import type { Feed } from './feed.ts';
import { ghsaFeed } from './ghsa/ghsa.ts';
import { cloudFeed } from './ip-lists/cloud.ts';
import { feodoFeed } from './ip-lists/feodo.ts';
import { fireholFeed } from './ip-lists/firehol.ts';
import { torExitFeed } from './ip-lists/tor.ts';
import { kevFeed } from './kev.ts';
import { nvdFeed } from './nvd/nvd.ts';
import { osvFeed } from './osv/osv.ts';
import { purl2cpeFeed } from './purl2cpe/purl2cpe.ts';
import { sigmaFeed } from './sigma/sigma.ts';
import { warninglistsFeed } from './warninglists/warninglists.ts';
import { csafFeed } from './vex/csaf.ts';
import { vexFeed } from './vex/vex.ts';

/** All feeds in the order of a sync: the small ones that change answers most come first. */
export const FEEDS = [
  kevFeed,
  epssFeed,
  cweFeed,
  torExitFeed,
  fireholFeed,
  feodoFeed,
  cloudFeed,
  warninglistsFeed,
  nvdFeed,
  cvelistFeed,
  ghsaFeed,
  exploitdbFeed,
  atlasFeed,
  d3fendFeed,
  sigmaFeed,
  attackFeed,
  endoflifeFeed,
  purl2cpeFeed,
  osvFeed,
  vexFeed,
  csafFeed,
] as unknown as readonly Feed[];
