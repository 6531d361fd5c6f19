import { bulkAtlasTechniqueLookup } from './atlas/bulk-atlas-technique-lookup.ts';
import { atlasCatalog } from './atlas/atlas-catalog.ts';
import { atlasCaseStudyLookup } from './atlas/atlas-case-study-lookup.ts';
import { atlasCaseStudySearch } from './atlas/atlas-case-study-search.ts';
import { atlasTechniqueLookup } from './atlas/atlas-technique-lookup.ts';
import { atlasTechniqueSearch } from './atlas/atlas-technique-search.ts';
import { attackCoverage } from './attack/attack-coverage.ts';
import { attackMatrix } from './attack/attack-matrix.ts';
import { attackTechniqueLookup } from './attack/attack-technique-lookup.ts';
import { attackTechniqueSearch } from './attack/attack-technique-search.ts';
import { checkHeaders } from './code/check-headers.ts';
import { checkDependencies } from './code/check-dependencies.ts';
import { checkInjection } from './code/check-injection.ts';
import { checkSecrets } from './code/check-secrets.ts';
import { cveDetection } from './cve/cve-detection.ts';
import { affectedCheck } from './cve/affected-check.ts';
import { bulkCveLookup } from './cve/bulk-cve-lookup.ts';
import { getCvssDetails } from './cve/get-cvss-details.ts';
import { cweCatalog } from './cve/cwe-catalog.ts';
import { cweLookup } from './cve/cwe-lookup.ts';
import { changes } from './cve/changes.ts';
import { cveHistory } from './cve/cve-history.ts';
import { epssHistory } from './cve/epss-history.ts';
import { advisoryLookup } from './cve/advisory-lookup.ts';
import { epssRisers } from './cve/epss-risers.ts';
import { epssLookup } from './cve/epss-lookup.ts';
import { exploitLookup } from './cve/exploit-lookup.ts';
import { productLookup } from './cve/product-lookup.ts';
import { kevDetail } from './cve/kev-detail.ts';
import { cvesKev } from './cve/cves-kev.ts';
import { cveLeading } from './cve/cve-leading.ts';
import { cveVex } from './cve/cve-vex.ts';
import { cveLookup } from './cve/cve-lookup.ts';
import { cvesRecent } from './cve/cves-recent.ts';
import { calculateRiskScore } from './cve/calculate-risk-score.ts';
import { cveFacets } from './cve/cve-facets.ts';
import { cveSearch } from './cve/cve-search.ts';
import { d3fendAttackCoverage } from './d3fend/d3fend-attack-coverage.ts';
import { d3fendCatalog } from './d3fend/d3fend-catalog.ts';
import { d3fendDefenseLookup } from './d3fend/d3fend-defense-lookup.ts';
import { d3fendDefenseSearch } from './d3fend/d3fend-defense-search.ts';
import { d3fendDefenseForAttack } from './d3fend/d3fend-defense-for-attack.ts';
import { waybackLookup } from './domain/wayback-lookup.ts';
import { auditDomain } from './domain/audit-domain.ts';
import { domainsBulk } from './domain/domains-bulk.ts';
import { certsLookup } from './domain/certs-lookup.ts';
import { dnsLookup } from './domain/dns-lookup.ts';
import { domainMonitor } from './domain/domain-monitor.ts';
import { domainReport } from './domain/domain-report.ts';
import { lookAlikes } from './domain/look-alikes.ts';
import { sslCheck } from './domain/ssl-check.ts';
import { subdomainEnum } from './domain/subdomain-enum.ts';
import { whoisLookup } from './domain/whois-lookup.ts';
import { emailDisposable } from './email/email-disposable.ts';
import { emailMx } from './email/email-mx.ts';
import { emailSecurityPosture } from './email/email-security-posture.ts';
import { emailVerify } from './email/email-verify.ts';
import { spfCheck } from './email/spf-check.ts';
import { bulkIocLookup } from './indicators/bulk-ioc-lookup.ts';
import { hashLookup } from './indicators/hash-lookup.ts';
import { iocLookup } from './indicators/ioc-lookup.ts';
import { passwordCheck } from './indicators/password-check.ts';
import { phishingCheck } from './indicators/phishing-check.ts';
import { phoneLookup } from './indicators/phone-lookup.ts';
import { threatIntel } from './domain/threat-intel.ts';
import { usernameLookup } from './indicators/username-lookup.ts';
import { asnLookup } from './ip/asn-lookup.ts';
import { ipLookup } from './ip/ip-lookup.ts';
import { threatReport } from './ip/threat-report.ts';
import type { Operation } from '../engine/operation.ts';
import { privacyMyData } from './service/privacy-my-data.ts';
import { status } from './service/status.ts';
import { usage } from './service/usage.ts';
import { bulkSigmaRuleLookup } from './sigma/bulk-sigma-rule-lookup.ts';
import { sigmaRuleLookup } from './sigma/sigma-rule-lookup.ts';
import { sigmaSearch } from './sigma/sigma-search.ts';
import { watchCreate } from './watches/watch-create.ts';
import { watchList } from './watches/watch-list.ts';
import { watchLookup } from './watches/watch-lookup.ts';
import { watchUpdate } from './watches/watch-update.ts';
import { watchDelete } from './watches/watch-delete.ts';
import { watchEvents } from './watches/watch-events.ts';
import { watchDeliveries } from './watches/watch-deliveries.ts';
import { watchTest } from './watches/watch-test.ts';
import { watchReplay } from './watches/watch-replay.ts';
import { brandAssets } from './web/brand-assets.ts';
import { domainVulns } from './web/domain-vulns.ts';
import { geoAudit } from './web/geo-audit.ts';
import { redirectChain } from './web/redirect-chain.ts';
import { robotsTxt } from './web/robots-txt.ts';
import { contrastScan } from './web/contrast-scan.ts';
import { scanHeaders } from './web/scan-headers.ts';
import { seoAudit } from './web/seo-audit.ts';
import { techFingerprint } from './web/tech-fingerprint.ts';
import { techStackCveAudit } from './web/tech-stack-cve-audit.ts';

