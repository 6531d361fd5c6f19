import type { FindingDefinition } from '../finding.ts';
import type { CheckSeverity } from '../severity.ts';

/** No issue of a header alone is critical. */
export type HeaderSeverity = Exclude<CheckSeverity, 'CRITICAL'>;

/** What an issue of a header is called and does, and how it is mended. */
export interface HeaderIssueDefinition extends FindingDefinition<HeaderSeverity> {
  /** Browsers do as if the header were not there. */
  ignored?: true;
}
