import { randomUUID } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/server';
import { type McpTool, toolListJson } from './tools.ts';

/** Random, so that no input contains it. */
const PLACEHOLDER_TEXT = `tools ${randomUUID()}`;
const QUOTED_PLACEHOLDER = JSON.stringify(PLACEHOLDER_TEXT);

/** Placeholder for the tool list in answers of the SDK, which would validate and serialize the long list for each request. */
export const TOOLS_PLACEHOLDER = PLACEHOLDER_TEXT as unknown as Tool[];

/** Puts the JSON of the tool list in the place of `TOOLS_PLACEHOLDER`. */
export class ToolListRenderer {
  readonly #allTools: readonly McpTool[];
  #allToolsJson: string | null = null;

  constructor(allTools: readonly McpTool[]) {
    this.#allTools = allTools;
  }

  /** The JSON of an answer with the list of `tools` in it, where it has the placeholder. */
  fillIn(json: string, tools: readonly McpTool[]): string {
    if (!json.includes(QUOTED_PLACEHOLDER)) return json;
    const toolsJson = tools === this.#allTools ? (this.#allToolsJson ??= toolListJson(tools)) : toolListJson(tools);
    return json.replaceAll(QUOTED_PLACEHOLDER, () => toolsJson);
  }
}
