import { ApiError } from '../errors.ts';
import { didYouMean } from '../engine/input/did-you-mean.ts';
import { quoteInput } from '../engine/input/identifiers.ts';
import type { McpTool } from './tools.ts';

/**
 * The tools of `selection`, a comma-separated list of areas and tool names (`cve,whois_lookup`); all tools if it is empty.
 * Throws `ApiError` (invalid_argument) for a name that is neither.
 */
export function selectTools(tools: readonly McpTool[], selection: string): readonly McpTool[] {
  const selectors = selection
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().replaceAll('-', '_'))
    .filter((part) => part !== '');
  if (selectors.length === 0) return tools;
  const areas = [...new Set(tools.map(({ operation }) => operation.area))];
  const toolNames = tools.map(({ operation }) => operation.id);
  const unknown = selectors.find((name) => !(areas as string[]).includes(name) && !toolNames.includes(name));
  if (unknown !== undefined) {
    throw new ApiError(
      'invalid_argument',
      `tools: ${quoteInput(unknown)} is neither an area nor a tool.${didYouMean(unknown, [...areas, ...toolNames])} Areas: ${areas.join(', ')}; or names of tools, comma-separated.`,
    );
  }
  return tools.filter(({ operation }) => selectors.includes(operation.area) || selectors.includes(operation.id));
}
