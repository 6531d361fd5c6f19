import { z } from 'zod';
import { displayText } from '../../analysis/display-text.ts';
import { parseSeverity } from '../../analysis/severity.ts';
import { GhsaId } from '../../engine/input/identifiers.ts';
import { notFoundError } from '../../engine/not-found-error.ts';
import { defineOperation, lookupOutputSchema, type NextCall } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { Severity } from './lib/schemas.ts';

const MAX_PACKAGES = 100;
const MAX_TEXT_CHARACTERS = 200;

export const advisoryLookup = defineOperation({
  id: 'advisory_lookup',
  area: 'cve',
  title: 'GitHub advisory',
  description:
    'A GitHub security advisory by its id: the CVE that it is about, its severity, and the packages that it names with their affected and first fixed versions.',
  route: 'GET /v1/advisory/:ghsa_id',
  subject: { kind: 'ghsa', field: 'ghsa_id' },
  input: z.strictObject({ ghsa_id: GhsaId }),
  output: lookupOutputSchema('Advisory', {
    ghsa_id: z.string(),
    cve_id: z.string().nullable().meta({ description: 'Null: it names no CVE.' }),
    title: ForeignText,
    severity: Severity.nullable(),
    published: z.string().nullable(),
    modified: z.string().nullable(),
    withdrawn: z.string().nullable().meta({ description: 'When it was withdrawn; null: it was not.' }),
    url: ForeignText,
    packages: z.array(
      z.object({
        ecosystem: ForeignText,
        name: ForeignText,
        vulnerable_range: ForeignText.nullable(),
        fixed_in: ForeignText.nullable().meta({ description: 'The first fixed version; null: none is named.' }),
      }),
    ),
    total_packages: z.number().int(),
  }),
  cost: 1,
  tool: {
    description: 'A GitHub advisory (GHSA): its CVE, severity, packages and fixed versions.',
    openWorld: false,
  },
  cacheable: true,
  examples: [{ title: 'Log4Shell', input: { ghsa_id: 'GHSA-jfh8-c2jp-5v3q' } }],
  falsifiableFields: ['cve_id', 'severity', 'packages[].fixed_in'],
  answer({ ghsa_id }, { catalog }) {
    const advisory = catalog.advisory(ghsa_id);
    if (advisory === null)
      throw notFoundError(catalog, ['ghsa'], `No advisory synced here from GitHub has the id ${ghsa_id}.`);
    const { cve_id, withdrawn } = advisory;
    const text = (given: string): string => displayText(given, MAX_TEXT_CHARACTERS);
    const severity = parseSeverity(advisory.severity);
    const packages = advisory.packages.slice(0, MAX_PACKAGES).map((one) => ({
      ecosystem: one.ecosystem,
      name: text(one.name),
      vulnerable_range: one.vulnerable_range === null ? null : text(one.vulnerable_range),
      fixed_in: one.first_patched === null ? null : text(one.first_patched),
    }));
    const [first] = packages;
    return {
      ghsa_id,
      cve_id,
      title: text(advisory.summary),
      severity,
      published: advisory.published,
      modified: advisory.updated,
      withdrawn,
      url: advisory.url,
      packages,
      total_packages: advisory.packages.length,
      summary: joinSummary(
        `${ghsa_id}${withdrawn === null ? '' : ', withdrawn'}: ${severity ?? 'severity not known'}, ${cve_id ?? 'no CVE'}.`,
        `${text(advisory.summary)}.`,
        first !== undefined &&
          `${first.ecosystem} ${first.name} ${first.vulnerable_range ?? ''}, ${first.fixed_in === null ? 'no fixed version is named' : `fixed in ${first.fixed_in}`}.`,
        packages.length > 1 && `${formatCount(advisory.packages.length, 'package')} in all.`,
      ),
    };
  },
  nextCalls: ({ cve_id }): NextCall[] =>
    cve_id === null
      ? []
      : [{ tool: 'cve_lookup', input: cve_id, reason: 'The CVE with all scorers, sources and what to do.' }],
});
