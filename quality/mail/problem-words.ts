/** What readers call a fault, and the findings that say the same; the first that matches. */
const FINDINGS_BY_WORDS: readonly (readonly [words: RegExp, findings: string])[] = [
  [
    /not in the MTA-STS|MTA-STS.*(?:does not (?:name|list)|exchanger)/i,
    'mta_sts_mx_uncovered mta_sts_mx_uncovered_in_testing',
  ],
  [/\bTLSA\b|\bDANE\b/i, 'dane_unusable dane_mismatch dane_unsigned'],
  [/\b(?:two|several|multiple|more than one|duplicate) SPF/i, 'spf_multiple_records'],
  [/void/i, 'spf_void_lookups'],
  [
    /(?:exchangers?|mail servers?|hosts).*mx|mx.*(?:exchangers|mail servers)/i,
    'spf_mx_limit mx_without_address mx_malformed',
  ],
  [/SPF.*look-?up|look-?up.*SPF/i, 'spf_lookup_limit'],
  [/SPF.*(?:everybody|everyone|\+all)/i, 'spf_pass_all'],
  [/SPF covers|SPF.*(?:whole|large|wide|network)/i, 'spf_covers_internet spf_wide_network'],
  [/SPF without all|no all/i, 'spf_no_all'],
  [/\bptr\b/i, 'spf_ptr'],
  [/after all|beside all|ignored/i, 'spf_unreached_terms'],
  [/loop/i, 'spf_loop'],
  [/include of|include.*without|redirect.*(?:without|to)/i, 'spf_broken_include'],
  [/SPF|mechanism|modifier|macro|prefix/i, 'spf_syntax'],
  [/DMARC test|t=y.*DMARC|DMARC.*t=y/i, 'dmarc_testing'],
  [/pct/i, 'dmarc_pct'],
  [/DMARC without p\b|no p\b/i, 'dmarc_no_policy dmarc_policy_none'],
  [/(?:two|several|multiple|more than one) DMARC/i, 'dmarc_multiple_records'],
  [/DMARC.*version|version.*DMARC|v=DMARC/i, 'dmarc_malformed'],
  [/accept|authori[sz]/i, 'dmarc_reports_unauthorized'],
  [/subdomain|\bsp=/i, 'dmarc_subdomains_weaker'],
  [/DMARC/i, 'dmarc_broken dmarc_malformed dmarc_no_policy'],
  [/DKIM.*(?:bits|short|weak)/i, 'dkim_key_broken_strength dkim_key_short'],
  [/DKIM.*test/i, 'dkim_testing'],
  [/SHA-?1/i, 'dkim_sha1'],
  [/DKIM/i, 'dkim_unreadable_key'],
  [/MTA-STS.*\bid\b/i, 'mta_sts_bad_id'],
  [/MTA-STS/i, 'mta_sts_no_policy mta_sts_missing'],
  [/TLS-?RPT/i, 'tls_rpt_no_address'],
  [/BIMI/i, 'bimi_malformed bimi_without_enforcement'],
  [/exchanger|\bMX\b/i, 'mx_without_address mx_malformed'],
];

/** Findings about faults of what is published; others are about what is absent or could be stricter. */
export const FAULT_FINDINGS: ReadonlySet<string> = new Set(
  FINDINGS_BY_WORDS.flatMap(([, findings]) => findings.split(' ')).filter(
    (id) => !['dmarc_policy_none', 'mta_sts_missing', 'bimi_without_enforcement', 'dkim_key_short'].includes(id),
  ),
);

/** The findings that say what a reader calls so; empty: the words are not known. */
export function findingsFor(problem: string): string[] {
  return FINDINGS_BY_WORDS.find(([words]) => words.test(problem))?.[1].split(' ') ?? [];
}
