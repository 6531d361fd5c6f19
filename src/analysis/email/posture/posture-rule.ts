import type { MailFacts } from './mail-facts.ts';
import type { FindingDefinition } from '../../finding.ts';
import type { CheckSeverity } from '../../severity.ts';

export type PostureCheck = 'mx' | 'spf' | 'dmarc' | 'dkim' | 'mta_sts' | 'tls_rpt' | 'starttls' | 'dane' | 'bimi';

/** One thing that can be wrong with a domain's mail. */
export interface PostureRule extends Readonly<Omit<FindingDefinition<CheckSeverity>, 'description'>> {
  readonly id: string;
  readonly check: PostureCheck;
  /** Taken off the score, of 100. */
  readonly points: number;
  /** What is wrong, in a sentence; null: nothing, or unknown. */
  findProblem(facts: MailFacts): string | null;
}
