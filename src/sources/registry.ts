import { abuseipdb } from './abuseipdb.ts';
import { bimiFiles } from './bimi.ts';
import { crtsh } from './crtsh.ts';
import { dns } from './dns.ts';
import { dnsSweep } from './dns-sweep.ts';
import { dnssec } from './dnssec.ts';
import { githubAdvisories } from './github-advisories.ts';
import { hibp } from './hibp.ts';
import { internetdb } from './shodan-internetdb.ts';
import { malwarebazaar } from './malwarebazaar.ts';
import { mtaSts } from './mta-sts.ts';
import { rdapBootstrap } from './rdap.ts';
import { announcedRoute } from './ripestat.ts';
import { shodanCvedb } from './shodan-cvedb.ts';
import { shodanHost } from './shodan-host-api.ts';
import { redirects } from './site/redirects.ts';
import { robotsTxt } from './site/robots-txt.ts';
import { site } from './site/site.ts';
import { smtp } from './smtp.ts';
import type { SourcePolicy } from './source.ts';
import { threatfox } from './threatfox.ts';
import { tls } from './tls/tls.ts';
import { urlhausHost } from './urlhaus.ts';
import { usernames } from './usernames.ts';
import { wayback } from './wayback.ts';
import { whoisReferral } from './whois.ts';

/** The policies of all live sources, for configuration, `/v1/status` and the documentation. */
export const LIVE_SOURCE_POLICIES: readonly SourcePolicy[] = [
  abuseipdb.policy,
  bimiFiles.policy,
  crtsh.policy,
  dns.policy,
  dnsSweep.policy,
  dnssec.policy,
  githubAdvisories.policy,
  hibp.policy,
  internetdb.policy,
  malwarebazaar.policy,
  mtaSts.policy,
  rdapBootstrap.policy,
  redirects.policy,
  announcedRoute.policy,
  robotsTxt.policy,
  shodanCvedb.policy,
  shodanHost.policy,
  smtp.policy,
  threatfox.policy,
  tls.policy,
  urlhausHost.policy,
  usernames.policy,
  site.policy,
  wayback.policy,
  whoisReferral.policy,
];
