import { accessPathOf } from '../ir/access-path.ts';
import type { IrNode } from '../ir/ir.ts';
import { INJECTION_KINDS } from '../taint.ts';
import { isHarmlessMatch } from './argument-tests.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { recordValue } from './merge-values.ts';
import type { Scope } from './scope.ts';
import { sourceValue } from './source-values.ts';
import { type CheckedPath, literalValue, UNKNOWN, UNKNOWN_PART, type Value } from './value.ts';

/** Rules of validators that leave no free text: of Laravel and of Yii. */
const SAFE_RULE =
  /^(?:in|integer|int|numeric|number|double|decimal|digits|digits_between|boolean|bool|date|datetime|date_format|date_equals|uuid|ulid|ip|ipv4|ipv6|alpha|alpha_num|alpha_dash|mac_address|timezone|enum)(?::|$)/;
const SAFE_RULE_OBJECT = /(?:^|\.|:)(?:Rule\.(?:in|enum|numeric|date)|Enum|In)\(\)$/;
/** How a request gives out one of its fields. */
const GETTERS = ['input', 'get', 'post', 'query', 'string', 'validated', 'str'];

/** A validator that was made with its rules: the fields that it gives out. */
const VALIDATOR = '#validator';
/** A request whose parameters are declared: its fields are its methods. */
export const CHECKED_REQUEST = '#request';
const GIVES_OUT = /^(?:validate|validated|safe|valid|validateWithBag)$/;

/** The result of `$request->validate(['sort' => 'in:asc,desc'])`, whose fields are checked by their rules; null: another call. */
export function validatedResult(evaluator: Evaluator, call: EvaluatedCall): Value | null {
  const { node, callee, receiver, args, scope } = call;
  const name = (callee.names[0] ?? '').replace(/^.*\./, '');
  if (receiver?.typeName === VALIDATOR) return GIVES_OUT.test(name) ? { ...receiver, typeName: null } : null;
  if (receiver?.typeName === CHECKED_REQUEST && args.length === 0) return receiver.fields?.get(name) ?? null;
  const form = receiver === null ? null : formFields(evaluator, receiver.typeName, node);
  if (form !== null) return formResult(call, name, form);
  const makes = callee.names[0] === 'Validator.make' || callee.names[0] === 'validator';
  if (name !== 'validate' && !makes && name !== 'validateWithBag') return null;
  const rules = args.find(({ value }) => value.fields !== null && isRuleTable(value))?.value.fields;
  if (rules == null) return null;
  const checked = [...rules].map(([field, rule]) => [field, isSafeRule(evaluator, rule)] as const);
  const request = name === 'validate' && node.callee.op === 'member' ? accessPathOf(node.callee.object) : null;
  for (const [field, isSafe] of checked) {
    if (!isSafe || request === null) continue;
    const paths = [`${request}.${field}`, ...GETTERS.map((getter) => `${request}.${getter}(${field})`)];
    for (const path of paths) scope.set(path, UNKNOWN);
  }
  const fields = recordValue(
    checked.map(([field, isSafe]) => [field, isSafe ? UNKNOWN : sourceValue('request', node)]),
  );
  return makes ? { ...fields, typeName: VALIDATOR } : fields;
}

/** A text without names: the rules for members of a request do not hold for it. */
const CHECKED: Value = { ...UNKNOWN, text: UNKNOWN_PART, isDeclared: true };

/** The fields that the method `rules` of a `FormRequest` of this code checks; null: the type is another one. */
export function formFields(evaluator: Evaluator, type: string | null, node: IrNode): ReadonlyMap<string, Value> | null {
  const owner = evaluator.objects.classes.named(type);
  const [method] =
    owner?.supers.some((one) => one.endsWith('Request')) === true ? (owner.methods.get('rules') ?? []) : [];
  if (method === undefined) return null;
  const rules = evaluator.guardRecursion(method, () => evaluator.evaluate(returnedNode(method.body), evaluator.top));
  if (rules == null || !isRuleTable(rules)) return null;
  return new Map(
    [...rules.fields!].map(([field, rule]) => [
      field,
      isSafeRule(evaluator, rule) ? CHECKED : sourceValue('request', node),
    ]),
  );
}

/** What a method of such a form gives: what was validated, or one of its fields. */
function formResult({ args }: EvaluatedCall, name: string, fields: ReadonlyMap<string, Value>): Value | null {
  const field = args[0]?.value.text;
  if (field != null && GETTERS.includes(name)) return fields.get(field) ?? null;
  return args.length === 0 && GIVES_OUT.test(name) ? recordValue([...fields]) : null;
}

function isRuleTable({ fields }: Value): boolean {
  return (
    fields !== null &&
    fields.size > 0 &&
    [...fields.values()].every((rule) => rule.text !== null || rule.elements !== null)
  );
}

/** Whether a rule, `'required|integer'` or `['required', Rule::in(...)]`, allows no free text. */
function isSafeRule({ rules }: Evaluator, rule: Value): boolean {
  const parts = rule.elements ?? (rule.text ?? '').split('|').map(literalValue);
  return parts.some(({ text, names }) => {
    if (text === null) return names.some((name) => SAFE_RULE_OBJECT.test(name));
    const pattern = /^regex:(.*)$/s.exec(text)?.[1];
    return pattern === undefined ? SAFE_RULE.test(text) : isHarmlessMatch(rules, literalValue(pattern));
  });
}

/** The fields of a model of Yii that its method `rules` checks, for where `$model->validate()` is true. */
export function modelPaths(evaluator: Evaluator, object: IrNode, { instanceOf }: Value, scope: Scope): CheckedPath[] {
  const path = accessPathOf(object);
  const [method] = instanceOf?.methods.get('rules') ?? [];
  if (path === null || method === undefined) return [];
  const rules = evaluator.guardRecursion(method, () => evaluator.evaluate(returnedNode(method.body), scope));
  return (rules?.elements ?? []).flatMap((rule) => {
    const [names, kind] = rule.elements ?? [...(rule.fields?.values() ?? [])];
    if (names === undefined || kind?.text == null) return [];
    const pattern = kind.text === 'match' ? rule.fields?.get('pattern') : undefined;
    const isSafe = pattern === undefined ? SAFE_RULE.test(kind.text) : isHarmlessMatch(evaluator.rules, pattern);
    const fields = isSafe ? (names.elements ?? [names]).map(({ text }) => text) : [];
    return fields.map((field) => ({ path: `${path}.${field}`, kinds: INJECTION_KINDS }));
  });
}

/** The value of the first `return` of a body that has nothing else. */
function returnedNode(body: IrNode): IrNode {
  if (body.op === 'block' && body.statements.length === 1) return returnedNode(body.statements[0]!);
  return body.op === 'jump' ? body.value : body;
}
