import type { Page } from './page.ts';
import { as } from './as.ts';
import { atlasEntry } from './atlas-entry.ts';
import { atlas } from './atlas.ts';
import { attackMatrix } from './attack-matrix.ts';
import { attackTechnique } from './attack-technique.ts';
import { attackTechniques } from './attack-techniques.ts';
import { attack } from './attack.ts';
import { check } from './check.ts';
import { cvePicture } from './cve-picture.ts';
import { cve } from './cve.ts';
import { cweList } from './cwe-list.ts';
import { cwe } from './cwe.ts';
import { d3fendDefense } from './d3fend-defense.ts';
import { d3fend } from './d3fend.ts';
import { docsErrors, docsPrivacy } from './docs-errors.ts';
import { docsMcp } from './docs-mcp.ts';
import { docsOperation, docsTry } from './docs-operation.ts';
import { docs } from './docs.ts';
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
import { sigmaRule } from './sigma-rule.ts';
import { sigma } from './sigma.ts';
import { status } from './status.ts';
import { vendor } from './vendor.ts';
import { watch } from './watch.ts';
import { watches } from './watches.ts';

/** All pages. */
export const PAGES: readonly Page[] = [
  as,
  atlasEntry,
  atlas,
  attackMatrix,
  attackTechnique,
  attackTechniques,
  attack,
  check,
  cvePicture,
  cve,
  cweList,
  cwe,
  d3fendDefense,
  d3fend,
  docsErrors,
  docsPrivacy,
  docsMcp,
  docsOperation,
  docsTry,
  docs,
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
  sigmaRule,
  sigma,
  status,
  vendor,
  watch,
  watches,
];
