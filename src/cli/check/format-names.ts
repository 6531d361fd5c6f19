import { CHECK_NAMES, type CheckName } from '../../operations/code/lib/report/problem.ts';

/** Forms of the report, and what they are. */
export const CHECK_FORMATS = {
  table: 'for people',
  json: 'everything',
  sarif: 'SARIF 2.1.0, for code scanning',
  cyclonedx: 'CycloneDX 1.6: all packages and their vulnerabilities',
  openvex: 'OpenVEX 0.2.0: a draft for the publisher',
  junit: 'JUnit XML: findings as tests that fail',
  github: 'annotations of GitHub Actions',
  markdown: 'for the summary of a job',
  'gitlab-code-quality': 'Code Quality of GitLab',
  'gitlab-dependency-scanning': 'dependency scanning of GitLab, schema 15.0.7',
  'gitlab-sast': 'static analysis of GitLab, schema 15.0.7',
} as const;
export type CheckFormat = keyof typeof CHECK_FORMATS;

/** The checks of which one must run for a format to say anything. */
const REQUIRED_CHECKS: Readonly<Partial<Record<CheckFormat, readonly CheckName[]>>> = {
  cyclonedx: ['dependencies'],
  openvex: ['dependencies'],
  'gitlab-dependency-scanning': ['dependencies'],
  'gitlab-sast': CHECK_NAMES.filter((name) => name !== 'dependencies'),
};

export function isCheckFormat(name: string): name is CheckFormat {
  return Object.hasOwn(CHECK_FORMATS, name);
}

/** The checks of which none was chosen although the format needs one; null: the format can be written. */
export function missingChecks(format: CheckFormat, checks: readonly CheckName[]): readonly CheckName[] | null {
  const required = REQUIRED_CHECKS[format];
  return required === undefined || required.some((name) => checks.includes(name)) ? null : required;
}
