import type { Resource, ResourceTemplateType, TextResourceContents } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { ApiError } from '../errors.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import type { ToolCallContext } from '../engine/tool-call-context.ts';
import { watchEvents } from '../operations/watches/watch-events.ts';
import { watchList } from '../operations/watches/watch-list.ts';
import { JSON_MIME_TYPE, markedContents } from './marked-contents.ts';

const TEMPLATE = 'sextant://watches/{id}/events';
const WATCH_URI = /^sextant:\/\/watches\/([^/?#]{1,64})\/events$/;
const TITLE = 'Events of a watch';
const MAX_LISTED = 200;
const EVENTS_READ = 50;
const LISTED = watchList as unknown as Operation;
const READ = watchEvents as unknown as Operation;

export const WATCH_TEMPLATE: ResourceTemplateType = {
  uriTemplate: TEMPLATE,
  name: 'watch-events',
  title: TITLE,
  description: `The last ${EVENTS_READ} changes about the subject of one of your watches, and why they concern it.`,
  mimeType: JSON_MIME_TYPE,
};

export function watchUri(id: string): string {
  return TEMPLATE.replace('{id}', id);
}

/** The id in the URI of a watch's events; null for other URIs. */
export function watchIdOf(uri: string): string | null {
  return WATCH_URI.exec(uri)?.[1] ?? null;
}

/** A question by the caller, whom the surface knows. Throws `ApiError`. */
interface Asking {
  callContext: ToolCallContext;
  signal: AbortSignal;
  runnerDeps: RunnerDeps;
}

/** The events of each watch of the caller as a resource; none for callers who can have no watches. */
export async function listWatchResources(asking: Asking): Promise<Resource[]> {
  try {
    const json = await ask(LISTED, { limit: MAX_LISTED }, asking);
    const { results } = JSON.parse(json.toString()) as z.output<typeof watchList.output>;
    return results.map(({ id, label }) => ({
      uri: watchUri(id),
      name: id,
      title: `${TITLE}: ${label}`,
      mimeType: JSON_MIME_TYPE,
    }));
  } catch (error) {
    // The other resources are there all the same.
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** The last events of a watch; null for the URI of another resource. Throws `ApiError`. */
export async function readWatchResource(uri: string, asking: Asking): Promise<TextResourceContents | null> {
  const id = watchIdOf(uri);
  if (id === null) return null;
  return markedContents(uri, READ, await ask(READ, { id, since: 'latest', limit: EVENTS_READ }, asking));
}

function ask(
  operation: Operation,
  input: OperationInput,
  { callContext, signal, runnerDeps }: Asking,
): Promise<Buffer> {
  const call = { operation, parseInput: () => parseInput(operation, input), disconnectSignal: () => signal };
  return callContext.run(call, runnerDeps);
}
