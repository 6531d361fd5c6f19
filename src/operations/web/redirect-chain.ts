import { z } from 'zod';
import { parseIndicator } from '../../analysis/indicators/parse-indicator.ts';
import { parseIp } from '../../analysis/ip-address.ts';
import { cleanText } from '../../analysis/display-text.ts';
import { type RedirectChain, redirects } from '../../sources/site/redirects.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { WebUrl } from '../../engine/input/web-url.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { requireTargetAnswer } from '../../engine/require-answer.ts';

const MAX_URL_CHARS = 2048;

export const redirectChain = defineOperation({
  id: 'redirect_chain',
  area: 'web',
  title: 'Redirect chain',
  description:
    'Where an address leads, hop by hop, at most ten. Addresses that are not public and schemes other than http(s) are refused at every hop; the target’s robots.txt is honoured.',
  route: 'GET /v1/redirect/*url',
  subject: { kind: 'url', field: 'url' },
  input: z.strictObject({ url: WebUrl }),
  output: lookupOutputSchema('RedirectChain', {
    start_url: z.string(),
    final_url: ForeignText,
    hops: z.array(
      z.object({
        url: ForeignText,
        status_code: z.number().int(),
        location: ForeignText.nullable(),
        latency_ms: z.number().int(),
      }),
    ),
    hop_count: z.number().int(),
    final_status: z.number().int(),
    loop_detected: z.boolean(),
    truncated: z.boolean().meta({ description: 'The chain goes on, but was not followed to its end.' }),
    stopped_because: z.string().nullable(),
  }),
  cost: 1,
  examples: [{ title: 'An address', input: { url: 'http://example.com/' } }],
  tool: {
    description:
      'Where a link or short link leads, hop by hop, without opening it. Whether it is malicious: phishing_check.',
    openWorld: true,
  },
  falsifiableFields: ['hops', 'final_url'],
  async answer({ url }, context) {
    const host = new URL(url).hostname;
    const chain = requireTargetAnswer(await context.ask(redirects, { url }), host, 'did not answer', 'upstream_error');
    const stopText = describeStop(chain);
    if (stopText !== null) context.evidence.addGap(stopText);
    const hops = chain.hops.map((hop) => ({
      url: hop.url.slice(0, MAX_URL_CHARS),
      status_code: hop.status,
      location: hop.location === null ? null : cleanText(hop.location).slice(0, MAX_URL_CHARS),
      latency_ms: Math.round(hop.latencyMs),
    }));
    return {
      start_url: url,
      final_url: chain.url.slice(0, MAX_URL_CHARS),
      hops,
      hop_count: hops.length,
      final_status: chain.status,
      loop_detected: chain.stopReason === 'loop',
      truncated: stopText !== null,
      stopped_because: stopText,
      summary: joinSummary(
        stopText === null
          ? `${formatCount(hops.length - 1, 'redirect')} to ${new URL(chain.url).hostname}, last status ${chain.status}.`
          : `${formatCount(hops.length, 'redirect')}, the last at ${new URL(chain.url).hostname} with status ${chain.status}.`,
        stopText !== null && `Not followed to its end: ${stopText}.`,
      ),
    };
  },
  nextCalls: ({ final_url }) => {
    const indicator = parseIndicator(final_url);
    if (indicator?.type !== 'url') return [];
    const tool = parseIp(indicator.host) === null ? 'domain_report' : 'ip_lookup';
    return [
      { tool: 'phishing_check', input: final_url, reason: 'Whether the final URL is known as malicious.' },
      { tool, input: indicator.host, reason: 'What is known of the host.' },
    ];
  },
});

const STOP_REASONS: Record<NonNullable<RedirectChain['stopReason']>, string> = {
  loop: 'it leads back to an earlier address',
  too_many: 'it has more than ten hops',
  scheme: 'it leads to an address that is not http or https',
  malformed: 'it leads to an address that cannot be read',
  login: 'it leads to an address that contains a login',
};

function describeStop({ stopReason, failedHop }: RedirectChain): string | null {
  if (stopReason !== null) return STOP_REASONS[stopReason];
  if (failedHop === null) return null;
  if (failedHop.failure === 'refused_address') return 'it leads to an address that is not public';
  if (failedHop.failure === 'no_such_name') return 'it leads to a name that does not exist';
  if (failedHop.failure === 'robots_txt_disallow') return 'it leads to a host whose robots.txt disallows this service';
  if (failedHop.failure === 'target_throttled') return 'it leads to a host that was asked about too often just now';
  return `the next host did not answer (${failedHop.failure})`;
}
