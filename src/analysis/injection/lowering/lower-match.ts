import { type IrCase, type IrNode, isLiteral } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';
import { lowerTarget } from './lower-assignment.ts';
import type { LoweringContext } from './lowering-context.ts';

/** `case {'name': str(name), **rest} if test:` in Python: the names of the pattern get the parts of the subject. */
export function lowerCaseClause(context: LoweringContext, syntax: SyntaxNode, subject: IrNode): IrCase {
  const patterns = syntax.children.filter(({ type }) => type === 'case_pattern');
  const literal = patterns.length === 1 ? literalOf(context, patterns[0]!) : null;
  const bindings =
    patterns.length === 1 ? bind(context, patterns[0]!, subject) : bindElements(context, patterns, subject, syntax);
  const guard = inField(syntax, 'guard');
  const test = guard === undefined ? null : context.lowerFirst(guard);
  const body = context.lowerOptional(inField(syntax, 'consequence'), syntax);
  const guarded: IrNode =
    test === null ? body : { op: 'conditional', test, whenTrue: body, whenFalse: { op: 'empty', syntax }, syntax };
  const isDefault = patterns.length === 1 && context.text(patterns[0]!) === '_' && test === null;
  return {
    isLiteral: literal !== null,
    labels: isDefault ? [] : [literal ?? { op: 'empty', syntax }],
    fallsThrough: false,
    body: { op: 'block', statements: [...bindings, guarded], syntax },
  };
}

/** A pattern of literals alone; null: another pattern. */
function literalOf(context: LoweringContext, pattern: SyntaxNode): IrNode | null {
  const syntax = withoutParentheses(context, pattern);
  if (/^(case|union|as)_pattern$/.test(syntax.type)) {
    const alternatives = syntax.type === 'union_pattern' ? syntax.children : syntax.children.slice(0, 1);
    const elements = alternatives.map((child) => literalOf(context, child));
    return elements.length > 0 && elements.every((element) => element !== null)
      ? { op: 'list', elements, syntax }
      : null;
  }
  const role = context.role(syntax);
  const node = role === 'string' || role === 'constant' ? context.lower(syntax) : null;
  return node !== null && isLiteral(node) ? node : null;
}

/** The assignments that a pattern makes where it matches. */
function bind(context: LoweringContext, pattern: SyntaxNode, subject: IrNode): IrNode[] {
  const syntax = withoutParentheses(context, pattern);
  const [first, second] = syntax.children;
  switch (syntax.type) {
    case 'identifier':
    case 'dotted_name':
      // A name with a dot is a constant.
      return context.text(syntax).includes('.') ? [] : [assign(lowerTarget(context, syntax), subject)];
    case 'as_pattern': {
      if (first === undefined || second === undefined) return [];
      const isHarmless = literalOf(context, first) !== null || isScalar(context, first);
      const value = isHarmless ? ({ op: 'constant', text: '', syntax } as const) : subject;
      return [...bind(context, first, subject), assign(lowerTarget(context, second), value)];
    }
    case 'union_pattern':
      return syntax.children.map((child): IrNode => {
        const whenTrue: IrNode = { op: 'block', statements: bind(context, child, subject), syntax };
        return {
          op: 'conditional',
          test: { op: 'empty', syntax },
          whenTrue,
          whenFalse: { op: 'empty', syntax },
          syntax,
        };
      });
    case 'list_pattern':
    case 'tuple_pattern':
      return bindElements(context, syntax.children, subject, syntax);
    case 'dict_pattern':
      return bindEntries(context, syntax, subject);
    case 'class_pattern':
      return bindFields(context, syntax, subject);
    default:
      return [];
  }
}

/** `("a" | "b")` is a pattern in parentheses, `("a",)` a tuple. */
function withoutParentheses(context: LoweringContext, syntax: SyntaxNode): SyntaxNode {
  const [only] = syntax.children;
  if (only === undefined || syntax.children.length > 1) return syntax;
  const isPlain =
    syntax.type === 'case_pattern' || (syntax.type === 'tuple_pattern' && !/,\s*\)$/.test(context.text(syntax)));
  return isPlain ? withoutParentheses(context, only) : syntax;
}

