import { digCommand, type VerifyCommand } from '../../fix-guide.ts';
import type { MailFacts } from './mail-facts.ts';
import { mtaStsPolicyUrl, WRONG_TYPE } from './mta-sts-fix.ts';
import type { PostureCheck } from './posture-rule.ts';
import type { SuggestedRecord } from './suggest-record.ts';

interface Fix {
  facts: MailFacts;
  domain: string;
  /** What is to be published; null: it cannot be written without knowing more. */
  record: SuggestedRecord | null;
}

/** An RSA key of 2048 bits as SubjectPublicKeyInfo (RFC 8017) has 294 bytes: 392 characters of base64. */
const KEY_LENGTH =
  'a line with "p=" and at least 392 characters after it, quotes and spaces not counted (RSA of 2048 bits; of 1024 bits it is 216), or with "k=ed25519" and 44';

/** What an SPF record looks like when a finding is mended for which no record can be suggested. */
const SPF_EXPECTATIONS: Readonly<Record<string, string>> = {
  spf_multiple_records: 'exactly one line that begins with "v=spf1"',
  spf_syntax: 'one line that begins with "v=spf1", in which the term that is named stands corrected',
  spf_pass_all: 'one line that begins with "v=spf1" and ends in "~all" or "-all", not in "+all"',
  spf_neutral_all: 'one line that begins with "v=spf1" and ends in "~all" or "-all", not in "?all"',
  spf_no_all: 'one line that begins with "v=spf1" and ends in "~all" or "-all"',
  spf_softfail: 'one line that begins with "v=spf1" and ends in "-all"',
  spf_lookup_limit:
    'one line that begins with "v=spf1", with fewer of "include:", "a", "mx", "exists:" and "redirect="; asked again, the lookups are 10 or less',
  spf_void_lookups: 'one line that begins with "v=spf1", without the names that lead nowhere',
  spf_broken_include: 'one line that begins with "v=spf1", without the names that are listed',
  spf_loop: 'one line that begins with "v=spf1", without the include or redirect that leads back',
  spf_covers_internet: 'one line that begins with "v=spf1", with the networks of your senders only',
  spf_mx_limit: 'one line that begins with "v=spf1", without the "mx" of the names that are listed',
  spf_unreached_terms: 'one line that begins with "v=spf1" and ends in "all"',
  spf_ptr: 'one line that begins with "v=spf1", without "ptr"',
  spf_wide_network: 'one line that begins with "v=spf1", without the networks that are listed',
};

const DKIM_EXPECTATIONS: Readonly<Record<string, string>> = {
  dkim_testing: 'a line with "p=" and the key, without "t=y"',
  dkim_sha1: 'a line with "p=" and the key, without "h=sha1"',
  dkim_not_confirmed: `${KEY_LENGTH}; SELECTOR is what the mail service names`,
};

const POLICY_EXPECTATIONS: Readonly<Record<string, string>> = {
  mta_sts_not_enforced: 'the policy with the line "mode: enforce"',
  mta_sts_mx_uncovered: 'the policy with an "mx:" line for each mail server',
  mta_sts_mx_uncovered_in_testing: 'the policy with an "mx:" line for each mail server',
  mta_sts_short_max_age: 'the policy with "max_age:" and 604800 or more',
};

