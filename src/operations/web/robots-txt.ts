import { z } from 'zod';
import { disallowsCrawling } from '../../analysis/robots/path-access.ts';
import { presentRobots } from '../../analysis/robots/present-robots.ts';
import { PRODUCT_TOKEN } from '../../net/user-agent.ts';
import { countedRobotsTxt } from '../../sources/site/robots-txt.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { robotsFields } from './lib/schemas.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { requireTargetAnswer } from '../../engine/require-answer.ts';
import { askHttpsFirst } from './lib/fetch-site.ts';

export const robotsTxt = defineOperation({
  id: 'robots_txt',
  area: 'web',
  title: 'robots.txt',
  description:
    'What a site asks of crawlers: rules by agent, sitemaps, host (RFC 9309). A site without the file allows all crawlers: status_code 404 and no agents.',
  route: 'GET /v1/robots/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Robots', robotsFields),
  cost: 1,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  tool: {
    description: 'Rules of robots.txt by agent, and sitemaps. Which AI crawlers are allowed: geo_audit.',
    openWorld: true,
  },
  falsifiableFields: ['user_agents', 'sitemaps'],
  async answer({ domain }, context) {
    const file = requireTargetAnswer(
      await askHttpsFirst(context, countedRobotsTxt, (scheme) => ({ origin: `${scheme}://${domain}` })),
      domain,
      'did not answer for its robots.txt',
      'upstream_error',
    );
    const isUnread = file.unreachable || (file.status >= 300 && file.status < 400);
    if (isUnread) {
      context.evidence.addGap(`its robots.txt was not read: it was answered with status ${file.status}`);
    }
    const view = presentRobots(file.robots);
    if (view.truncated) context.evidence.addGap('its robots.txt is longer than what is shown of it');
    return {
      domain,
      fetched_url: file.url,
      status_code: file.status,
      ...(isUnread ? { ...view, user_agents: null, sitemaps: null } : view),
      summary: joinSummary(
        file.status >= 400 && file.status < 500 && !file.unreachable
          ? `${domain} has no robots.txt (status ${file.status}): all crawlers may fetch all of it.`
          : file.unreachable
            ? `${domain} did not answer for its robots.txt (status ${file.status}), which disallows all crawlers (RFC 9309).`
            : `${domain}: robots.txt answered with ${file.status}, ${formatCount(Object.keys(view.user_agents).length, 'agent')}, ${formatCount(view.sitemaps.length, 'sitemap')}.`,
        disallowsCrawling(file.robots, PRODUCT_TOKEN) && 'It disallows this service.',
      ),
    };
  },
  nextCalls: ({ domain }) => [{ tool: 'geo_audit', input: domain, reason: 'What that means for AI crawlers.' }],
});
