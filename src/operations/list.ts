import { bulkAtlasTechniqueLookup } from './atlas/bulk-technique-lookup.ts';
import { atlasCaseStudyLookup } from './atlas/case-study-lookup.ts';
import { atlasCaseStudySearch } from './atlas/case-study-search.ts';
import { atlasTechniqueLookup } from './atlas/technique-lookup.ts';
import { atlasTechniqueSearch } from './atlas/technique-search.ts';
import { bulkCveLookup } from './cve/bulk-lookup.ts';
import { cvssDetails } from './cve/cvss-details.ts';
import { cweLookup } from './cve/cwe.ts';
import { epssLookup } from './cve/epss.ts';
import { exploitLookup } from './cve/exploits.ts';
import { kevDetail } from './cve/kev-detail.ts';
import { kevList } from './cve/kev-list.ts';
import { cveLeading } from './cve/leading.ts';
import { cveLookup } from './cve/lookup.ts';
import { cvesRecent } from './cve/recent.ts';
import { riskScore } from './cve/risk-score.ts';
import { cveSearch } from './cve/search.ts';
import { d3fendAttackCoverage } from './d3fend/coverage.ts';
import { d3fendDefenseLookup } from './d3fend/defense-lookup.ts';
import { d3fendDefenseSearch } from './d3fend/defense-search.ts';
import { d3fendDefenseForAttack } from './d3fend/defenses-for-attack.ts';
import type { Operation } from './operation.ts';
import { privacyMyData } from './service/privacy.ts';
import { status } from './service/status.ts';
import { usage } from './service/usage.ts';
import { bulkSigmaRuleLookup } from './sigma/bulk-lookup.ts';
import { sigmaRuleLookup } from './sigma/lookup.ts';
import { sigmaSearch } from './sigma/search.ts';

/** Everything that can be asked. Each surface walks this list; adding an operation is one line here. */
export const OPERATIONS = [
  cveLookup,
  riskScore,
  cvssDetails,
  cveSearch,
  cveLeading,
  exploitLookup,
  kevDetail,
  cweLookup,
  bulkCveLookup,
  cvesRecent,
  kevList,
  epssLookup,
  atlasTechniqueLookup,
  bulkAtlasTechniqueLookup,
  atlasTechniqueSearch,
  atlasCaseStudyLookup,
  atlasCaseStudySearch,
  d3fendDefenseLookup,
  d3fendDefenseSearch,
  d3fendDefenseForAttack,
  d3fendAttackCoverage,
  sigmaRuleLookup,
  sigmaSearch,
  bulkSigmaRuleLookup,
  status,
  usage,
  privacyMyData,
] as unknown as readonly Operation[];