function bindElements(
  context: LoweringContext,
  patterns: readonly SyntaxNode[],
  subject: IrNode,
  syntax: SyntaxNode,
): IrNode[] {
  const rest = patterns.findIndex((pattern) => splatOf(pattern) !== null);
  return patterns.flatMap((pattern, at): IrNode[] => {
    if (at === rest) {
      const elements = patterns.map((_, place): IrNode => ({ op: 'empty', syntax: patterns[place]! }));
      elements[at] = restTarget(context, splatOf(pattern)!);
      return [assign({ op: 'list', elements, syntax }, subject)];
    }
    const place: IrNode = {
      op: 'constant',
      text: String(rest !== -1 && at > rest ? patterns.length - at : at),
      syntax,
    };
    const index: IrNode =
      rest !== -1 && at > rest
        ? { op: 'compare', operator: '-', left: place, right: { op: 'empty', syntax }, syntax }
        : place;
    return bind(context, pattern, { op: 'index', object: subject, index, syntax: pattern });
  });
}

function bindEntries(context: LoweringContext, syntax: SyntaxNode, subject: IrNode): IrNode[] {
  const keys = allInField(syntax, 'key').map((key) => context.lower(key));
  const values = allInField(syntax, 'value');
  const bound = values.flatMap((value, at) => {
    const index = keys[at] ?? ({ op: 'empty', syntax } as const);
    return bind(context, value, { op: 'index', object: subject, index, syntax: value });
  });
  const rest = syntax.children.map(splatOf).find((child) => child !== null);
  if (rest == null) return bound;
  const named = keys.map((key) => ({
    key: key.op === 'string' ? key.text : null,
    value: { op: 'empty', syntax } as const,
  }));
  const entries = [...named, { key: null, value: restTarget(context, rest) }];
  return [...bound, assign({ op: 'record', entries, syntax }, subject)];
}

/** `int(year)`, `Point(x, y=0)`. */
function bindFields(context: LoweringContext, syntax: SyntaxNode, subject: IrNode): IrNode[] {
  const [type, ...parts] = syntax.children;
  const name = type === undefined ? '' : context.text(type);
  const fields = context.classes.get(name)?.fields ?? [];
  return parts.flatMap((part, at) => {
    const [key, value] = part.children[0]?.type === 'keyword_pattern' ? part.children[0].children : [undefined, part];
    const field = fields[at]?.target;
    const member = key === undefined ? (field?.op === 'variable' ? field.name : null) : context.text(key);
    const whole: IrNode = isScalar(context, syntax) ? { op: 'constant', text: '', syntax } : subject;
    const from: IrNode = member === null ? whole : { op: 'member', object: subject, name: member, syntax: part };
    return value === undefined ? [] : bind(context, value, from);
  });
}

/** Whether the pattern matches values alone that hold no free text: `int(x)`. */
function isScalar(context: LoweringContext, syntax: SyntaxNode): boolean {
  const [first] = syntax.children;
  if (first === undefined) return false;
  if (syntax.type === 'case_pattern') return isScalar(context, first);
  return syntax.type === 'class_pattern' && context.grammar.scalarTypes.test(context.text(first));
}

/** `*rest`, `**rest`. */
function splatOf(syntax: SyntaxNode): SyntaxNode | null {
  const pattern = syntax.type === 'case_pattern' ? syntax.children[0] : syntax;
  return pattern?.type === 'splat_pattern' ? (pattern.children[0] ?? null) : null;
}

function restTarget(context: LoweringContext, syntax: SyntaxNode): IrNode {
  return { op: 'spread', value: lowerTarget(context, syntax), syntax };
}

function assign(target: IrNode, value: IrNode): IrNode {
  return { op: 'assign', target, value, how: 'set', type: null, syntax: target.syntax };
}
