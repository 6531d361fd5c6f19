import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../atomic-write.ts';
import { parseMetadata } from './signed-metadata.ts';

/** What a follower remembers from check to check, beside its catalog: without it an old publication could be shown as the newest. */
const FollowState = z.object({
  /** The configured key, as `publicKeyText`, and the address without credentials. */
  key: z.string(),
  from: z.string(),
  /** Text of the newest root that is trusted. */
  root: z.string().refine(isRootText).nullable(),
  schema_version: z.number().int(),
  /** Of the newest timestamp that was accepted. */
  version: z.number().int(),
  snapshot_sha256: z.string(),
  published_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  /** Of the published catalog, and its database's SHA-256. */
  catalog_created_at: z.string().nullable(),
  catalog_sha256: z.string().nullable(),
  checked_at: z.string(),
  problem: z.object({ kind: z.enum(['refused', 'frozen', 'failed']), text: z.string() }).nullable(),
});
export type FollowState = z.infer<typeof FollowState>;

function isRootText(text: string): boolean {
  try {
    parseMetadata('root', text);
    return true;
  } catch {
    return false;
  }
}

const STATE_FILE = 'follow.json';

/** Null where nothing was followed yet, or where the file cannot be parsed: then all is checked as at the first time. */
export function readFollowState(folder: string): FollowState | null {
  try {
    return FollowState.parse(JSON.parse(readFileSync(join(folder, STATE_FILE), 'utf8')));
  } catch {
    return null;
  }
}

export function saveFollowState(folder: string, state: FollowState): void {
  writeFileAtomically(join(folder, STATE_FILE), JSON.stringify(state, null, 1));
}

export interface FollowStatus {
  /** `current`: verified and not expired. `frozen`: expired. `refused`: what is published now is not signed as it must be. */
  state: 'current' | 'frozen' | 'refused' | 'failed' | 'not_checked';
  from: string;
  version: number | null;
  published_at: string | null;
  expires_at: string | null;
  catalog_created_at: string | null;
  checked_at: string | null;
  /** A sentence for every caller; null: nothing is wrong. */
  problem: string | null;
}

/** How the catalog in `folder` follows `from` at `now`. */
export function followStatus(folder: string, from: string, now: Date): FollowStatus {
  const state = readFollowState(folder);
  if (state === null || state.from !== from) {
    const problem = `the published catalog at ${from} was not read yet`;
    const nothing = { version: null, published_at: null, expires_at: null, catalog_created_at: null, checked_at: null };
    return { state: 'not_checked', from, ...nothing, problem };
  }
  const { version, published_at, expires_at, catalog_created_at, checked_at, problem } = state;
  const known = {
    from,
    version: version === 0 ? null : version,
    published_at,
    expires_at,
    catalog_created_at,
    checked_at,
  };
  const isExpired = expires_at !== null && Date.parse(expires_at) < now.getTime();
  if (isExpired && problem?.kind !== 'refused') {
    const why = problem === null ? '' : ` (${problem.text})`;
    return { state: 'frozen', ...known, problem: `${expiredText(from, expires_at)}${why}` };
  }
  if (problem === null) return { state: 'current', ...known, problem: null };
  return { state: problem.kind, ...known, problem: `the published catalog at ${from}: ${problem.text}` };
}

function expiredText(from: string, expires_at: string): string {
  return `the published catalog at ${from} is frozen: it was to be published again before ${expires_at}, and nothing newer came`;
}
