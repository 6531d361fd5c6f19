import { displayLine, displayLineOrNull, summarizeList } from '../../analysis/display-text.ts';
import { formatCount } from '../../engine/summary.ts';
import type { cweLookup } from '../../operations/cve/cwe-lookup.ts';
import { defineView, table, textLines } from './view.ts';

const MAX_TEXT_CHARS = 400;
const MAX_NAME_CHARS = 80;
const MAX_MITIGATIONS = 3;
const MAX_MITIGATION_CHARS = 240;

const cweView = defineView<typeof cweLookup>('cwe_lookup', (cwe) => ({
  title: `${cwe.cwe_id}: ${cwe.name}`,
  verdict: [cwe.abstraction?.toLowerCase(), `${formatCount(cwe.related_cves_count ?? 0, 'CVE')} here name it`],
  facts: {
    about: displayLineOrNull(cwe.description, MAX_TEXT_CHARS),
    'a kind of': cwe.parent_chain.map(({ cwe_id, name }) => `${cwe_id} ${displayLine(name, MAX_NAME_CHARS)}`),
    'more special': summarizeList(
      cwe.child_chain.map(({ cwe_id, name }) => `${cwe_id} ${name}`),
      4,
      MAX_NAME_CHARS,
    ),
    'attack patterns': summarizeList(
      (cwe.attack_patterns ?? []).map(({ capec_id, name }) => `${capec_id} ${name}`),
      4,
      MAX_NAME_CHARS,
    ),
  },
  sections: [
    textLines(
      `what mends it, ${Math.min(MAX_MITIGATIONS, cwe.mitigations.length)} of ${cwe.total_mitigations}`,
      cwe.mitigations
        .slice(0, MAX_MITIGATIONS)
        .map(({ phase, description }) =>
          displayLine([phase, description].filter(Boolean).join(': '), MAX_MITIGATION_CHARS),
        ),
    ),
    table(
      'seen in',
      cwe.examples,
      [
        { title: 'CVE', cell: ({ reference }) => reference },
        {
          title: 'what happened',
          cell: ({ description }) => displayLineOrNull(description, MAX_TEXT_CHARS),
          wrap: true,
        },
      ],
      { limit: 5, total: cwe.total_examples },
    ),
  ],
}));

/** A kind of weakness. */
export const WEAKNESS_VIEWS = [cweView];
