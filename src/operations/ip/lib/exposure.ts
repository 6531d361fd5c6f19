import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { compareSeverity, SEVERITIES } from '../../../analysis/severity.ts';
import { selectSeverity } from '../../../analysis/cve/select-severity.ts';
import type { HostExposure } from '../../../sources/shodan-internetdb.ts';
import type { SourceResult } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';
import { isFeedMissing } from '../../../engine/not-found-error.ts';

export const MAX_SHOWN_ITEMS = 100;
const MAX_RATED_VULNS = 250;

/** Fields are null where InternetDB did not answer. */
export const exposureFields = {
  ports: z.array(z.number().int()).nullable(),
  hostnames: z.array(ForeignText).nullable(),
  vulns: z
    .array(
      z.object({
        cve_id: z.string(),
        severity: z.enum([...SEVERITIES, 'UNKNOWN']),
        cvss_v3: z.number().nullable(),
        in_kev: z.boolean().nullable(),
      }),
    )
    .nullable()
    .meta({ description: 'By the versions that the services report; the worst 100.' }),
  total_vulns: z.number().int().nullable(),
  cpes: z.array(ForeignText).nullable(),
  tags: z.array(ForeignText).nullable(),
};

export const ExposureRecord = z.object(exposureFields);
export type ExposureRecord = z.output<typeof ExposureRecord>;

/** The exposure as answers show it, its CVEs rated and sorted; lists that were cut are recorded as gaps. */
export function toExposureRecord(context: Context, outcome: SourceResult<HostExposure | null>): ExposureRecord {
  if (outcome.status !== 'ok') {
    return { ports: null, hostnames: null, vulns: null, total_vulns: null, cpes: null, tags: null };
  }
  const { ports, hostnames, vulns, cpes, tags } = outcome.found ?? {
    ports: [],
    hostnames: [],
    vulns: [],
    cpes: [],
    tags: [],
  };
  if (vulns.length > MAX_RATED_VULNS) {
    context.evidence.addGap(`only ${MAX_RATED_VULNS} of its ${vulns.length} vulnerabilities were rated`);
  }
  addTruncationGaps(context, { 'host names': hostnames, CPEs: cpes, tags });
  const rated = vulns.slice(0, MAX_RATED_VULNS).map((id) => rateVuln(context, id));
  return {
    // All of them: each counts for the risk.
    ports,
    hostnames: hostnames.slice(0, MAX_SHOWN_ITEMS),
    vulns: rated.sort(compareVulns).slice(0, MAX_SHOWN_ITEMS),
    total_vulns: vulns.length,
    cpes: cpes.slice(0, MAX_SHOWN_ITEMS),
    tags: tags.slice(0, MAX_SHOWN_ITEMS),
  };
}

/** Records a gap for each list that is longer than the answer shows. */
export function addTruncationGaps({ evidence }: Context, lists: Record<string, readonly unknown[]>): void {
  for (const [what, list] of Object.entries(lists)) {
    if (list.length > MAX_SHOWN_ITEMS)
      evidence.addGap(`only ${MAX_SHOWN_ITEMS} of its ${list.length} ${what} are listed`);
  }
}

type RatedVuln = NonNullable<ExposureRecord['vulns']>[number];

function rateVuln({ catalog }: Context, cveId: string): RatedVuln {
  const dossier = catalog.cve(cveId);
  const { severity, basis } = selectSeverity(dossier?.record?.metrics ?? []);
  return {
    cve_id: cveId,
    severity: severity ?? 'UNKNOWN',
    cvss_v3: basis !== null && basis.version.startsWith('3') ? basis.base_score : null,
    in_kev: isFeedMissing(catalog, 'kev') ? null : dossier !== null && dossier.kev !== null,
  };
}

function compareVulns(a: RatedVuln, b: RatedVuln): number {
  return (
    Number(b.in_kev ?? false) - Number(a.in_kev ?? false) ||
    compareSeverity(a.severity, b.severity) ||
    (b.cvss_v3 ?? 0) - (a.cvss_v3 ?? 0) ||
    (a.cve_id < b.cve_id ? -1 : 1)
  );
}
