import type { FixGuide } from '../../analysis/fix-guide.ts';
import type { Finding, FindingStep } from './view.ts';

const note = (text: string): FindingStep => ({ kind: 'note', text });
const paste = (text: string): FindingStep => ({ kind: 'paste', text });

/** What a guide adds to a finding in a terminal: what to know, what to paste, and how to see that it worked. */
export function guideSteps(guide: FixGuide | null | undefined): Pick<Finding, 'steps'> {
  if (guide == null) return {};
  const { why, caution, needed, records, file, verify } = guide;
  return {
    steps: [
      note(`Why: ${why}`),
      ...(needed === null ? [] : [note(`Needed: ${needed}`)]),
      ...(caution === null ? [] : [note(`Take care: ${caution}`)]),
      ...(file === null
        ? []
        : [note('File to serve:'), paste(file.url), ...file.content.trimEnd().split('\n').map(paste)]),
      ...records.flatMap(({ name, type, value, replaces }) => [
        note(replaces ? 'Record, in place of the one there:' : 'Record:'),
        paste(`${name}  ${type}  ${type === 'TXT' ? `"${value}"` : value}`),
      ]),
      ...verify.flatMap(({ command, expect }) => [note(`To see that it worked, look for ${expect}:`), paste(command)]),
    ],
  };
}