/** All operations, in the order shown to people. Every surface is derived from this list. */
export const OPERATIONS: readonly Operation[] = [
  cveLookup,
  calculateRiskScore,
  getCvssDetails,
  cveSearch,
  cveFacets,
  cveLeading,
  exploitLookup,
  kevDetail,
  cweLookup,
  cweCatalog,
  bulkCveLookup,
  cvesRecent,
  cvesKev,
  epssLookup,
  atlasTechniqueLookup,
  bulkAtlasTechniqueLookup,
  atlasTechniqueSearch,
  atlasCaseStudyLookup,
  atlasCaseStudySearch,
  atlasCatalog,
  d3fendDefenseLookup,
  d3fendDefenseSearch,
  d3fendDefenseForAttack,
  d3fendAttackCoverage,
  d3fendCatalog,
  sigmaRuleLookup,
  bulkSigmaRuleLookup,
  checkSecrets,
  checkInjection,
  checkHeaders,
  checkDependencies,
  dnsLookup,
  whoisLookup,
  domainReport,
  auditDomain,
  domainsBulk,
  domainMonitor,
  sslCheck,
  subdomainEnum,
  certsLookup,
  waybackLookup,
  contrastScan,
  scanHeaders,
  techFingerprint,
  domainVulns,
  techStackCveAudit,
  robotsTxt,
  redirectChain,
  brandAssets,
  seoAudit,
  geoAudit,
  emailMx,
  emailSecurityPosture,
  emailDisposable,
  emailVerify,
  threatIntel,
  ipLookup,
  threatReport,
  asnLookup,
  iocLookup,
  bulkIocLookup,
  hashLookup,
  phishingCheck,
  passwordCheck,
  usernameLookup,
  phoneLookup,
  status,
  usage,
  privacyMyData,
  // Tools beyond those of the specification come last.
  cveDetection,
  sigmaSearch,
  affectedCheck,
  epssHistory,
  epssRisers,
  advisoryLookup,
  cveVex,
  productLookup,
  attackTechniqueLookup,
  attackTechniqueSearch,
  attackCoverage,
  attackMatrix,
  cveHistory,
  changes,
  lookAlikes,
  spfCheck,
  watchCreate,
  watchList,
  watchLookup,
  watchUpdate,
  watchDelete,
  watchEvents,
  watchDeliveries,
  watchTest,
  watchReplay,
];
