import { formatNumber } from '../engine/summary.ts';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { Catalog } from '../catalog/catalog.ts';
import { type Generation, readCurrentGeneration, type FeedState } from '../catalog/generation.ts';
import { SCHEMA_VERSION } from '../catalog/schema.ts';
import { catalogFolderOf } from '../server/runner-deps.ts';
import { CliError } from '../exit-codes.ts';
import { loadConfig } from './load-config.ts';
import { printOutput } from './output.ts';
import { type Column, renderTable } from './table.ts';
import { formatBytes, formatMinute } from './terminal-text.ts';
import { recordLines } from './record-view.ts';

export const NO_CATALOG_MESSAGE =
  'there is no catalog here yet: sextant sync makes one, sextant catalog import takes one';

/** `sextant catalog info`. */
export function printCatalogInfo(json: boolean): void {
  const folder = catalogFolderOf(loadConfig());
  const generation = readCurrentGeneration(folder);
  if (generation === null) throw new CliError('not_found', NO_CATALOG_MESSAGE);
  const file = join(folder, generation.file);
  const facts = {
    file,
    created_at: generation.created_at,
    schema_version: SCHEMA_VERSION,
    cves: countCves(folder, generation),
  };
  const bytes = statSync(file).size;
  const sources = Object.fromEntries(
    Object.entries(generation.sources).map(([id, { files, ...state }]) => [
      id,
      { ...state, files: Object.keys(files).length },
    ]),
  );
  printOutput(json, { ...facts, bytes, sources }, (width) => [
    ...recordLines({ ...facts, cves: formatNumber(facts.cves), size: formatBytes(bytes) }, width),
    '',
    ...sourceLines(sources, width),
  ]);
}

/** Opening it also checks that this version can read it. */
function countCves(folder: string, generation: Generation): number {
  const catalog = new Catalog(folder, generation);
  try {
    return catalog.cveColumns.size;
  } finally {
    catalog.close();
  }
}

function sourceLines(sources: Record<string, Omit<FeedState, 'files'>>, width: number): string[] {
  const failed = Object.values(sources).some(({ last_error }) => last_error !== null);
  const columns: Column[] = [
    { title: 'source' },
    { title: 'records', align: 'right' },
    { title: 'data of' },
    { title: 'last success' },
    ...(failed ? [{ title: 'last error', wrap: true, style: (cell: string) => styleText('red', cell) }] : []),
  ];
  const rows = Object.entries(sources).map(([id, { records, data_time, last_success_at, last_error }]) => [
    id,
    formatNumber(records),
    formatMinute(data_time ?? '-'),
    formatMinute(last_success_at ?? '-'),
    last_error ?? '',
  ]);
  return renderTable(columns, rows, width);
}
