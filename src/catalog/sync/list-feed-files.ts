import type { Feed, FeedFile } from '../../feeds/feed.ts';
import type { OpenResult, Upstream } from '../../feeds/upstream.ts';
import type { FeedState } from '../generation.ts';
import { FeedRejectedError } from './sync-errors.ts';

/** The files of a feed at the first upstream that can list them. Throws the error of the last upstream. */
export async function listFeedFiles(
  feed: Feed,
  upstreams: readonly Upstream[],
  { data_time, files, notes }: FeedState,
): Promise<{ upstream: Upstream; files: FeedFile[] }> {
  const previous = { asOf: data_time, files: new Set(Object.keys(files)), notes };
  let failure: unknown = new FeedRejectedError('no address is configured');
  for (const upstream of upstreams) {
    try {
      return { upstream, files: await feed.files(upstream, previous) };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Opens a file for reading. `validator` is the one from when it was last loaded. */
export async function openFeedFile(upstream: Upstream, file: FeedFile, validator: string | null): Promise<OpenResult> {
  const { content, open, path } = file;
  if (open !== undefined) return open(validator);
  if (content === undefined) return upstream.openFile(path, validator);
  return { status: 'open', bytes: oneChunk(content), size: content.length, validator: null };
}

async function* oneChunk(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content;
}