/** Commands whose output is another one before the finding is mended than after it. */
export function verifyMailFix(
  { id, check }: { readonly id: string; readonly check: PostureCheck },
  { facts, domain, record }: Fix,
): VerifyCommand[] {
  const published = record === null ? null : `the record above, in quotes: ${quoted(record.value)}`;
  switch (check) {
    case 'mx':
      return [digCommand('MX', domain, 'the mail servers, or "0 ." if it takes no mail')];
    case 'spf':
      return [
        digCommand(
          'TXT',
          domain,
          published === null
            ? (SPF_EXPECTATIONS[id] ?? 'one line that begins with "v=spf1"')
            : `${published}, and no other line that begins with "v=spf1"`,
        ),
      ];
    case 'dmarc':
      return verifyDmarc(id, facts, domain, published);
    case 'dkim': {
      if (id === 'dkim_wildcard') return [digCommand('TXT', `no-such-selector._domainkey.${domain}`, 'nothing')];
      const selector = id === 'dkim_testing' ? testingSelector(facts.dkim) : 'SELECTOR';
      const expect = DKIM_EXPECTATIONS[id] ?? `${KEY_LENGTH}; SELECTOR is that of the new key`;
      return [digCommand('TXT', `${selector}._domainkey.${domain}`, expect)];
    }
    case 'mta_sts':
      return verifyMtaSts(id, facts, domain, published);
    case 'tls_rpt':
      return [digCommand('TXT', `_smtp._tls.${domain}`, published ?? 'one line "v=TLSRPTv1; rua=…"')];
    case 'starttls':
      return facts.servers?.slice(0, MAX_SERVERS).map(({ host }) => startTlsCommand(host)) ?? [];
    case 'dane':
      return (
        facts.servers
          ?.slice(0, MAX_SERVERS)
          .map(({ host }) => digCommand('TLSA', `_25._tcp.${host}`, 'a line "3 1 1 …" of the certificate in use')) ?? []
      );
    case 'bimi':
      return [digCommand('TXT', `default._bimi.${domain}`, 'one line that begins with "v=BIMI1"')];
  }
}

const MAX_SERVERS = 4;

function startTlsCommand(host: string): VerifyCommand {
  return {
    command: `openssl s_client -starttls smtp -connect ${host}:25 -verify_hostname ${host} -brief </dev/null`,
    expect: '"Protocol version: TLSv1.3" or "TLSv1.2", and "Verification: OK"',
  };
}

/** The selector of a key in test mode. */
export function testingSelector(dkim: MailFacts['dkim']): string {
  return dkim?.keys.find(({ key }) => key.testing)?.selector ?? 'SELECTOR';
}

function verifyDmarc(
  id: string,
  { dmarc: { externalReports } }: MailFacts,
  domain: string,
  published: string | null,
): VerifyCommand[] {
  if (id === 'dmarc_reports_unauthorized')
    return externalReports
      .filter(({ authorized, target }) => authorized === false && HOST_PATTERN.test(target))
      .map(({ target }) => digCommand('TXT', `${domain}._report._dmarc.${target}`, 'a line with "v=DMARC1"'));
  if (id === 'dmarc_multiple_records')
    return [digCommand('TXT', `_dmarc.${domain}`, 'exactly one line that begins with "v=DMARC1"')];
  return [
    digCommand(
      'TXT',
      `_dmarc.${domain}`,
      published ?? 'one line that begins with "v=DMARC1; p=" and has the policy that you chose, as "p=reject"',
    ),
  ];
}

const HOST_PATTERN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

function verifyMtaSts(
  id: string,
  { mtaSts, servers }: MailFacts,
  domain: string,
  published: string | null,
): VerifyCommand[] {
  const url = mtaStsPolicyUrl(domain);
  const policy = {
    command: `curl -sS ${url}`,
    expect: POLICY_EXPECTATIONS[id] ?? 'the policy, from "version: STSv1" to "max_age"',
  };
  const record = digCommand(
    'TXT',
    `_mta-sts.${domain}`,
    published ?? 'one line "v=STSv1; id=…", with another id than before',
  );
  if (id === 'mta_sts_bad_id') return [record];
  if (id === 'mta_sts_bad_certificate')
    return servers?.slice(0, MAX_SERVERS).map(({ host }) => startTlsCommand(host)) ?? [];
  if (id !== 'mta_sts_no_policy') return [policy, record];
  const type = { command: `curl -sSI ${url}`, expect: 'status 200 and the line "content-type: text/plain"' };
  return mtaSts?.policyProblem === WRONG_TYPE ? [type] : [type, policy];
}

/** As dig prints a text; one that is longer than 255 bytes comes in several pieces. */
function quoted(value: string): string {
  return value.length <= 255 ? `"${value}"` : 'in pieces of 255 characters';
}
