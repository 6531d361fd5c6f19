import { z } from 'zod';
import { displayText } from '../analysis/display-text.ts';
import type { FixGuide, RecordToPublish } from '../analysis/fix-guide.ts';
import { ForeignText } from './foreign-text.ts';

const MAX_VALUE_CHARS = 1000;
const MAX_FILE_CHARS = 4000;

/** How to mend a finding, as answers show it. */
export const FixGuideField = z
  .object({
    why: z.string(),
    records: z
      .array(
        z.object({ name: z.string(), type: z.enum(['TXT', 'CAA', 'TLSA']), value: ForeignText, replaces: z.boolean() }),
      )
      .meta({ description: 'To publish in the DNS; `replaces`: in place of the one there, not beside it.' }),
    file: z.object({ url: z.string(), content: ForeignText }).nullable().meta({ description: 'To serve there.' }),
    caution: z.string().nullable().meta({ description: 'What to do first, so that nothing that works breaks.' }),
    needed: z.string().nullable().meta({ description: 'What only a provider or registrar can give.' }),
    verify: z.array(z.object({ command: z.string(), expect: ForeignText })),
  })
  .nullable()
  .meta({ id: 'HowToFix', description: 'Why it matters, what to paste, how to see that it worked; null: no guide.' });

/** Whether the value can be shown whole. One that was cut, or has lost characters, would break what works when it is pasted. */
export function isPastable({ value }: Pick<RecordToPublish, 'value'>): boolean {
  return value === displayText(value, MAX_VALUE_CHARS);
}

/** A guide without texts that cannot be shown whole. */
export function presentFixGuide(guide: FixGuide): FixGuide {
  const { records, file, verify } = guide;
  const pastable = records.filter(isPastable);
  return {
    ...guide,
    records: pastable,
    // What a command prints then is a record that is not shown.
    verify:
      pastable.length < records.length
        ? []
        : verify.map(({ command, expect }) => ({ command, expect: displayText(expect, 2 * MAX_VALUE_CHARS) })),
    file: file !== null && file.content === displayText(file.content, MAX_FILE_CHARS) ? file : null,
  };
}
