import { displayLine } from '../display-text.ts';
import type { FindingDefinition } from '../finding.ts';
import type { ModuleFinding } from './modules.ts';

interface ScanFindingDefinition extends FindingDefinition {
  title: string;
  reference: string;
}

const RFC = 'https://www.rfc-editor.org/rfc/rfc';
const MDN = 'https://developer.mozilla.org/en-US/docs/Web/Security/';
const OWASP =
  'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/01-Information_Gathering/';
export const TLS_GUIDE = 'https://github.com/ssllabs/research/wiki/SSL-and-TLS-Deployment-Best-Practices';
const HIDE_VERSION = 'Leave it out: who looks for sites with a known hole looks for versions.';

/** What a scan finds beside the issues of headers (`../headers/header-issues.ts`) and the caps of TLS (`../tls/grade-caps.ts`). Codes are stable. */
export const SCAN_FINDINGS = {
  tls_none: {
    severity: 'critical',
    title: 'TLS: none',
    description: 'The site is served without encryption: whoever is on the way reads and changes all of it.',
    remediation: 'Serve it over HTTPS with a certificate of a public authority, and redirect HTTP to it.',
    reference: TLS_GUIDE,
  },
  tls_expires_soon: {
    severity: 'medium',
    title: 'TLS: certificate expires soon',
    description: 'The certificate is near its end, and has not been renewed yet.',
    remediation: 'Check that it renews itself (ACME), and that the server takes the new one.',
    reference: TLS_GUIDE,
  },
  tls_no_tls13: {
    severity: 'low',
    title: 'TLS: no TLS 1.3',
    description: 'TLS 1.3, which is faster and has none of the old ciphers, is not taken.',
    remediation: 'Turn TLS 1.3 on.',
    reference: `${RFC}8446`,
  },

  redirect_missing: {
    severity: 'high',
    title: 'Redirect: none to HTTPS',
    description: 'Over HTTP the site answers without leading to HTTPS: visitors stay unencrypted.',
    remediation: 'Answer every request over HTTP with a redirect (301 or 308) to the same address over HTTPS.',
    reference: `${MDN}Practical_implementation_guides/TLS`,
  },
  redirect_not_to_https: {
    severity: 'medium',
    title: 'Redirect: unencrypted at first',
    description: 'HTTP leads to another unencrypted address first.',
    remediation: 'Redirect to HTTPS of the same host at once, and from there to others.',
    reference: `${MDN}Practical_implementation_guides/TLS`,
  },
  redirect_off_host_first: {
    severity: 'low',
    title: 'Redirect: to another host at once',
    description:
      'HTTP leads to HTTPS of another host at once, so this host never gets to set Strict-Transport-Security.',
    remediation: 'Redirect to HTTPS of the same host first, and from there to the other.',
    reference: `${MDN}Practical_implementation_guides/TLS`,
  },

  html_mixed_active: {
    severity: 'high',
    title: 'Page: unencrypted scripts, styles or frames',
    description: 'An encrypted page takes scripts, styles or frames over HTTP; browsers block them.',
    remediation: 'Take them over HTTPS.',
    reference: `${MDN}Mixed_content`,
  },
  html_password_over_http: {
    severity: 'high',
    title: 'Page: password on an unencrypted page',
    description: 'A password is asked for on an unencrypted page.',
    remediation: 'Serve the page over HTTPS.',
    reference: `${MDN}Insecure_passwords`,
  },
  html_insecure_form: {
    severity: 'high',
    title: 'Page: form sent unencrypted',
    description: 'What is typed into a form is sent unencrypted.',
    remediation: 'Let the form send to an address over HTTPS.',
    reference: `${MDN}Insecure_passwords`,
  },
  html_mixed_passive: {
    severity: 'low',
    title: 'Page: unencrypted images or media',
    description: 'An encrypted page takes images or media over HTTP.',
    remediation: 'Take them over HTTPS.',
    reference: `${MDN}Mixed_content`,
  },
  html_foreign_form: {
    severity: 'low',
    title: 'Page: form sent to another site',
    description: 'A form sends what is typed to another site.',
    remediation: 'Check that it is meant to, and name the sites that may be sent to in form-action of the policy.',
    reference: `${MDN}Practical_implementation_guides/CSP`,
  },
  html_without_integrity: {
    severity: 'low',
    title: 'Page: scripts of others without integrity',
    description: 'Scripts or styles of other sites are taken as those sites hand them out, whatever they hold.',
    remediation: 'Name a hash of each in `integrity`, or serve them yourself.',
    reference: `${MDN}Subresource_Integrity`,
  },

  dns_dangling_alias: {
    severity: 'high',
    title: 'DNS: alias of a name that does not exist',
    description: 'The name is an alias of one that does not exist: whoever gets hold of that one serves this site.',
    remediation: 'Take the record away, or point it to what is yours.',
    reference: `${RFC}1034`,
  },
  dns_spf_anybody: {
    severity: 'high',
    title: 'DNS: SPF lets anybody send',
    description: 'The SPF record passes every server in the world.',
    remediation: 'End it with -all or ~all.',
    reference: `${RFC}7208`,
  },
  dns_spf_missing: {
    severity: 'medium',
    title: 'DNS: no SPF record',
    description: 'Nothing says which servers send mail for the domain.',
    remediation: 'Publish "v=spf1 -all" where none do, else name them and end with -all or ~all.',
    reference: `${RFC}7208`,
  },
  dns_spf_several: {
    severity: 'medium',
    title: 'DNS: several SPF records',
    description: 'With more than one SPF record all of them count as an error.',
    remediation: 'Join them into one.',
    reference: `${RFC}7208`,
  },
  dns_dmarc_missing: {
    severity: 'medium',
    title: 'DNS: no DMARC record',
    description: 'Receivers are not told what to do with mail that only claims to be from here.',
    remediation: 'Publish a record at _dmarc, at first with p=none and rua, then p=quarantine or p=reject.',
    reference: `${RFC}9989`,
  },
  dns_dmarc_several: {
    severity: 'medium',
    title: 'DNS: several DMARC records',
    description: 'With more than one DMARC record none of them counts.',
    remediation: 'Leave one.',
    reference: `${RFC}9989`,
  },
  dns_dmarc_none: {
    severity: 'low',
    title: 'DNS: DMARC only watches',
    description: 'With p=none mail that only claims to be from here is still delivered.',
    remediation: 'When the reports are quiet, set p=quarantine or p=reject.',
    reference: `${RFC}9989`,
  },
  dns_caa_missing: {
    severity: 'low',
    title: 'DNS: no CAA record that names who may issue',
    description: 'Any certificate authority may issue certificates for the name.',
    remediation: 'Name the authorities that may in CAA records.',
    reference: `${RFC}8659`,
  },
  dns_one_name_server: {
    severity: 'low',
    title: 'DNS: one name server',
    description: 'When the only name server is out of reach, so is the whole domain.',
    remediation: 'Have at least two, in different networks.',
    reference: `${RFC}2182`,
  },

  dnssec_bogus: {
    severity: 'critical',
    title: 'DNSSEC: bogus',
    description: 'The signatures do not hold: resolvers that validate refuse to resolve the name at all.',
    remediation:
      'Sign the zone anew, and check that the DS record at the registrar is of its key; or take the DS record away.',
    reference: `${RFC}9364`,
  },
  dnssec_no_ds: {
    severity: 'medium',
    title: 'DNSSEC: signed, but nobody can tell',
    description: 'The zone has keys, but the zone above has no DS record of them, so nobody validates it.',
    remediation: 'Publish the DS record at the registrar.',
    reference: `${RFC}9364`,
  },
  dnssec_unsigned: {
    severity: 'medium',
    title: 'DNSSEC: not signed',
    description: 'Answers about the name are not signed in a way that proves anything: they can be forged on the way.',
    remediation: 'Sign the zone (ECDSA P-256), and publish the DS record at the registrar.',
    reference: `${RFC}9364`,
  },

  methods_trace: {
    severity: 'medium',
    title: 'Methods: TRACE is answered',
    description: 'TRACE repeats requests, with the cookies and keys that proxies add to them.',
    remediation: 'Turn TRACE off.',
    reference: `${RFC}9110#section-9.3.8`,
  },
  methods_writing: {
    severity: 'low',
    title: 'Methods: the home page offers to be changed',
    description: 'Methods that change what is there are offered on the home page, which has no use for them.',
    remediation: 'Refuse PUT, DELETE and PATCH with 405 where nothing is meant to be changed.',
    reference: `${RFC}9110#section-9`,
  },

  error_page_trace: {
    severity: 'medium',
    title: 'Disclosure: error page shows the inside',
    description: 'The error page shows the inside of the application: a trace, or a debugging mode.',
    remediation: 'Turn debugging off where it runs for others, and show a plain error page.',
    reference: OWASP,
  },
  error_page_version: {
    severity: 'low',
    title: 'Disclosure: error page tells a version',
    description: 'The error page tells the version of software that is in use.',
    remediation: HIDE_VERSION,
    reference: OWASP,
  },
  generator_version: {
    severity: 'low',
    title: 'Disclosure: page tells a version',
    description: 'The page tells the version of what made it.',
    remediation: HIDE_VERSION,
    reference: OWASP,
  },
} as const satisfies Record<string, ScanFindingDefinition>;

export type ScanFindingId = keyof typeof SCAN_FINDINGS;

const MAX_EVIDENCE_LENGTH = 300;

/** `evidence`: as it was seen; it is cleaned and cut here. */
export function createScanFinding(id: ScanFindingId, evidence: string | null = null): Omit<ModuleFinding, 'module'> {
  return {
    id,
    ...SCAN_FINDINGS[id],
    evidence: evidence === null ? null : displayLine(evidence, MAX_EVIDENCE_LENGTH),
  };
}
