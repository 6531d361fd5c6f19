import { BundleError } from '../catalog/bundle-header.ts';
import { followCatalog, type FollowResult } from '../catalog/published/follow-catalog.ts';
import { PublishedCatalogError } from '../catalog/published/signed-metadata.ts';
import { publicSyncErrorText, SyncBusyError } from '../catalog/sync/sync-errors.ts';
import { createFileUpstream } from '../feeds/create-upstream.ts';
import { UpstreamError } from '../feeds/upstream-error.ts';
import { createConnectionPools } from '../net/connection-pool.ts';
import { NetError } from '../net/net-error.ts';
import { catalogFolderOf, netOptionsOf, shownAddressOf } from '../server/runner-deps.ts';
import type { Config } from '../config.ts';
import { CliError } from '../exit-codes.ts';
import { loadConfig } from './load-config.ts';
import { printOutput } from './output.ts';
import { parentDisconnectSignal } from './parent-disconnect-signal.ts';
import { runInterruptible } from './run-interruptible.ts';
import { formatBytes } from './terminal-text.ts';

/** `sextant catalog update`. Throws `CliError`: refused, busy, failed, usage. */
export async function updateCatalog(options: {
  allowExpired: boolean;
  /** Sends what happened to the parent process instead of printing it. */
  reportsOverIpc: boolean;
  json: boolean;
}): Promise<void> {
  const { allowExpired, reportsOverIpc, json } = options;
  const config = loadConfig();
  const startedAtMs = performance.now();
  try {
    const done = await runInterruptible((signal) =>
      follow(config, allowExpired, reportsOverIpc ? AbortSignal.any([signal, parentDisconnectSignal()]) : signal),
    );
    if (reportsOverIpc) {
      const result = done.result === 'updated' ? 'published' : 'unchanged';
      const seconds = (performance.now() - startedAtMs) / 1000;
      process.send?.({ type: 'done', result, file: done.generation.file, seconds });
      return;
    }
    const { generation, ...rest } = done;
    printOutput(json, { ...rest, created_at: generation.created_at, file: generation.file }, () => [describe(done)]);
  } catch (error) {
    const failure = toFailure(error);
    if (failure === null) throw error;
    if (reportsOverIpc) process.send?.({ type: 'follow_failed', ...failure });
    const exit = failure.kind === 'failed' ? 'failed' : 'refused';
    throw new CliError(exit, `the published catalog was not taken, the one before answers: ${failure.text}`);
  } finally {
    if (reportsOverIpc) process.disconnect?.();
  }
}

function follow(config: Config, allowExpired: boolean, signal: AbortSignal): Promise<FollowResult> {
  const { catalogFrom, catalogKey } = config;
  if (catalogFrom === null || catalogKey === null) {
    throw new CliError('usage', 'no catalog is followed: set SEXTANT_CATALOG_FROM and SEXTANT_CATALOG_KEY');
  }
  return followCatalog({
    folder: catalogFolderOf(config),
    upstream: createFileUpstream({
      address: catalogFrom,
      layout: 'mirror',
      // The operator set the address: it may be private.
      web: { pool: createConnectionPools(netOptionsOf(config))(true) },
      signal,
    }),
    from: shownAddressOf(catalogFrom),
    key: catalogKey,
    now: new Date(),
    allowExpired,
    signal,
  });
}

/** Null for what says nothing about the published catalog. */
function toFailure(error: unknown): { kind: 'refused' | 'frozen' | 'failed'; text: string } | null {
  if (error instanceof PublishedCatalogError) return { kind: error.kind, text: error.message };
  if (error instanceof BundleError) return { kind: 'refused', text: error.message };
  if (error instanceof SyncBusyError) throw new CliError('busy', error.message);
  if (error instanceof NetError || error instanceof UpstreamError)
    return { kind: 'failed', text: publicSyncErrorText(error) };
  return null;
}

function describe({ result, by, generation: { created_at }, version, expires_at }: FollowResult): string {
  if (result === 'unchanged' || by === null)
    return `The catalog of ${created_at} is the published one (version ${version}, until ${expires_at}).`;
  const way = by.kind === 'full' ? 'in full' : `by ${by.files} ${by.files === 1 ? 'delta' : 'deltas'}`;
  return `The catalog of ${created_at} answers from now on: ${formatBytes(by.bytes)} ${way} (version ${version}, until ${expires_at}).`;
}
