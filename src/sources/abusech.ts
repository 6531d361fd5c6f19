import { z } from 'zod';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import type { HttpRequest } from './http-source.ts';
import { requireOk } from './source-failure.ts';

/** Common parts of the abuse.ch APIs: URLhaus, ThreatFox, MalwareBazaar. */

export const ABUSECH_KEY = { variable: 'SEXTANT_ABUSECH_KEY', needed: true };

const ApiResponse = z.looseObject({ query_status: z.string() });

/** A POST request with form fields and the API key. */
export function abusechRequest(
  path: string,
  fields: Readonly<Record<string, string>>,
  key: string | null,
): HttpRequest {
  return {
    path,
    method: 'POST',
    headers: { 'auth-key': key ?? '', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

/** The body of a response with `query_status` `ok`; null: one of the statuses in `notListed`. Throws for all others. */
export function parseAbusechResponse(
  status: number,
  body: string,
  notListed: readonly string[],
): Record<string, unknown> | null {
  requireOk(status);
  const response = ApiResponse.parse(parseBoundedJson(body));
  if (notListed.includes(response.query_status)) return null;
  if (response.query_status !== 'ok') throw new Error('the query was refused');
  return response;
}

/** ISO 8601 of `2021-04-06 19:47:13`, with or without ` UTC` after it; null for any other text. */
export function parseAbusechTime(text: string | null | undefined): string | null {
  const time = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(?: UTC|Z)?$/.exec(text ?? '');
  const parsed = time === null ? Number.NaN : Date.parse(`${time[1]}T${time[2]}Z`);
  return Number.isNaN(parsed) ? null : new Date(parsed).toISOString();
}
