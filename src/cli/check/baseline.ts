import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { CliError } from '../../exit-codes.ts';

const MAX_REPORT_BYTES = 256 * 1024 * 1024;

const JsonFinding = z.object({ fingerprint: z.string(), suppression: z.unknown().optional() });
const JsonReport = z.object({
  dependencies: z.object({ findings: z.array(JsonFinding) }).nullable(),
  code: z.object({ findings: z.array(JsonFinding) }).nullable(),
});
const SarifReport = z.object({
  runs: z.array(
    z.object({
      tool: z.object({ driver: z.object({ name: z.literal('sextant') }) }),
      results: z.array(
        z.object({
          partialFingerprints: z.object({ 'sextant/v1': z.string() }),
          suppressions: z.array(z.unknown()).optional(),
        }),
      ),
    }),
  ),
});

/**
 * Fingerprints of the findings of an earlier report, in JSON or SARIF. Findings that were suppressed then are not among them: when the suppression
 * is gone, they count. Throws `CliError` (usage) for anything else.
 */
export function readBaseline(path: string): ReadonlySet<string> {
  const document = readJson(path);
  const sarif = SarifReport.safeParse(document);
  if (sarif.success) {
    const results = sarif.data.runs.flatMap((run) => run.results);
    return new Set(
      results
        .filter(({ suppressions }) => suppressions === undefined || suppressions.length === 0)
        .map(({ partialFingerprints }) => partialFingerprints['sextant/v1']),
    );
  }
  const json = JsonReport.safeParse(document);
  if (!json.success)
    throw new CliError('usage', `${path} is no report of sextant check: make one with --json or --sarif`);
  const { dependencies, code } = json.data;
  const findings = [...(dependencies?.findings ?? []), ...(code?.findings ?? [])];
  return new Set(findings.filter(({ suppression }) => suppression === null).map(({ fingerprint }) => fingerprint));
}

/** Whether a baseline is the file of a report; else it is a git revision. */
export function isReportFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true || /\.(?:json|sarif)$/.test(path);
}

function readJson(path: string): unknown {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) throw new CliError('usage', `there is no ${path}`);
  if (bytes > MAX_REPORT_BYTES)
    throw new CliError('usage', `${path} is larger than ${MAX_REPORT_BYTES / 1024 ** 2} MiB`);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new CliError('usage', `${path} is no report of sextant check: it is not JSON`);
  }
}
