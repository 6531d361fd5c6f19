import type { MailFacts } from './mail-facts.ts';
import type { CheckSeverity } from '../../severity.ts';

export type PostureCheck = 'mx' | 'spf' | 'dmarc' | 'dkim' | 'mta_sts' | 'tls_rpt' | 'bimi';

/** One thing that can be wrong with a domain's mail. */
export interface PostureRule {
  readonly id: string;
  readonly check: PostureCheck;
  readonly severity: CheckSeverity;
  /** Taken off the score, of 100. */
  readonly points: number;
  readonly fix: string;
  /** What is wrong, in a sentence; null: nothing, or it cannot be told. */
  findProblem(facts: MailFacts): string | null;
}
