import { z } from 'zod';
import type { CodeFinding, RankedFindings } from '../../analysis/finding.ts';
import { runTask } from '../../threads/run-task.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import {
  codeFindingsFields,
  codeInputFields,
  presentCodeFinding,
  requireCodeWithinLimit,
  formatSeverityCounts,
} from './lib/code-check-fields.ts';

export const checkSecrets = defineOperation({
  id: 'check_secrets',
  area: 'code',
  title: 'Secrets in code',
  description:
    'Finds keys, tokens and passwords in a text: by the form that their issuers give them, with checksums where there are some, and by name and randomness. Placeholders and published examples are left out. Nothing is kept, and no secret is repeated whole.',
  route: 'POST /v1/check/secrets',
  input: z.strictObject(codeInputFields),
  output: lookupOutputSchema('SecretFindings', codeFindingsFields),
  cost: 1,
  examples: [
    {
      title: 'A password in a connection string',
      input: { code: 'db = connect("postgres://app:Tr7-quiet-Lamp@db.acme.io/main")\n', language: 'python' },
    },
  ],
  tool: {
    description:
      'Find hard-coded secrets (API keys, tokens, passwords, private keys) in code or configuration before it ships. For SQL, command or path injection use check_injection.',
    openWorld: false,
  },
  falsifiableFields: ['findings'],
  async answer({ code, language }, { signal }) {
    requireCodeWithinLimit(code);
    // Always in a thread: loading the rules takes longer than most code does.
    const scan = await runTask('secrets', { code, language }, { signal });
    return { ...scan, findings: scan.findings.map(presentCodeFinding), summary: summaryOf(scan) };
  },
});

function summaryOf({ findings, total, by_severity }: RankedFindings<CodeFinding>): string {
  const [worst] = findings;
  if (worst === undefined) return 'No secrets found.';
  return joinSummary(
    `${formatCount(total, 'secret')} found: ${formatSeverityCounts(by_severity)}.`,
    `${total === 1 ? 'It is' : 'The worst is'} in line ${worst.line}: ${worst.description}`,
    total > findings.length && `The first ${findings.length} are listed.`,
  );
}
