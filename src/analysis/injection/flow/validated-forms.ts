import type { CompiledRules } from '../rules/compiled-rules.ts';
import { recordValue } from './merge-values.ts';
import { isTainted, UNKNOWN, type Value } from './value.ts';

/** A field of a form or serializer, as its class declares it. */
const FIELD = /(?:Field|Serializer)\(\)$/;

/** What a form or serializer of this code lets through: text only in fields that allow it. Null: another member. */
export function validatedData(
  { validatedMembers, narrowFields }: CompiledRules,
  object: Value,
  name: string,
): Value | null {
  if (validatedMembers === null || object.fields === null || !isTainted(object) || !validatedMembers.test(name))
    return null;
  const fields = [...object.fields].filter(([, { names }]) => names.some((one) => FIELD.test(one)));
  // The fields of a model are declared elsewhere.
  if (fields.length === 0) return null;
  return recordValue(
    fields.map(([key, { names }]) => {
      const isNarrow = names.some((one) => narrowFields?.test(one) === true);
      return [key, isNarrow ? UNKNOWN : { ...UNKNOWN, taint: object.taint }];
    }),
  );
}
