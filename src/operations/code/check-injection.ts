import { z } from 'zod';
import type { InjectionOutput } from '../../analysis/injection/check-injection.ts';
import { runTask } from '../../threads/run-task.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import {
  CodeFinding,
  codeFindingsFields,
  codeInputFields,
  presentCodeFinding,
  requireCodeWithinLimit,
  formatSeverityCounts,
} from './lib/code-check-fields.ts';

const InjectionFinding = CodeFinding.extend({
  path: z
    .array(z.object({ line: z.number().int(), text: ForeignText }))
    .meta({ description: 'The way of the value, line by line, from its source to where it is run or opened.' }),
  fix: ForeignText.nullable().meta({
    description: 'The lines of the finding without the injection; null: not certain, see `remediation`.',
  }),
}).meta({ id: 'InjectionFinding' });

const UNSPECIFIED_LANGUAGES = new Set(['', 'auto']);

export const checkInjection = defineOperation({
  id: 'check_injection',
  area: 'code',
  title: 'Injection in code',
  description:
    'Finds SQL injection, command injection and path traversal in code. JavaScript, TypeScript, Python, Java, PHP, Go, Ruby and C# are parsed and values followed inside each function, from request data and parameters to where they are run, and into functions of the same text; where a value goes out of sight, in another file or class, the answer is partial and names the place. Other languages are read line by line. Nothing is run or kept.',
  route: 'POST /v1/check/injection',
  input: z.strictObject(codeInputFields),
  output: lookupOutputSchema('InjectionFindings', {
    ...codeFindingsFields,
    findings: z.array(InjectionFinding),
    language: z.string().nullable().meta({ description: 'As which the code was read; null: none of those parsed.' }),
    analysis: z.enum(['syntax_tree', 'patterns']),
    parse_errors: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Places that do not follow the grammar; null: not parsed.' }),
  }),
  cost: 1,
  examples: [
    {
      title: 'A name in the text of a statement',
      input: {
        code: '@app.route("/user")\ndef user():\n    name = request.args["name"]\n    db.execute(f"SELECT * FROM users WHERE name = \'{name}\'")\n',
        language: 'python',
      },
    },
  ],
  tool: {
    description:
      'Find SQL injection, command injection and path traversal in code that you have, with source, sink and remedy. For hard-coded keys use check_secrets, for packages check_dependencies.',
    openWorld: false,
  },
  falsifiableFields: ['findings'],
  async answer({ code, language }, { signal, evidence }) {
    requireCodeWithinLimit(code);
    const requestedLanguage = language.trim().toLowerCase();
    const input = { code, language: UNSPECIFIED_LANGUAGES.has(requestedLanguage) ? null : requestedLanguage };
    // Always in a thread: loading a grammar takes longer than reading most code.
    const { gaps, unfollowed, ...found } = await runTask('injection', input, { signal });
    for (const gap of gaps) evidence.addGap(gap);
    return {
      ...found,
      findings: found.findings.map((finding) => ({
        ...presentCodeFinding(finding),
        path: finding.path,
        fix: finding.fix,
      })),
      summary: summaryOf(found, unfollowed, gaps.length > 0),
    };
  },
});

function summaryOf(
  { findings, total, by_severity, analysis, language, parse_errors }: Omit<InjectionOutput, 'gaps' | 'unfollowed'>,
  unfollowed: number,
  hasGaps: boolean,
): string {
  const [worst] = findings;
  const method =
    analysis === 'patterns' ? 'Read line by line, which misses more than a syntax tree.' : `Read as ${language}.`;
  const parseErrorNote =
    parse_errors !== null && parse_errors > 0 && `${formatCount(parse_errors, 'place')} could not be parsed.`;
  const unfollowedNote =
    unfollowed > 0 && `${formatCount(unfollowed, 'flow')} ${unfollowed === 1 ? 'was' : 'were'} not followed.`;
  if (worst === undefined) {
    return joinSummary(
      hasGaps ? 'No injection found in what was followed.' : 'No injection found.',
      method,
      parseErrorNote,
      unfollowedNote,
    );
  }
  return joinSummary(
    `${formatCount(total, 'finding')}: ${formatSeverityCounts(by_severity)}.`,
    method,
    parseErrorNote,
    unfollowedNote,
    `${total === 1 ? 'It is' : 'The worst is'} in line ${worst.line}: ${worst.id.replace('_', ' ')}. ${worst.description}`,
    total > findings.length && `The first ${findings.length} are listed.`,
  );
}
