import { ApiError } from '../errors.ts';
import { nearestName } from '../engine/input/parse-input.ts';
import { quoteInput } from '../engine/input/identifiers.ts';
import type { McpTool } from './tools.ts';

/**
 * The tools that a client asks for by areas or names (`cve,whois_lookup`); all of them where it asks for nothing.
 * Throws `ApiError` (invalid_argument) for a word that is neither.
 */
export function selectTools(tools: readonly McpTool[], wanted: string): readonly McpTool[] {
  const words = wanted
    .toLowerCase()
    .split(',')
    .map((word) => word.trim().replaceAll('-', '_'))
    .filter((word) => word !== '');
  if (words.length === 0) return tools;
  const areas = [...new Set(tools.map(({ operation }) => operation.area))];
  const names = tools.map(({ operation }) => operation.id);
  for (const word of words) {
    if ((areas as string[]).includes(word) || names.includes(word)) continue;
    const nearest = nearestName(word, [...areas, ...names]);
    const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
    throw new ApiError(
      'invalid_argument',
      `tools: ${quoteInput(word)} is neither an area nor a tool.${hint} Areas: ${areas.join(', ')}; or names of tools, comma-separated.`,
    );
  }
  return tools.filter(({ operation }) => words.includes(operation.area) || words.includes(operation.id));
}
