import { isPathAllowed } from '../robots/path-access.ts';
import { ANY_AGENT, type Robots } from '../robots/read-robots.ts';

export interface AiCrawler {
  /** Product token in robots.txt. */
  token: string;
  operator: string;
  /** Trains models, answers questions with what it finds, or fetches because a person asked. */
  purpose: 'training' | 'search' | 'user';
}

/** Well-known crawlers of AI services that say that they keep to robots.txt. */
export const AI_CRAWLERS: readonly AiCrawler[] = [
  { token: 'GPTBot', operator: 'OpenAI', purpose: 'training' },
  { token: 'OAI-SearchBot', operator: 'OpenAI', purpose: 'search' },
  { token: 'ChatGPT-User', operator: 'OpenAI', purpose: 'user' },
  { token: 'ClaudeBot', operator: 'Anthropic', purpose: 'training' },
  { token: 'Claude-SearchBot', operator: 'Anthropic', purpose: 'search' },
  { token: 'Claude-User', operator: 'Anthropic', purpose: 'user' },
  { token: 'Google-Extended', operator: 'Google', purpose: 'training' },
  { token: 'GoogleOther', operator: 'Google', purpose: 'training' },
  { token: 'PerplexityBot', operator: 'Perplexity', purpose: 'search' },
  { token: 'Perplexity-User', operator: 'Perplexity', purpose: 'user' },
  { token: 'Applebot', operator: 'Apple', purpose: 'search' },
  { token: 'Applebot-Extended', operator: 'Apple', purpose: 'training' },
  { token: 'Amazonbot', operator: 'Amazon', purpose: 'search' },
  { token: 'meta-externalagent', operator: 'Meta', purpose: 'training' },
  { token: 'meta-externalfetcher', operator: 'Meta', purpose: 'user' },
  { token: 'FacebookBot', operator: 'Meta', purpose: 'training' },
  { token: 'CCBot', operator: 'Common Crawl', purpose: 'training' },
  { token: 'Bytespider', operator: 'ByteDance', purpose: 'training' },
  { token: 'cohere-ai', operator: 'Cohere', purpose: 'user' },
  { token: 'MistralAI-User', operator: 'Mistral', purpose: 'user' },
  { token: 'DuckAssistBot', operator: 'DuckDuckGo', purpose: 'search' },
  { token: 'YouBot', operator: 'You.com', purpose: 'search' },
  { token: 'Diffbot', operator: 'Diffbot', purpose: 'training' },
  { token: 'AI2Bot', operator: 'Allen Institute for AI', purpose: 'training' },
  { token: 'PetalBot', operator: 'Huawei', purpose: 'search' },
];

export interface AiCrawlerAccess {
  ai_crawlers_total: number;
  ai_crawlers_allowed: string[];
  ai_crawlers_blocked: string[];
}

/** Which of them may fetch a path. `robots` null: the site has no robots.txt, so all crawlers may fetch it. */
export function aiCrawlerAccess(robots: Robots | null, path = '/'): AiCrawlerAccess {
  const named = new Set(robots?.groups.flatMap((group) => group.tokens));
  const others = robots === null || isPathAllowed(robots, ANY_AGENT, path);
  const allowed = (token: string): boolean =>
    robots !== null && named.has(token.toLowerCase()) ? isPathAllowed(robots, token, path) : others;
  const tokens = AI_CRAWLERS.map(({ token }) => token);
  return {
    ai_crawlers_total: tokens.length,
    ai_crawlers_allowed: tokens.filter(allowed),
    ai_crawlers_blocked: tokens.filter((token) => !allowed(token)),
  };
}
