/** What mail is protected with: the records that a report shows; vendors' verification strings say nothing to most readers. */
const MAIL_RECORD_PATTERN = /^\s*v=(spf1|dmarc1|dkim1|stsv1|tlsrptv1)\b/i;

/** Those that a report shows by default. */
export function filterMailRecords(txt: readonly string[]): string[] {
  return txt.filter((record) => MAIL_RECORD_PATTERN.test(record));
}
