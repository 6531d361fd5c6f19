import { z } from 'zod';
import { parseIndicator } from '../../analysis/indicators/parse-indicator.ts';
import { THREAT_LEVELS } from '../../analysis/indicators/threat-level.ts';
import { lookupOutputSchema, type NextCall, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { identifierSchema } from '../../engine/input/identifiers.ts';
import { joinSummary } from '../../engine/summary.ts';
import { type IndicatorResult, IocSources, lookUpIndicator, KnownBenign } from './lib/look-up-indicator.ts';
import { ThreatConfidence, toConfidence, toWarningLists, WarningLists } from './lib/threat-confidence.ts';

export const MAX_INDICATOR_CHARS = 2048;

/** Canonical form: refanged, lower case where case does not matter. */
export const IndicatorField = identifierSchema({
  read: (text) => parseIndicator(text)?.value ?? null,
  name: 'threat indicator',
  accepted:
    'a public IP address, a domain name, an http(s) URL without a login, or an MD5, SHA-1 or SHA-256, defanged or not (hxxp://evil[.]example)',
  example: 'evil[.]example.com',
  maxLength: MAX_INDICATOR_CHARS,
});

export const iocLookup = defineOperation({
  id: 'ioc_lookup',
  area: 'indicators',
  title: 'Indicator of compromise',
  description:
    'What threat lists say of an IP address, domain, URL or file hash, which may be written defanged: ThreatFox, Feodo Tracker, URLhaus, MalwareBazaar, FireHOL and Tor, with a threat level weighed by age and its reasons.',
  route: 'GET /v1/ioc/*indicator',
  input: z.strictObject({ indicator: IndicatorField }),
  output: lookupOutputSchema('Ioc', {
    indicator: z.string(),
    type: z.enum(['ip', 'domain', 'url', 'hash']),
    threat_level: z.enum(THREAT_LEVELS),
    threat_score: z.number().int().nullable(),
    threat_reasons: z.array(ForeignText),
    confidence: ThreatConfidence,
    known_benign: KnownBenign,
    warning_lists: WarningLists,
    sources: IocSources,
  }),
  cost: 1,
  examples: [
    { title: 'A domain, defanged', input: { indicator: 'evil[.]example[.]com' } },
    { title: 'An address', input: { indicator: '8.8.8.8' } },
  ],
  tool: {
    description:
      'Is an IP, domain, URL or hash (defanged or not) a known threat, how sure, how fresh. Ports and CVEs of an IP: ip_lookup. Of many: bulk_ioc_lookup.',
    openWorld: true,
  },
  falsifiableFields: ['sources'],
  async answer({ indicator: text }, context) {
    const indicator = parseIndicator(text)!;
    const found = await lookUpIndicator(context, indicator);
    const { level, score, reasons, sources, benign, warnings } = found;
    return {
      indicator: indicator.value,
      type: indicator.type,
      threat_level: level,
      threat_score: score,
      threat_reasons: reasons,
      confidence: toConfidence(found),
      known_benign: benign,
      warning_lists: toWarningLists(warnings),
      sources,
      summary: joinSummary(`${indicator.value.slice(0, 100)}: ${describeIndicatorResult(found)}`),
    };
  },
  nextCalls: ({ indicator, type }) =>
    NEXT_CALLS_BY_TYPE[type].map(([tool, reason]) => ({ tool, input: indicator, reason })),
});

/** The result as a phrase for a summary. */
export function describeIndicatorResult({ level, reasons, sources }: IndicatorResult): string {
  const listed = Object.entries(sources).filter(([, { status }]) => status === 'listed');
  const missing = Object.entries(sources).filter(([, { status }]) =>
    ['not_configured', 'not_synced', 'unavailable'].includes(status),
  );
  const missingNote = missing.length === 0 ? '' : ` Not asked or no answer: ${missing.map(([id]) => id).join(', ')}.`;
  if (listed.length === 0) {
    return level === 'none' ? 'no list names it.' : `no list that answered names it; that proves little.${missingNote}`;
  }
  return `threat level ${level}, named by ${listed.map(([id]) => id).join(', ')}. ${reasons[0]}.${missingNote}`;
}

const NEXT_CALLS_BY_TYPE: Record<'ip' | 'domain' | 'url' | 'hash', readonly (readonly [string, NextCall['reason']])[]> =
  {
    ip: [
      ['threat_report', 'Exposure, network and reputation of the address.'],
      ['ip_lookup', 'Ports, host names and vulnerabilities.'],
    ],
    domain: [
      ['domain_report', 'Registration, DNS and mail of the name.'],
      ['threat_intel', 'All URLs that URLhaus knows there.'],
    ],
    url: [['redirect_chain', 'Where it leads.']],
    hash: [['hash_lookup', 'Name, kind and size of the file.']],
  };
