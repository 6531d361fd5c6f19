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
    severity: 'CRITICAL',
    title: 'TLS: no HTTPS',
    description: 'The site is served without encryption: anyone on the network path can read and change all of it.',
    remediation: 'Serve it over HTTPS with a certificate of a public authority, and redirect HTTP to it.',
    reference: TLS_GUIDE,
  },
  tls_expires_soon: {
    severity: 'MEDIUM',
    title: 'TLS: certificate expires soon',
    description: 'The certificate expires soon and has not been renewed yet.',
    remediation: 'Check that it is renewed automatically (ACME), and that the server loads the new one.',
    reference: TLS_GUIDE,
  },
  tls_no_tls13: {
    severity: 'LOW',
    title: 'TLS: no TLS 1.3',
    description: 'The server does not support TLS 1.3, which is faster and has no legacy ciphers.',
    remediation: 'Enable TLS 1.3.',
    reference: `${RFC}8446`,
  },

  redirect_missing: {
    severity: 'HIGH',
    title: 'Redirect: no redirect to HTTPS',
    description: 'Over HTTP the site answers without a redirect to HTTPS: visitors stay unencrypted.',
    remediation: 'Answer every request over HTTP with a redirect (301 or 308) to the same address over HTTPS.',
    reference: `${MDN}Practical_implementation_guides/TLS`,
  },
  redirect_not_to_https: {
    severity: 'MEDIUM',
    title: 'Redirect: first to an unencrypted address',
    description: 'HTTP redirects to another unencrypted address first.',
    remediation: 'Redirect to HTTPS on the same host first, and from there to other hosts.',
    reference: `${MDN}Practical_implementation_guides/TLS`,
  },
  redirect_off_host_first: {
    severity: 'LOW',
    title: 'Redirect: first to another host',
    description:
      'HTTP leads to HTTPS of another host at once, so this host never gets to set Strict-Transport-Security.',
    remediation: 'Redirect to HTTPS on the same host first, and from there to the other host.',
    reference: `${MDN}Practical_implementation_guides/TLS`,
  },

  html_mixed_active: {
    severity: 'HIGH',
    title: 'Page: unencrypted scripts, styles or frames',
    description: 'An HTTPS page loads scripts, styles or frames over HTTP; browsers block them (mixed content).',
    remediation: 'Load them over HTTPS.',
    reference: `${MDN}Mixed_content`,
  },
  html_password_over_http: {
    severity: 'HIGH',
    title: 'Page: password on an unencrypted page',
    description: 'An unencrypted page asks for a password.',
    remediation: 'Serve the page over HTTPS.',
    reference: `${MDN}Insecure_passwords`,
  },
  html_insecure_form: {
    severity: 'HIGH',
    title: 'Page: form sent unencrypted',
    description: 'A form sends its input unencrypted.',
    remediation: 'Use an HTTPS address as the target of the form.',
    reference: `${MDN}Insecure_passwords`,
  },
  html_mixed_passive: {
    severity: 'LOW',
    title: 'Page: unencrypted images or media',
    description: 'An HTTPS page loads images or media over HTTP (mixed content).',
    remediation: 'Load them over HTTPS.',
    reference: `${MDN}Mixed_content`,
  },
  html_foreign_form: {
    severity: 'LOW',
    title: 'Page: form sent to another site',
    description: 'A form sends its input to another site.',
    remediation:
      'Check that this is intended, and list the allowed targets in the form-action directive of the Content-Security-Policy.',
    reference: `${MDN}Practical_implementation_guides/CSP`,
  },
  html_integrity_without_cors: {
    severity: 'LOW',
    title: 'Page: integrity without crossorigin',
    description: 'Files of other sites carry integrity but no crossorigin, so that browsers refuse them.',
    remediation: 'Add `crossorigin="anonymous"` beside `integrity`.',
    reference: `${MDN}Subresource_Integrity`,
  },
  html_without_integrity: {
    severity: 'LOW',
    title: 'Page: third-party scripts without integrity',
    description:
      'Scripts or styles of other sites are loaded without a hash: the page runs whatever those sites serve.',
    remediation: 'Add the `integrity` attribute (subresource integrity), or serve the files yourself.',
    reference: `${MDN}Subresource_Integrity`,
  },

  dns_dangling_alias: {
    severity: 'HIGH',
    title: 'DNS: alias of a name that does not exist',
    description:
      'The name is an alias (CNAME) of a name that does not exist: anyone who registers that name serves this site.',
    remediation: 'Remove the record, or point it to a name that you control.',
    reference: `${RFC}1034`,
  },
  dns_spf_anybody: {
    severity: 'HIGH',
    title: 'DNS: SPF allows every sender',
    description: 'The SPF record allows every server to send mail for the domain.',
    remediation: 'End it with -all or ~all.',
    reference: `${RFC}7208`,
  },
  dns_spf_missing: {
    severity: 'MEDIUM',
    title: 'DNS: no SPF record',
    description: 'Nothing says which servers send mail for the domain.',
    remediation: 'Publish "v=spf1 -all" if no server sends mail, else list the servers and end with -all or ~all.',
    reference: `${RFC}7208`,
  },
  dns_spf_several: {
    severity: 'MEDIUM',
    title: 'DNS: several SPF records',
    description: 'More than one SPF record is a permanent error (RFC 7208): no record is used.',
    remediation: 'Merge them into one record.',
    reference: `${RFC}7208`,
  },
  dns_dmarc_missing: {
    severity: 'MEDIUM',
    title: 'DNS: no DMARC record',
    description: 'Receivers are not told what to do with mail that forges this domain.',
    remediation: 'Publish a record at _dmarc, at first with p=none and rua, then p=quarantine or p=reject.',
    reference: `${RFC}9989`,
  },
  dns_dmarc_several: {
    severity: 'MEDIUM',
    title: 'DNS: several DMARC records',
    description: 'More than one DMARC record is invalid (RFC 7489): no record is used.',
    remediation: 'Keep one record.',
    reference: `${RFC}9989`,
  },
  dns_dmarc_none: {
    severity: 'LOW',
    title: 'DNS: DMARC policy is none',
    description: 'With p=none, mail that forges this domain is still delivered.',
    remediation: 'When the reports show no legitimate mail that fails, set p=quarantine or p=reject.',
    reference: `${RFC}9989`,
  },
  dns_caa_missing: {
    severity: 'LOW',
    title: 'DNS: no CAA record with an issuer',
    description: 'Any certificate authority may issue certificates for the name.',
    remediation: 'List the permitted authorities in CAA records.',
    reference: `${RFC}8659`,
  },
  dns_one_name_server: {
    severity: 'LOW',
    title: 'DNS: one name server',
    description: 'If the only name server is unreachable, the whole domain is.',
    remediation: 'Use at least two name servers in different networks.',
    reference: `${RFC}2182`,
  },

  dnssec_bogus: {
    severity: 'CRITICAL',
    title: 'DNSSEC: bogus',
    description: 'The signatures are not valid: validating resolvers do not resolve the name.',
    remediation:
      'Sign the zone anew, and check that the DS record at the registrar is of its key; or take the DS record away.',
    reference: `${RFC}9364`,
  },
  dnssec_no_ds: {
    severity: 'MEDIUM',
    title: 'DNSSEC: signed, but not validated',
    description: 'The zone has keys, but the zone above has no DS record of them, so no resolver can validate it.',
    remediation: 'Publish the DS record at the registrar.',
    reference: `${RFC}9364`,
  },
  dnssec_unsigned: {
    severity: 'MEDIUM',
    title: 'DNSSEC: not signed',
    description: 'Answers about the name are not signed: they can be forged on the network path.',
    remediation: 'Sign the zone (ECDSA P-256), and publish the DS record at the registrar.',
    reference: `${RFC}9364`,
  },

  methods_trace: {
    severity: 'MEDIUM',
    title: 'Methods: TRACE is answered',
    description: 'TRACE returns the request, including cookies and headers that proxies add.',
    remediation: 'Disable TRACE.',
    reference: `${RFC}9110#section-9.3.8`,
  },
  methods_writing: {
    severity: 'LOW',
    title: 'Methods: the home page allows methods that change it',
    description: 'The home page lists methods that change resources, which a page does not need.',
    remediation: 'Answer PUT, DELETE and PATCH with 405 where nothing can be changed.',
    reference: `${RFC}9110#section-9`,
  },

  error_page_trace: {
    severity: 'MEDIUM',
    title: 'Disclosure: error page shows internals',
    description: 'The error page shows internals of the application: a stack trace, or a debug mode.',
    remediation: 'Disable debugging in production, and show a plain error page.',
    reference: OWASP,
  },
  error_page_version: {
    severity: 'LOW',
    title: 'Disclosure: error page shows a version',
    description: 'The error page shows the version of the software in use.',
    remediation: HIDE_VERSION,
    reference: OWASP,
  },
  generator_version: {
    severity: 'LOW',
    title: 'Disclosure: page shows a version',
    description: 'The page shows the version of the software that generated it.',
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
