import { truncateAtWord } from '../analysis/display-text.ts';
import { joinSummary } from '../engine/summary.ts';
import {
  type AnswerFields,
  jsonByteLength,
  truncateLists,
  fitsBudget,
  MAX_ANSWER_BYTES,
  NESTED_LIST_LIMITS,
} from './truncate-lists.ts';

/** Characters kept of each item's summary, from the mildest limit to the hardest. */
const SUMMARY_LENGTHS = [300, 160, 80, 60, 0];
const SINGLE_LOOKUP_HINT = 'Looked up by itself, each is whole.';

/**
 * Truncates the answer of a bulk call that is over the budget. Every item keeps its outcome. First nested lists are shortened, then
 * each item keeps only its fields in `brief` (`kev`, or `action.urgency` of an object), last the results of the final items are left out. `field`: the field of an item with its
 * result.
 */
export function truncateBulkAnswer(answer: AnswerFields, field: string, brief: readonly string[]): AnswerFields {
  for (const limits of NESTED_LIST_LIMITS) {
    const { answer: truncated, note } = truncateLists(answer, limits);
    const shorter = { ...truncated, trimmed: `${note} ${SINGLE_LOOKUP_HINT}` };
    if (fitsBudget(shorter)) return shorter;
  }
  const summary = joinSummary(answer['summary'] as string, 'Each is shortened to its main facts: see trimmed.');
  let shortened = answer;
  for (const length of SUMMARY_LENGTHS) {
    const keptFields = brief.filter((name) => length > 0 || name !== 'summary');
    const results = (answer['results'] as AnswerFields[]).map((item) => shortenItem(item, field, keptFields, length));
    const trimmed = `Cut to keep this short: ${field} has ${keptFields.join(', ')} alone. ${SINGLE_LOOKUP_HINT}`;
    shortened = { ...answer, results, summary, trimmed };
    if (fitsBudget(shortened)) return shortened;
  }
  return dropLastResults(shortened, field);
}

function shortenItem(
  item: AnswerFields,
  field: string,
  keptFields: readonly string[],
  summaryLength: number,
): AnswerFields {
  const found = item[field] as AnswerFields | null;
  if (found === null) return item;
  const kept: AnswerFields = {};
  for (const path of keptFields) {
    const [name, inner] = path.split('.') as [string, string | undefined];
    const value = found[name];
    if (value === undefined) continue;
    if (name === 'summary') kept[name] = truncateAtWord(value as string, summaryLength);
    else if (inner === undefined) kept[name] = value;
    else kept[name] = { ...(kept[name] as AnswerFields | undefined), [inner]: (value as AnswerFields)[inner] };
  }
  return { ...item, [field]: kept };
}

/** Leaves out the results of the last items until the answer is within the budget; the summary gives their number. */
function dropLastResults(cut: AnswerFields, field: string): AnswerFields {
  const results = [...(cut['results'] as AnswerFields[])];
  let bytes = jsonByteLength(cut);
  let droppedCount = 0;
  for (let index = results.length - 1; index > 0 && bytes > MAX_ANSWER_BYTES; index--) {
    const item = results[index]!;
    if (item[field] === null) continue;
    bytes -= jsonByteLength(item[field]) - 'null'.length;
    results[index] = { ...item, [field]: null };
    droppedCount++;
  }
  const hint = `${field} left out at the last ${droppedCount}: ask again for those whose status is ok and whose ${field} is null.`;
  const summary = joinSummary(`${field} is left out at the last ${droppedCount}.`, cut['summary'] as string);
  return { ...cut, results, summary, trimmed: `${String(cut['trimmed'])} ${hint}` };
}
