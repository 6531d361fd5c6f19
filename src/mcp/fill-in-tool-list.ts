import { randomUUID } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/server';
import type { ToolSet } from './tool-set.ts';

/** Random, so that no input contains it. */
const PLACEHOLDER_TEXT = `tools ${randomUUID()}`;
const QUOTED_PLACEHOLDER = JSON.stringify(PLACEHOLDER_TEXT);

/** Placeholder for the tool list in answers of the SDK, which would validate and serialize the long list for each request. */
export const TOOLS_PLACEHOLDER = PLACEHOLDER_TEXT as unknown as Tool[];

/** The JSON of an answer with the list of tools in it, where it has `TOOLS_PLACEHOLDER`. `withTasks`: see `ToolSet.listed`. */
export function fillInToolList(json: string, toolSet: ToolSet, withTasks: boolean): string {
  if (!json.includes(QUOTED_PLACEHOLDER)) return json;
  return json.replaceAll(QUOTED_PLACEHOLDER, () => toolSet.listJson(withTasks));
}
