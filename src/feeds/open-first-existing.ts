import type { OpenResult, Upstream } from './upstream.ts';

/** Opens the first of these paths that exists: a mirror may have a file under another name than its publisher. */
export async function openFirstExisting(
  upstream: Upstream,
  paths: readonly string[],
  validator: string | null,
): Promise<OpenResult> {
  for (const path of paths) {
    const opened = await upstream.openFile(path, validator);
    if (opened.status !== 'missing') return opened;
  }
  return { status: 'missing' };
}
