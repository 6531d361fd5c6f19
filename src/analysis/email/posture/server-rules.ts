import { summarizeList } from '../../display-text.ts';
import type { MailFacts, MailServerFacts } from './mail-facts.ts';
import type { PostureRule } from './posture-rule.ts';

const OLD_PROTOCOLS: ReadonlySet<string> = new Set(['TLSv1', 'TLSv1.1']);

/** Hosts of the mail servers of which `holds`. */
function hostsWhere({ servers }: MailFacts, holds: (server: MailServerFacts) => boolean): string[] {
  return (servers ?? []).filter(holds).map(({ host }) => host);
}

/** Whether a record can be used for mail and is validated by DNSSEC. */
function isDaneInForce({ dane }: MailServerFacts): boolean {
  return dane !== null && dane.signed && dane.usable > 0;
}

/**
 * Rules about the mail servers themselves: STARTTLS (RFC 3207) and DANE (RFC 7672). What could not be reached is no finding. They take
 * no points: the grade would depend on whether this machine may reach port 25.
 */
export const SERVER_RULES: readonly PostureRule[] = [
  {
    id: 'starttls_missing',
    check: 'starttls',
    severity: 'HIGH',
    points: 0,
    remediation: 'Switch TLS on at the mail server, with a certificate for its name.',
    findProblem: (facts) => {
      const hosts = hostsWhere(facts, ({ startTls }) => startTls === false);
      return hosts.length === 0
        ? null
        : `Mail to these servers goes without encryption, as they do not start TLS: ${summarizeList(hosts)}.`;
    },
  },
  {
    id: 'starttls_old_version',
    check: 'starttls',
    severity: 'MEDIUM',
    points: 0,
    remediation: 'Enable TLS 1.2 and 1.3 (RFC 8996 forbids the older ones).',
    findProblem: (facts) => {
      const hosts = hostsWhere(facts, ({ protocol }) => protocol !== null && OLD_PROTOCOLS.has(protocol));
      return hosts.length === 0
        ? null
        : `The best that these mail servers agree to is a version of TLS that is no longer used: ${summarizeList(hosts)}.`;
    },
  },
  {
    id: 'mta_sts_bad_certificate',
    check: 'mta_sts',
    severity: 'HIGH',
    points: 0,
    remediation: 'Install a certificate of a public authority that holds the name of the mail server.',
    findProblem: (facts) => {
      if (facts.mtaSts?.policy?.mode !== 'enforce') return null;
      const hosts = hostsWhere(facts, ({ certificateProblem }) => certificateProblem !== null);
      return hosts.length === 0
        ? null
        : `The MTA-STS policy is enforced, and the certificates of these mail servers are not valid for their names, so that senders do not deliver: ${summarizeList(hosts)}.`;
    },
  },
  {
    id: 'starttls_certificate',
    check: 'starttls',
    severity: 'LOW',
    points: 0,
    remediation:
      'Install a certificate of a public authority that holds the name of the mail server; senders that go by MTA-STS insist on it.',
    findProblem: (facts) => {
      // With DANE the record says which certificate is right, of any issuer; enforced MTA-STS is a finding of its own.
      if (facts.mtaSts?.policy?.mode === 'enforce') return null;
      const hosts = hostsWhere(facts, (server) => server.certificateProblem !== null && !isDaneInForce(server));
      return hosts.length === 0
        ? null
        : `The certificates of these mail servers are not valid for their names: ${summarizeList(hosts)}.`;
    },
  },
  {
    id: 'dane_mismatch',
    check: 'dane',
    severity: 'HIGH',
    points: 0,
    remediation:
      'Publish a TLSA record of the certificate in use beside the old one, and with each new key before it is used (RFC 7671, section 8.1).',
    findProblem: (facts) => {
      const hosts = hostsWhere(facts, (server) => isDaneInForce(server) && server.dane!.matches === false);
      return hosts.length === 0
        ? null
        : `No TLSA record matches the certificate of these mail servers, so that senders that go by DANE do not deliver: ${summarizeList(hosts)}.`;
    },
  },
  {
    id: 'dane_without_tls',
    check: 'dane',
    severity: 'HIGH',
    points: 0,
    remediation: 'Switch STARTTLS on at the mail server, or remove its TLSA records.',
    findProblem: (facts) => {
      const hosts = hostsWhere(facts, (server) => isDaneInForce(server) && server.startTls === false);
      return hosts.length === 0
        ? null
        : `TLSA records demand TLS of mail servers that do not start it; senders that go by DANE do not deliver: ${summarizeList(hosts)}.`;
    },
  },
  {
    id: 'dane_unusable',
    check: 'dane',
    severity: 'MEDIUM',
    points: 0,
    remediation: 'Publish "3 1 1" and the SHA-256 of the public key of the certificate (RFC 7672, section 3.1.1).',
    findProblem: (facts) => {
      const problems = (facts.servers ?? []).flatMap(({ host, dane }) =>
        (dane?.problems ?? []).map((problem) => `${host}: ${problem}`),
      );
      return problems.length === 0 ? null : `TLSA records without effect: ${summarizeList(problems)}.`;
    },
  },
  {
    id: 'dane_unsigned',
    check: 'dane',
    severity: 'LOW',
    points: 0,
    remediation: 'Sign the zone of the mail server with DNSSEC; TLSA records count only then.',
    findProblem: (facts) => {
      const hosts = hostsWhere(
        facts,
        ({ dane }) => dane !== null && dane.records.length > 0 && dane.unsignedReason !== null,
      );
      return hosts.length === 0
        ? null
        : `TLSA records that are not validated by DNSSEC, so that they have no effect: ${summarizeList(hosts)}.`;
    },
  },
  {
    id: 'dane_missing',
    check: 'dane',
    severity: 'INFO',
    points: 0,
    remediation: 'Nothing to do where MTA-STS is in force; with a signed zone, DANE protects without a web server.',
    findProblem: (facts) => {
      const { servers } = facts;
      const known = servers !== null && servers.length > 0 && servers.every(({ dane }) => dane !== null);
      return known && servers.every(({ dane }) => dane!.records.length === 0)
        ? 'The mail servers have no TLSA records (DANE).'
        : null;
    },
  },
];
