import type { OpenFinding } from '../../../analysis/domain-risk.ts';
import type { Posture } from '../../../analysis/email/posture/assess-posture.ts';
import { titleOfDescription } from '../../../analysis/finding.ts';
import { headerIssueTitle } from '../../../analysis/scan/header-findings.ts';
import type { gradeSiteHeaders } from '../../web/lib/grade-site-headers.ts';
import type { SslReport } from './check-ssl.ts';

type Headers = Pick<ReturnType<typeof gradeSiteHeaders>, 'findings'>;

/** What stands open of the parts that a report has; a part without an answer has none. */
export function openFindings({
  posture,
  ssl,
  headers,
}: {
  posture: Posture | null;
  ssl: SslReport | 'none' | null;
  headers: Headers | null;
}): OpenFinding[] {
  const caps = ssl === null || ssl === 'none' ? [] : ssl.caps;
  return [
    ...(posture?.findings ?? []).map(({ severity, description }) => open(titleOfDescription(description), severity)),
    ...caps.map(({ severity, reason }) => open(titleOfDescription(reason), severity)),
    ...(headers?.findings ?? []).map(({ header, severity, issues }) =>
      open(headerIssueTitle(header, issues[0]!), severity),
    ),
  ];
}

function open(title: string, severity: OpenFinding['severity']): OpenFinding {
  return { title, severity, exploited: false };
}
