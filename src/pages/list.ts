import type { Page } from './page.ts';
import { as } from './as.ts';
import { atlas } from './atlas.ts';
import { atlasEntry } from './atlas-entry.ts';
import { attack } from './attack.ts';
import { attackTechnique } from './attack-technique.ts';
import { attackTechniques } from './attack-techniques.ts';
import { check } from './check.ts';
import { cve } from './cve.ts';
import { cvePicture } from './cve-picture.ts';
import { cwe } from './cwe.ts';
import { cweList } from './cwe-list.ts';
import { d3fend } from './d3fend.ts';
import { d3fendDefense } from './d3fend-defense.ts';
import { docs } from './docs.ts';
import { docsErrors, docsPrivacy } from './docs-errors.ts';
import { docsMcp } from './docs-mcp.ts';
import { docsOperation, docsTry } from './docs-operation.ts';
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
import { sigma } from './sigma.ts';
import { sigmaRule } from './sigma-rule.ts';
import { status } from './status.ts';
import { vendor } from './vendor.ts';

/** All pages. */
export const PAGES: readonly Page[] = [
  as,
  atlas,
  atlasEntry,
  attack,
  attackTechnique,
  attackTechniques,
  check,
  cve,
  cvePicture,
  cwe,
  cweList,
  d3fend,
  d3fendDefense,
  docs,
  docsErrors,
  docsPrivacy,
  docsMcp,
  docsOperation,
  docsTry,
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
  sigma,
  sigmaRule,
  status,
  vendor,
];
