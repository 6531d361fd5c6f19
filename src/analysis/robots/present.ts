import { shownText } from '../text.ts';
import type { Robots } from './robots.ts';

export interface RobotsView {
  user_agents: Record<string, AgentRules>;
  sitemaps: string[];
  host: string | null;
  /** The file is longer than what was read, or has more than is shown. */
  truncated: boolean;
}

export interface AgentRules {
  allow: string[];
  disallow: string[];
  /** Seconds. */
  crawl_delay: number | null;
}

const SHOWN_AGENTS = 200;
const SHOWN_RULES = 2000;
const SHOWN_SITEMAPS = 200;
const LONGEST_AGENT = 100;
const LONGEST_VALUE = 500;

/** What is shown of a robots.txt: cleaned and bounded. Groups that name the same agent are joined. */
export function presentRobots(robots: Robots): RobotsView {
  const agents = new Map<string, { name: string; rules: AgentRules }>();
  let room = SHOWN_RULES;
  let truncated = robots.truncated || robots.sitemaps.length > SHOWN_SITEMAPS;
  for (const group of robots.groups) {
    for (const [place, written] of group.agents.entries()) {
      const name = shownText(written, LONGEST_AGENT);
      if (!agents.has(name.toLowerCase()) && agents.size >= SHOWN_AGENTS) {
        truncated = true;
        break;
      }
      const { rules } = entry(agents, name);
      if (group.crawl_delay !== null && place < group.crawl_delay.agents)
        rules.crawl_delay ??= group.crawl_delay.seconds;
      const said = group.rules.filter(({ path }) => path !== '');
      if (said.length > room) truncated = true;
      for (const { allow, path } of said.slice(0, room)) {
        (allow ? rules.allow : rules.disallow).push(shownText(path, LONGEST_VALUE));
      }
      room = Math.max(0, room - said.length);
    }
  }
  return {
    user_agents: Object.fromEntries([...agents.values()].map(({ name, rules }) => [name, rules])),
    sitemaps: robots.sitemaps.slice(0, SHOWN_SITEMAPS).map((url) => shownText(url, LONGEST_VALUE)),
    host: robots.host === null ? null : shownText(robots.host, LONGEST_VALUE),
    truncated,
  };
}

function entry(agents: Map<string, { name: string; rules: AgentRules }>, name: string): { rules: AgentRules } {
  const key = name.toLowerCase();
  const known = agents.get(key);
  if (known !== undefined) return known;
  const fresh = { name, rules: { allow: [], disallow: [], crawl_delay: null } };
  agents.set(key, fresh);
  return fresh;
}
