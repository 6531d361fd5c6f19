import { z } from 'zod';
import { FeedFormatError } from '../feed.ts';
import { firstIssue } from '../fields.ts';
import { openFirstExisting } from '../open-first-existing.ts';
import { readAllBytes } from '../unpack.ts';
import type { OpenResult, Upstream } from '../upstream.ts';
import { UpstreamError } from '../upstream-error.ts';
import { asSequenceRecord } from './json-sequence.ts';

/** Paths of the two large files: at the root of a mirror, and at the publisher. */
const ONTOLOGY_PATHS = ['d3fend.json', 'ontologies/d3fend.json'];
const MAPPINGS_PATHS = ['d3fend-full-mappings.json', 'api/ontology/inference/d3fend-full-mappings.json'];
const VERSION_PATH = 'api/version.json';
const ATTACK_TECHNIQUES_PATH = 'api/offensive-technique/all.json';

/** Since this release there is no file of all mappings: they are requested for each ATT&CK technique. */
const FIRST_RELEASE_WITHOUT_MAPPINGS_FILE = '1.6.0';
const MAX_CONCURRENT_REQUESTS = 4;

/** Size of one file of the upstream. */
export const MAX_PART_BYTES = 64 * 1024 * 1024;
const MAX_TECHNIQUES = 5000;

const Version = z.object({ version: z.string(), release_date: z.string().optional() });
const AttackTechniques = z.object({
  '@graph': z.array(z.object({ 'd3f:attack-id': z.string().regex(/^T\d{4}(?:\.\d{3})?$/) })).max(MAX_TECHNIQUES),
});

/** The transport's validators of the two files, or the release. */
interface SequenceValidator {
  ontology?: string | null;
  mappings?: string | null;
  release?: string;
}

/** Opens ontology and mappings as one sequence of JSON texts, for releases before and since 1.6. */
export async function openD3fendSequence(upstream: Upstream, validator: string | null): Promise<OpenResult> {
  const known = parseValidator(validator);
  const release = await readRelease(upstream);
  if (release === null || !isAtLeastVersion(release.version, FIRST_RELEASE_WITHOUT_MAPPINGS_FILE)) {
    const opened = await openFiles(upstream, known);
    if (opened !== null) return opened;
    if (release === null)
      throw new UpstreamError('neither a file of all mappings nor api/version.json is at its address');
  }
  const taken: SequenceValidator = { release: [release.version, release.release_date].join(' ') };
  if (known.release === taken.release) return { status: 'unchanged' };
  return { status: 'open', bytes: ontologyAndMappings(upstream), size: null, validator: JSON.stringify(taken) };
}

/** Until release 1.5: two files. Null if there is no file of all mappings. */
async function openFiles(upstream: Upstream, known: SequenceValidator): Promise<OpenResult | null> {
  const ontology = await openFirstExisting(upstream, pathsAt(upstream, ONTOLOGY_PATHS), known.ontology ?? null);
  // The ontology, the smaller of the two, is held in memory; the mappings are streamed.
  const held = ontology.status === 'open' ? await readAllBytes(ontology.bytes, MAX_PART_BYTES) : null;
  const mappings = await openFirstExisting(
    upstream,
    pathsAt(upstream, MAPPINGS_PATHS),
    held === null ? (known.mappings ?? null) : null,
  );
  if (mappings.status === 'missing') return null;
  if (ontology.status === 'missing') throw new UpstreamError('the ontology is not at its address');
  if (mappings.status === 'unchanged') return mappings;
  const taken: SequenceValidator = {
    ontology: ontology.status === 'open' ? ontology.validator : (known.ontology ?? null),
    mappings: mappings.validator,
  };
  async function* bytes(from: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* asSequenceRecord(from);
    yield* held === null ? ontologyRecord(upstream) : asSequenceRecord([held]);
  }
  const size = mappings.size === null || held === null ? null : mappings.size + held.length;
  return { status: 'open', bytes: bytes(mappings.bytes), size, validator: JSON.stringify(taken) };
}

/** Since release 1.6: the ontology, and an answer for each ATT&CK technique. A missing answer becomes `{ missing: id }`. */
async function* ontologyAndMappings(upstream: Upstream): AsyncGenerator<Uint8Array> {
  yield* ontologyRecord(upstream);
  const listed = AttackTechniques.safeParse((await upstream.readJson(ATTACK_TECHNIQUES_PATH, MAX_PART_BYTES))?.body);
  if (!listed.success) throw new FeedFormatError(`${ATTACK_TECHNIQUES_PATH}: ${firstIssue(listed.error)}`);
  const ids = [...new Set(listed.data['@graph'].map((node) => node['d3f:attack-id']))];
  const request = (id: string) => upstream.readText(`api/offensive-technique/attack/${id}.json`, MAX_PART_BYTES);
  for await (const [id, text] of prefetch(ids, request)) {
    yield* asSequenceRecord([Buffer.from(text ?? JSON.stringify({ missing: id }))]);
  }
}

async function* ontologyRecord(upstream: Upstream): AsyncGenerator<Uint8Array> {
  const opened = await openFirstExisting(upstream, pathsAt(upstream, ONTOLOGY_PATHS), null);
  if (opened.status !== 'open') throw new UpstreamError('the ontology is not at its address');
  yield* asSequenceRecord(opened.bytes);
}

/** Answers in the order of the ids, with up to MAX_CONCURRENT_REQUESTS requests in flight. */
async function* prefetch(
  ids: readonly string[],
  request: (id: string) => Promise<string | null>,
): AsyncGenerator<[string, string | null]> {
  const waiting: { id: string; answer: Promise<string | null> }[] = [];
  for (let next = 0; next < ids.length || waiting.length > 0; ) {
    while (waiting.length < MAX_CONCURRENT_REQUESTS && next < ids.length) {
      const id = ids[next++]!;
      const answer = request(id);
      // If an earlier request fails, this one is never awaited: its rejection must not be unhandled.
      answer.catch(() => {});
      waiting.push({ id, answer });
    }
    const { id, answer } = waiting.shift()!;
    yield [id, await answer];
  }
}

/** At the publisher a file has its last path only; a mirror may have the layout of the publisher. */
function pathsAt(upstream: Upstream, paths: readonly string[]): readonly string[] {
  return upstream.layout === 'origin' ? paths.slice(-1) : paths;
}

async function readRelease(upstream: Upstream): Promise<z.output<typeof Version> | null> {
  const release = Version.safeParse((await upstream.readJson(VERSION_PATH))?.body);
  return release.success ? release.data : null;
}

function isAtLeastVersion(version: string, first: string): boolean {
  return version.localeCompare(first, 'en', { numeric: true }) >= 0;
}

function parseValidator(validator: string | null): SequenceValidator {
  try {
    return JSON.parse(validator ?? '{}') as SequenceValidator;
  } catch {
    return {};
  }
}
