import { z } from 'zod';
import { notFoundError } from '../../engine/not-found-error.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { operationHintOf } from '../../engine/route.ts';
import { CveId } from '../../engine/input/identifiers.ts';
import { DAY_MS } from '../../engine/time-units.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { cveLookup } from './cve-lookup.ts';
import { presentRansomwareUse } from './lib/present-cve.ts';
import { RansomwareUse } from './lib/schemas.ts';

export const kevDetail = defineOperation({
  id: 'kev_detail',
  area: 'cve',
  title: 'Known-exploited detail',
  description: "The entry of a CVE in CISA's known-exploited catalog: due date, required action, ransomware use.",
  route: 'GET /v1/kev/:cve_id',
  input: z.strictObject({ cve_id: CveId }),
  output: lookupOutputSchema('KevDetail', {
    cve_id: z.string(),
    in_kev: z.boolean(),
    vendor_project: ForeignText,
    product: ForeignText,
    vulnerability_name: ForeignText,
    description: ForeignText,
    short_description: ForeignText.meta({ description: 'As description.' }),
    date_added: z.string(),
    due_date: z.string().nullable(),
    days_remaining: z.number().int().nullable().meta({ description: 'Until the due date (UTC); negative after it.' }),
    required_action: ForeignText,
    known_ransomware_use: RansomwareUse,
    notes: ForeignText.nullable(),
    cwe_list: z.array(z.string()),
  }),
  cost: 1,
  examples: [{ title: 'Log4Shell', input: { cve_id: 'CVE-2021-44228' } }],
  tool: {
    description:
      'Due date, required action and ransomware use of a CVE in the CISA known-exploited catalog; not found when it is not listed. For the CVE itself use cve_lookup.',
    openWorld: false,
  },
  falsifiableFields: ['date_added', 'due_date', 'known_ransomware_use'],
  answer({ cve_id }, { catalog, now }) {
    const entry = catalog.kev(cve_id);
    if (entry === null) {
      throw notFoundError(
        catalog,
        ['kev'],
        `${cve_id} is not in the known-exploited catalog.`,
        operationHintOf(cveLookup, 'has all other facts of the CVE'),
      );
    }
    const days = entry.due_date === null ? null : calendarDaysUntil(entry.due_date, now);
    const dueText =
      days === null ? null : days >= 0 ? `${formatCount(days, 'day')} left` : `${formatCount(-days, 'day')} over`;
    return {
      cve_id,
      in_kev: true,
      vendor_project: entry.vendor_project,
      product: entry.product,
      vulnerability_name: entry.vulnerability_name,
      description: entry.short_description,
      short_description: entry.short_description,
      date_added: entry.date_added,
      due_date: entry.due_date,
      days_remaining: days,
      required_action: entry.required_action,
      known_ransomware_use: presentRansomwareUse(entry),
      notes: entry.notes,
      cwe_list: entry.cwes,
      summary: joinSummary(
        `${cve_id} (${entry.vendor_project} ${entry.product}) is known to be exploited since ${entry.date_added}${dueText === null ? '' : `; due ${entry.due_date}, ${dueText}`}${entry.known_ransomware_use ? '; used in ransomware campaigns' : ''}.`,
        entry.required_action,
      ),
    };
  },
  nextCalls: ({ cve_id, cwe_list }) => [
    { tool: 'cve_lookup', input: cve_id, reason: 'Affected products and patch.' },
    { tool: 'exploit_lookup', input: cve_id, reason: 'Public exploit code.' },
    ...(cwe_list[0] === undefined
      ? []
      : [{ tool: 'cwe_lookup', input: cwe_list[0], reason: 'The weakness behind it.' }]),
  ],
});

/** Whole days from today (UTC) to a day. */
function calendarDaysUntil(day: string, now: Date): number {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return Math.round((Date.parse(`${day}T00:00:00Z`) - today) / DAY_MS);
}
