import cluster from 'node:cluster';
import { styleText } from 'node:util';
import { isLoopbackHost } from '../access/origin-policy.ts';
import { Catalog } from '../catalog/catalog.ts';
import { readCurrentGeneration } from '../catalog/generation.ts';
import type { SyncEvent } from '../catalog/sync.ts';
import { type Config, isSingleUser } from '../config.ts';
import { formatAge, formatCount, formatNumber } from '../engine/summary.ts';
import { FEEDS } from '../feeds/list.ts';
import { catalogFolderOf } from '../server/runner-deps.ts';
import type { ServeObserver } from '../server/serve.ts';
import { VERSION } from '../version.ts';
import { ProgressSyncReporter } from './sync-report/progress-sync-reporter.ts';
import { padText } from './terminal-text.ts';

const LABEL_WIDTH = 9;
/** Hosts that stand for all addresses of the machine. */
const WILDCARD_HOSTS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Greets who starts the service at a terminal, and shows a running sync in one line. Null in a worker process. */
export function createServeGreeter(config: Config): ServeObserver | null {
  if (cluster.isWorker) return null;
  const { stderr } = process;
  const reporter = stderr.isTTY ? new ProgressSyncReporter(stderr, { quiet: true }) : null;
  return {
    onListening: (port) => void stderr.write(`${greetingLines(config, port, new Date(), stderr).join('\n')}\n\n`),
    // The messages come from a process of this program.
    onSyncMessage: (message) => {
      if (typeof message === 'object' && message !== null) reporter?.onEvent(message as SyncEvent);
    },
    onStopping: () => {
      reporter?.end();
      stderr.write('Stopping. Running requests are finished first, for at most 10 seconds.\n');
    },
  };
}

/** The greeting: where the service is, what it knows, what it syncs, what it costs, how it is stopped. */
export function greetingLines(config: Config, port: number, now: Date, stream: NodeJS.WriteStream): string[] {
  const base = `http://${hostText(config.host)}:${port}`;
  const rows = [
    ['pages', base],
    ['REST', `${base}/v1/cve/CVE-2021-44228, reference at ${base}/docs`],
    ['MCP', `${base}/mcp`],
    ['catalog', catalogText(config, now)],
    ['sync', syncText(config)],
    ['quota', quotaText(config)],
    ['stop', 'Ctrl+C'],
  ] as const;
  return [
    styleText('bold', `Sextant ${VERSION} answers at ${base}`, { stream }),
    '',
    ...rows.map(([label, text]) => `  ${styleText('dim', padText(label, LABEL_WIDTH), { stream })}${text}`),
  ];
}

/** A host for a URL on this machine. */
function hostText(host: string): string {
  if (WILDCARD_HOSTS.has(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function catalogText(config: Config, now: Date): string {
  const folder = catalogFolderOf(config);
  const generation = readCurrentGeneration(folder);
  if (generation === null) return 'none yet';
  const { starter, ...feeds } = generation.sources;
  const synced = Object.entries(feeds).flatMap(([id, { last_success_at }]) =>
    last_success_at === null ? [] : [{ id, seconds: (now.getTime() - Date.parse(last_success_at)) / 1000 }],
  );
  if (synced.length === 0) {
    const { sync, catalogFrom } = config;
    const [byItself, byHand] =
      catalogFrom === null ? ['the first sync', 'sextant sync'] : ['the published catalog', 'sextant catalog update'];
    const replacedBy = sync === 'auto' ? byItself : byHand;
    return `starter: ${formatCount(starter?.records ?? 0, 'well-known CVE')} as of ${starter?.data_time}, until ${replacedBy} replaces it`;
  }
  const ages = synced.toSorted((a, b) => b.seconds - a.seconds);
  const [oldest, newest] = [ages[0]!, ages.at(-1)!];
  return (
    `${formatNumber(countCves(folder))} CVEs; last synced ${formatAge(newest.seconds)} ago` +
    (oldest.seconds > 2 * 86_400 ? `, longest ago ${oldest.id}: ${formatAge(oldest.seconds)}` : '')
  );
}

function countCves(folder: string): number {
  const catalog = new Catalog(folder, readCurrentGeneration(folder)!);
  try {
    return catalog.cveColumns.size;
  } finally {
    catalog.close();
  }
}

function syncText({ sync, feeds }: Config): string {
  if (sync === 'off') return 'off (SEXTANT_SYNC); sextant sync updates the catalog';
  const from = feeds === 'upstream' ? 'from their publishers' : 'from SEXTANT_FEEDS';
  return `what is due of ${FEEDS.length} feeds ${from}, now and every 15 minutes; SEXTANT_SYNC=off stops it`;
}

function quotaText(config: Config): string {
  if (isSingleUser(config)) return 'none on your own machine; SEXTANT_HOST opens the service to others, who have one';
  const { quotaKeyless, quotaPro, host } = config;
  const own = isLoopbackHost(host) ? '; SEXTANT_QUOTA_KEYLESS=0 lifts it' : '';
  const text = (limit: number): string => (limit === 0 ? 'no limit' : `${formatCount(limit, 'token')} an hour`);
  return `${text(quotaKeyless)} for an address, ${text(quotaPro)} for a key (sextant keys issue)${own}`;
}
