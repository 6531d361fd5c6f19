import { z } from 'zod';
import { cleanText, displayText } from '../../../analysis/display-text.ts';
import { selectSeverity } from '../../../analysis/cve/select-severity.ts';
import { SEVERITIES } from '../../../analysis/severity.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';
import type { PossibleCve } from './product-queue.ts';
import { ForeignText } from '../../../engine/foreign-text.ts';

const MAX_NAME_CHARS = 256;

const BASIS_TEXTS = {
  purl2cpe: 'by CPE name',
  maven_coordinates: 'by CPE name that the Maven coordinates suggest',
} as const;

/** A CVE that may affect a package: a CPE name says so that need not be that of the package, and no advisory of the package does. */
export const PossibleFlaw = z.object({
  package: ForeignText,
  version: ForeignText,
  ecosystem: ForeignText.nullable(),
  cve_id: z.string(),
  status: z.enum(['affected', 'unknown']).meta({
    description: 'affected: the range of the CPE name holds the version; unknown: that cannot be told either.',
  }),
  basis: ForeignText.meta({
    description: '`by CPE name` (purl2cpe) or `by CPE name that the Maven coordinates suggest`, with the rule.',
  }),
  reason: ForeignText,
  fixed_in: ForeignText.nullable().meta({ description: 'In the versions of the CPE name.' }),
  severity: z.enum(SEVERITIES).nullable(),
  in_kev: z.boolean().nullable(),
  epss_score: z.number().nullable(),
});
export type PossibleFlaw = z.output<typeof PossibleFlaw>;

export function presentPossible(
  { ref, ecosystem, cve_id, status, rule, basis, reason, fixed_in, in_kev, epss_score }: PossibleCve,
  catalog: CatalogView,
): PossibleFlaw {
  const shown = (text: string): string => displayText(cleanText(text), MAX_NAME_CHARS);
  return {
    package: shown(ref.name),
    version: shown(ref.version),
    ecosystem,
    cve_id,
    status,
    basis: shown(`${BASIS_TEXTS[basis]}: ${rule}`),
    reason: shown(reason),
    fixed_in: fixed_in === null ? null : shown(fixed_in),
    severity: selectSeverity(catalog.cve(cve_id)?.record?.metrics ?? []).severity,
    in_kev,
    epss_score,
  };
}
