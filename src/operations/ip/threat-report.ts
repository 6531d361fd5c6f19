import { z } from 'zod';
import { SEVERITIES } from '../../analysis/severity.ts';
import { assessThreat, THREAT_LEVELS } from '../../analysis/indicators/threat-level.ts';
import { internetdb } from '../../sources/shodan-internetdb.ts';
import { KnownBenign, IocSources, lookUpIndicator } from '../indicators/lib/look-up-indicator.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { PublicIp } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { ThreatConfidence, toConfidence, toWarningLists, WarningLists } from '../indicators/lib/threat-confidence.ts';
import { AbuseIpdbSummary, askKeyedSources, ShodanSummary } from './lib/keyed-sources.ts';
import { toAbuseSightings } from './lib/abuse-sightings.ts';
import { exposureFields, toExposureRecord } from './lib/exposure.ts';
import { assessIpRisk, lookUpListMembership } from './lib/ip-reputation.ts';
import { lookUpNetwork } from './lib/look-up-network.ts';

export const threatReport = defineOperation({
  id: 'threat_report',
  area: 'ip',
  title: 'IP threat report',
  description:
    'All arguments for and against a public IP address being a threat: indicator lists, reports of abuse, exposure and network, with a threat level weighed by age and its reasons.',
  route: 'GET /v1/threat-report/:ip',
  input: z.strictObject({ ip: PublicIp }),
  output: lookupOutputSchema('ThreatReport', {
    ip: z.string(),
    enrichment: z.object(exposureFields),
    abuseipdb: AbuseIpdbSummary,
    shodan: ShodanSummary,
    asn: z.object({ asn: z.number().int().nullable(), prefix: z.string().nullable(), name: ForeignText.nullable() }),
    threat_level: z.enum(THREAT_LEVELS),
    threat_score: z.number().int().nullable(),
    severity_label: z.enum([...SEVERITIES, 'UNKNOWN']).meta({ description: 'Of the risk, as ip_lookup gives it.' }),
    risk_score: z.number().int().nullable().meta({ description: 'Exposure and threat, as ip_lookup gives it.' }),
    threat_reasons: z.array(ForeignText),
    confidence: ThreatConfidence,
    known_benign: KnownBenign,
    warning_lists: WarningLists,
    sources: IocSources,
  }),
  cost: 6,
  examples: [{ title: 'A public resolver', input: { ip: '8.8.8.8' } }],
  tool: {
    description:
      'Is this IP a threat: all lists and reputation sources with a reasoned level (cost 6). Only what runs there and whose it is: ip_lookup.',
    openWorld: true,
    longRunning: true,
  },
  falsifiableFields: ['sources', 'abuseipdb', 'enrichment'],
  async answer({ ip }, context) {
    const [indicatorResult, exposureOutcome, keyedSources, network] = await Promise.all([
      lookUpIndicator(context, { type: 'ip', value: ip }),
      context.ask(internetdb, ip),
      askKeyedSources(context, ip),
      lookUpNetwork(context, ip),
    ]);
    const enrichment = toExposureRecord(context, exposureOutcome);
    const { sources, benign, warnings } = indicatorResult;
    const threat = assessThreat([...indicatorResult.sightings, ...toAbuseSightings(keyedSources.reports)], {
      now: context.now,
      complete: indicatorResult.complete && keyedSources.abuseipdb.status === 'ok',
      benign,
      warnings: warnings ?? [],
    });
    const { level, score, reasons } = threat;
    const lists = lookUpListMembership(context, ip);
    const { severity_label, risk_score } = assessIpRisk(context, ip, enrichment, lists, keyedSources.reports);
    return {
      ip,
      enrichment,
      abuseipdb: keyedSources.abuseipdb,
      shodan: keyedSources.shodan,
      asn: { asn: network.asn, prefix: network.prefix, name: network.asn_name },
      threat_level: level,
      threat_score: score,
      severity_label,
      risk_score,
      threat_reasons: reasons,
      confidence: toConfidence(threat),
      known_benign: benign,
      warning_lists: toWarningLists(warnings),
      sources,
      summary: joinSummary(
        `${ip}: threat level ${level}.`,
        reasons[0] !== undefined && `${reasons[0]}.`,
        level === 'unknown' && 'Not all sources could be asked.',
        enrichment.ports !== null && `${formatCount(enrichment.ports.length, 'open port')} seen.`,
        network.asn !== null && `AS${network.asn}.`,
      ),
    };
  },
  nextCalls: ({ ip, asn }) => [
    { tool: 'ip_lookup', input: ip, reason: 'Reverse name, cloud and risk factors.' },
    ...(asn.asn === null ? [] : [{ tool: 'asn_lookup', input: `AS${asn.asn}`, reason: 'The network that it is in.' }]),
  ],
});
