import { bulkAtlasTechniqueLookup } from './atlas/bulk-technique-lookup.ts';
import { atlasCaseStudyLookup } from './atlas/case-study-lookup.ts';
import { atlasCaseStudySearch } from './atlas/case-study-search.ts';
import { atlasTechniqueLookup } from './atlas/technique-lookup.ts';
import { atlasTechniqueSearch } from './atlas/technique-search.ts';
import { headerCheck } from './code/check-headers.ts';
import { checkDependencies } from './code/dependencies.ts';
import { checkInjection } from './code/injection.ts';
import { checkSecrets } from './code/secrets.ts';
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
import { waybackLookup } from './domain/archive.ts';
import { auditDomain } from './domain/audit.ts';
import { domainsBulk } from './domain/bulk-report.ts';
import { certsLookup } from './domain/certs.ts';
import { dnsLookup } from './domain/dns.ts';
import { domainMonitor } from './domain/monitor.ts';
import { domainReport } from './domain/report.ts';
import { sslCheck } from './domain/ssl.ts';
import { subdomainEnum } from './domain/subdomains.ts';
import { whoisLookup } from './domain/whois.ts';
import { emailDisposable } from './email/disposable.ts';
import { emailMx } from './email/mx.ts';
import { emailSecurityPosture } from './email/security-posture.ts';
import { emailVerify } from './email/verify.ts';
import { bulkIocLookup } from './indicators/bulk-ioc.ts';
import { hashLookup } from './indicators/hash.ts';
import { iocLookup } from './indicators/ioc.ts';
import { passwordCheck } from './indicators/password.ts';
import { phishingCheck } from './indicators/phishing.ts';
import { phoneLookup } from './indicators/phone.ts';
import { threatIntel } from './indicators/threat.ts';
import { usernameLookup } from './indicators/username.ts';
import { asnLookup } from './ip/asn.ts';
import { ipLookup } from './ip/lookup.ts';
import { threatReport } from './ip/threat-report.ts';
import type { Operation } from './operation.ts';
import { privacyMyData } from './service/privacy.ts';
import { status } from './service/status.ts';
import { usage } from './service/usage.ts';
import { bulkSigmaRuleLookup } from './sigma/bulk-lookup.ts';
import { sigmaRuleLookup } from './sigma/lookup.ts';
import { sigmaSearch } from './sigma/search.ts';
import { brandAssets } from './site/brand.ts';
import { domainVulns } from './site/domain-vulns.ts';
import { geoAudit } from './site/geo.ts';
import { redirectChain } from './site/redirect.ts';
import { robotsTxtLookup } from './site/robots.ts';
import { contrastScan } from './site/scan.ts';
import { scanHeaders } from './site/scan-headers.ts';
import { seoAudit } from './site/seo.ts';
import { techFingerprint } from './site/tech.ts';
import { techStackCveAudit } from './site/tech-audit.ts';

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
  checkSecrets,
  checkInjection,
  headerCheck,
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
  robotsTxtLookup,
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
] as unknown as readonly Operation[];
