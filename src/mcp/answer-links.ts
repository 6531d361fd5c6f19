import type { ResourceLink } from '@modelcontextprotocol/server';
import { isJsonObject, parseBoundedJson } from '../analysis/bounded-json.ts';
import type { Operation } from '../engine/operation.ts';
import { type ForeignTextMarker, foreignTextMarkerOf } from './mark-foreign-text.ts';
import { MAX_ANSWER_BYTES } from './truncate-lists.ts';
import { truncateToBudget } from './truncate-to-budget.ts';

/** An answer as a tool gives it, the link to all of it where it was cut, and what marks foreign text in it. */
export interface FittedAnswer {
  json: Buffer;
  link: ResourceLink | null;
  marker: ForeignTextMarker | null;
}

/** What an answer link asks. */
export interface LinkedQuestion {
  tool: string;
  rawInput: Record<string, unknown>;
}

const URI_PREFIX = 'sextant://answer/';
/** Links carry the whole question, because nothing about it is stored. Longer questions (pasted documents) get no link. */
const MAX_URI_LENGTH = 4096;
const ANSWER_URI = /^sextant:\/\/answer\/([a-z0-9_]{1,64})(?:\?input=([^#]*))?$/;
/** The first protocol version that has `resource_link` content. */
const FIRST_VERSION_WITH_LINKS = '2025-06-18';

/** Whether clients of this protocol version know links to resources in the result of a call. */
export function knowsResourceLinks(protocolVersion: string | undefined): boolean {
  return protocolVersion !== undefined && protocolVersion >= FIRST_VERSION_WITH_LINKS;
}

/** Limits an answer to the budget of tool answers; where that cuts something and `isLinked`, with a link to all of it. */
export function fitAnswer(
  operation: Operation,
  rawInput: Record<string, unknown>,
  json: Buffer,
  isLinked: boolean,
): FittedAnswer {
  const marker = foreignTextMarkerOf(operation);
  if (json.length <= MAX_ANSWER_BYTES) return { json, link: null, marker };
  const uri = isLinked ? answerUri(operation, rawInput) : null;
  const fitted = truncateToBudget(operation, rawInput, json, uri !== null);
  const link = fitted === json || uri === null ? null : describeLink(operation, uri, json.length);
  return { json: fitted, link, marker };
}

/** The question of a link; null for another URI. Input that is not JSON is `{}`, which the tool then refuses. */
export function parseAnswerUri(uri: string): LinkedQuestion | null {
  const [, tool, encoded = ''] = (uri.length <= MAX_URI_LENGTH ? ANSWER_URI.exec(uri) : null) ?? [];
  return tool === undefined ? null : { tool, rawInput: parseInputText(encoded) };
}

function answerUri({ id }: Operation, rawInput: Record<string, unknown>): string | null {
  const uri = `${URI_PREFIX}${id}?input=${encodeURIComponent(JSON.stringify(rawInput))}`;
  return uri.length <= MAX_URI_LENGTH ? uri : null;
}

function describeLink({ id, title }: Operation, uri: string, size: number): ResourceLink {
  return {
    type: 'resource_link',
    uri,
    name: id,
    title: `${title}: the whole answer`,
    description: `All of it, about ${Math.ceil(size / 1024)} KB. Reading it costs what the call costs.`,
    mimeType: 'application/json',
  };
}

function parseInputText(encoded: string): Record<string, unknown> {
  try {
    const input = parseBoundedJson(decodeURIComponent(encoded));
    return isJsonObject(input) ? input : {};
  } catch {
    return {};
  }
}
