import { DOMAIN_NAME_VIEWS } from './domain-names.ts';
import { DOMAIN_RECORD_VIEWS } from './domain-records.ts';
import { DOMAIN_REPORT_VIEWS } from './domain-report.ts';
import { MAIL_VIEWS } from './mail.ts';
import { TLS_VIEWS } from './tls.ts';

/** What is asked about a domain. */
export const DOMAIN_VIEWS = [
  ...DOMAIN_REPORT_VIEWS,
  ...DOMAIN_RECORD_VIEWS,
  ...TLS_VIEWS,
  ...MAIL_VIEWS,
  ...DOMAIN_NAME_VIEWS,
];
