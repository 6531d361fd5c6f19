import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import type { Value } from './value.ts';

const SQL_STATEMENT =
  /^[\s(]*(select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec(ute)?|call|grant|set|show|use|pragma|copy|attach)\b/i;
/** A condition or an order without its statement, as methods of query builders take it: `u.name = '`. */
const SQL_CONDITION =
  /^[\s(]*[\w.`"[\]:]{1,80}\s*(?:=|<>|!=|<=?|>=?|(?:not\s+)?(?:i?like|in|between)\b|is\b)\s*['"(%\0]/i;

/** A chain of calls that begins with a query. */
const QUERY_BUILDER = /(?:^|\.)(?:createQueryBuilder|getQueryBuilder|knex|createQuery)\(\)/;

/** Whether the text begins like a statement. */
export function isSqlText({ text }: Value): boolean {
  return text !== null && SQL_STATEMENT.test(text);
}

/** Whether the text or the receiver of the call shows that a method with a common name runs SQL. */
export function hasSqlEvidence({ rules }: Evaluator, statement: Value, { receiver, callee }: EvaluatedCall): boolean {
  if (isSqlText(statement) || (statement.text !== null && SQL_CONDITION.test(statement.text))) return true;
  const names = [
    ...(receiver?.names ?? []),
    ...(receiver?.typeName == null ? [] : [receiver.typeName]),
    ...callee.names.map((name) => name.slice(0, Math.max(0, name.lastIndexOf('.')))),
  ];
  return names.some(
    (name) =>
      QUERY_BUILDER.test(name) ||
      rules.databaseNames.test(lastSegment(name)) ||
      rules.databaseNames.test(chainStart(name)),
  );
}

function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** What a chain of calls begins with: `db` of `db.Model().Where()`. */
function chainStart(name: string): string {
  let start = name;
  while (start.endsWith('()') && start.includes('.')) start = start.slice(0, start.lastIndexOf('.'));
  return lastSegment(start);
}
