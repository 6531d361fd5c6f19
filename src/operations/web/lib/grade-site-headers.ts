import type { HeaderReport } from '../../../analysis/headers/grade-headers.ts';
import { formatCount, summarise } from '../../../engine/summary.ts';

/** Grade, number of findings, and the first one. */
export function headerSummary({ score, grade, findings, headers_missing }: HeaderReport): string {
  const [first] = findings;
  const serious = findings.filter(({ severity }) => severity !== 'info').length;
  return summarise(
    `Grade ${grade} (${score} of 100): ${formatCount(serious, 'finding')}, ${formatCount(headers_missing.length, 'recommended header')} missing.`,
    first !== undefined && first.severity !== 'info' && `First: ${first.header}. ${first.description}`,
  );
}
