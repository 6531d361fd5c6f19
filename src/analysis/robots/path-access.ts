import { matchesPathPattern, normalizePath } from './path-pattern.ts';
import { ANY_AGENT, type Robots, type RobotsGroup, type RobotsRule } from './read-robots.ts';

/**
 * Whether a crawler may fetch a path (RFC 9309, section 2.2): all groups with its product token apply, or else those for `*`; the
 * longest matching rule decides, of two equally long ones `allow`. `path`: from `/`, with query, as in a URL.
 */
export function isPathAllowed(robots: Robots, agent: string, path: string): boolean {
  const wanted = normalizePath(path === '' ? '/' : path);
  let longest = -1;
  let allowed = true;
  for (const { rules } of groupsForAgent(robots, agent)) {
    for (const rule of rules) {
      for (const pattern of patternsOfRule(rule)) {
        if (pattern === '') continue;
        const decides = pattern.length > longest || (pattern.length === longest && rule.allow);
        if (!decides || !matchesPathPattern(pattern, wanted)) continue;
        longest = pattern.length;
        allowed = rule.allow;
      }
    }
  }
  return allowed;
}

/**
 * Whether a site disallows crawling: `/` is disallowed for our product token, or for `*`. The latter also counts if a group for our
 * token allows it: a site that excludes all crawlers is not fetched.
 */
export function disallowsCrawling(robots: Robots, token: string): boolean {
  return !isPathAllowed(robots, token, '/') || !isPathAllowed(robots, ANY_AGENT, '/');
}

function groupsForAgent({ groups }: Robots, agent: string): RobotsGroup[] {
  const token = agent.toLowerCase();
  const own = groups.filter(({ tokens }) => tokens.includes(token));
  return own.length > 0 ? own : groups.filter(({ tokens }) => tokens.includes(ANY_AGENT));
}

/** A rule that allows the index page of a folder also allows the folder itself. */
function patternsOfRule({ allow, pattern }: RobotsRule): string[] {
  if (!allow) return [pattern];
  const folder = pattern.lastIndexOf('/') + 1;
  return pattern.startsWith('index.htm', folder) ? [pattern, `${pattern.slice(0, folder)}$`] : [pattern];
}
