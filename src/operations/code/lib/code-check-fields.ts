import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import type * as analysis from '../../../analysis/finding.ts';
import { SEVERITIES } from '../../../analysis/severity.ts';
import { ApiError } from '../../../errors.ts';

/** Most bytes of code, in UTF-8, that one check takes. */
export const MAX_CODE_BYTES = 512 * 1024;

/** Input of checks that read code. */
export const codeInputFields = {
  code: z.string().meta({ description: 'Text of a file or a part of one, at most 512 KiB in UTF-8.' }),
  language: z
    .string()
    .max(256)
    .default('auto')
    .meta({ description: 'As you call it; default: recognised where it matters.', examples: ['python'] }),
};

const CountField = z.number().int();

export const CodeFinding = z
  .object({
    type: z.string(),
    severity: z.enum(SEVERITIES),
    line: z.number().int(),
    column: z.number().int(),
    length: z.number().int().nullable().meta({ description: 'UTF-16 units from there; null: not known.' }),
    match: ForeignText,
    description: z.string(),
    remediation: z.string(),
  })
  .meta({ id: 'CodeFinding' });

/** A finding as the answer has it. */
export function presentCodeFinding({
  id,
  severity,
  line,
  column,
  length,
  evidence,
  description,
  remediation,
}: analysis.CodeFinding): z.output<typeof CodeFinding> {
  return { type: id, severity, line, column, length: length ?? null, match: evidence, description, remediation };
}

/** Output of checks that read code: the worst first; `total` and `by_severity` also count what the list leaves out. */
export const codeFindingsFields = {
  findings: z.array(CodeFinding),
  total: CountField,
  by_severity: z.object({ CRITICAL: CountField, HIGH: CountField, MEDIUM: CountField, LOW: CountField }),
};

/** Throws `ApiError` 413 where the code is over 512 KiB in UTF-8. */
export function requireCodeWithinLimit(code: string): void {
  const bytes = Buffer.byteLength(code);
  if (bytes <= MAX_CODE_BYTES) return;
  throw new ApiError(
    'body_too_large',
    `code: ${bytes} bytes of UTF-8, of at most ${MAX_CODE_BYTES}. Send it in parts.`,
  );
}

/** `2 CRITICAL, 1 LOW`; empty where nothing was found. */
export function formatSeverityCounts(bySeverity: Readonly<Record<string, number>>): string {
  return SEVERITIES.filter((severity) => (bySeverity[severity] ?? 0) > 0)
    .map((severity) => `${bySeverity[severity]} ${severity}`)
    .join(', ');
}
