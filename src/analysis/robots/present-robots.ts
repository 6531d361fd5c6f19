import { displayText } from '../display-text.ts';
import type { Robots } from './read-robots.ts';

export interface PresentedRobots {
  user_agents: Record<string, AgentRules>;
  sitemaps: string[];
  host: string | null;
  /** The file was not read to its end, or has more entries than are shown. */
  truncated: boolean;
}

export interface AgentRules {
  allow: string[];
  disallow: string[];
  /** Seconds. */
  crawl_delay: number | null;
}

const MAX_AGENTS = 200;
const MAX_RULES = 2000;
const MAX_SITEMAPS = 200;
const MAX_AGENT_LENGTH = 100;
const MAX_VALUE_LENGTH = 500;

/** A robots.txt for an answer: cleaned and limited. Groups of the same agent are merged. */
export function presentRobots(robots: Robots): PresentedRobots {
  const agents = new Map<string, { name: string; rules: AgentRules }>();
  let room = MAX_RULES;
  let truncated = robots.truncated || robots.sitemaps.length > MAX_SITEMAPS;
  for (const group of robots.groups) {
    for (const [place, written] of group.agents.entries()) {
      const name = displayText(written, MAX_AGENT_LENGTH);
      if (!agents.has(name.toLowerCase()) && agents.size >= MAX_AGENTS) {
        truncated = true;
        break;
      }
      const { rules } = getOrCreateAgent(agents, name);
      if (group.crawl_delay !== null && place < group.crawl_delay.agents)
        rules.crawl_delay ??= group.crawl_delay.seconds;
      const rulesWithPath = group.rules.filter(({ path }) => path !== '');
      if (rulesWithPath.length > room) truncated = true;
      for (const { allow, path } of rulesWithPath.slice(0, room)) {
        (allow ? rules.allow : rules.disallow).push(displayText(path, MAX_VALUE_LENGTH));
      }
      room = Math.max(0, room - rulesWithPath.length);
    }
  }
  return {
    user_agents: Object.fromEntries([...agents.values()].map(({ name, rules }) => [name, rules])),
    sitemaps: robots.sitemaps.slice(0, MAX_SITEMAPS).map((url) => displayText(url, MAX_VALUE_LENGTH)),
    host: robots.host === null ? null : displayText(robots.host, MAX_VALUE_LENGTH),
    truncated,
  };
}

function getOrCreateAgent(
  agents: Map<string, { name: string; rules: AgentRules }>,
  name: string,
): { rules: AgentRules } {
  const key = name.toLowerCase();
  const known = agents.get(key);
  if (known !== undefined) return known;
  const fresh = { name, rules: { allow: [], disallow: [], crawl_delay: null } };
  agents.set(key, fresh);
  return fresh;
}
