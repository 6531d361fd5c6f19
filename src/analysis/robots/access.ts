import { matchesPath, normalisePath } from './path.ts';
import { EVERYBODY, type Robots, type RobotsGroup, type RobotsRule } from './robots.ts';

/**
 * Whether a crawler may fetch a path (RFC 9309, section 2.2): the groups that name its product token hold, joined, or else those
 * for `*`; the longest matching rule decides, allow where two are equally long. `path`: from `/`, with query, as in a URL.
 */
export function isAllowed(robots: Robots, agent: string, path: string): boolean {
  const wanted = normalisePath(path === '' ? '/' : path);
  let longest = -1;
  let allowed = true;
  for (const { rules } of groupsOf(robots, agent)) {
    for (const rule of rules) {
      for (const pattern of patternsOf(rule)) {
        if (pattern === '') continue;
        const decides = pattern.length > longest || (pattern.length === longest && rule.allow);
        if (!decides || !matchesPath(pattern, wanted)) continue;
        longest = pattern.length;
        allowed = rule.allow;
      }
    }
  }
  return allowed;
}

/**
 * Whether a site does not want to be fetched by us: `/` is disallowed for our own product token, or for `*`. The second also
 * where a group of our own allows it: a site that shuts everybody out is left alone.
 */
export function disallowsRoot(robots: Robots, token: string): boolean {
  return !isAllowed(robots, token, '/') || !isAllowed(robots, EVERYBODY, '/');
}

function groupsOf({ groups }: Robots, agent: string): RobotsGroup[] {
  const token = agent.toLowerCase();
  const own = groups.filter(({ tokens }) => tokens.includes(token));
  return own.length > 0 ? own : groups.filter(({ tokens }) => tokens.includes(EVERYBODY));
}

/** Who allows the index page of a folder means the folder as well. */
function patternsOf({ allow, pattern }: RobotsRule): string[] {
  if (!allow) return [pattern];
  const folder = pattern.lastIndexOf('/') + 1;
  return pattern.startsWith('index.htm', folder) ? [pattern, `${pattern.slice(0, folder)}$`] : [pattern];
}
