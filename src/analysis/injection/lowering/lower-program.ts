import type { Grammar, SyntaxRole } from './grammar.ts';
import {
  lowerCall,
  lowerConstructorCall,
  lowerCopyWith,
  lowerInclude,
  lowerNew,
  lowerSend,
  lowerShell,
  lowerSlice,
  lowerYieldCall,
} from './lower-call.ts';
import { lowerCaseIn, lowerPatternMatch } from './lower-case-in.ts';
import { lowerClass, lowerCompositeLiteral, lowerField, lowerTypeSpec } from './lower-class.ts';
import { lowerFunction } from './lower-function.ts';
import { lowerReference } from './lower-reference.ts';
import { lowerComparison } from './lower-type-pattern.ts';
import {
  BLOCK_TYPES,
  lowerBlock,
  lowerComprehension,
  lowerConditional,
  lowerDefault,
  lowerForEach,
  lowerIf,
  lowerJump,
  lowerLoop,
  lowerQuery,
  lowerSwitch,
  lowerTry,
  lowerYield,
} from './lower-statement.ts';
import { lowerAssign, lowerDeclarator, lowerTarget } from './lower-assignment.ts';
import {
  lowerBinary,
  lowerCast,
  lowerIndex,
  lowerList,
  lowerMember,
  lowerName,
  lowerRecord,
  lowerString,
  lowerUnary,
} from './lower-expression.ts';
import { LoweringContext, type LowerNode } from './lowering-context.ts';
import type { IrNode, IrProgram } from '../ir/ir.ts';
import { inField, type SyntaxNode } from '../syntax-tree.ts';

/** Lowers a syntax tree to the intermediate representation. `source` is the text that the offsets of the tree refer to. */
export function lowerProgram(root: SyntaxNode, source: string, grammar: Grammar): IrProgram {
  const context = new LoweringContext(root, source, grammar, lowerByRole);
  const body = context.lower(root);
  const { names, classes, functions, skippedNodeCount } = context;
  return {
    body,
    size: context.nodeCount,
    declared: names.all,
    usedNames: names.used,
    reassigned: names.reassigned,
    assignedInside: names.assignedInside,
    classes,
    functions,
    checkedHandlers: context.checkedHandlers,
    skippedNodeCount,
    implicitThis: grammar.implicitThis === true,
    callsByName: grammar.callsByName === true,
    selfName: grammar.selfName ?? 'self',
    copiesLists: grammar.copiesLists === true,
    passesReferences: grammar.passesReferences === true,
    scalarTypes: grammar.scalarTypes,
    enforcesTypes: grammar.enforcesTypes === true,
    integerDivision: grammar.integerDivision === true,
    indexesMembers: grammar.indexesMembers === true,
    recordsIterate: grammar.recordsIterate ?? 'values',
    hasZeroValues: grammar.hasZeroValues === true,
  };
}

function lowerByRole(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const role = context.role(syntax);
  const isStatic = FIELD_DECLARATIONS.test(syntax.type) && /\bstatic\b/.test(modifiersOf(context, syntax));
  if (isStatic && !context.isStatic) {
    context.isStatic = true;
    const node = lowerByRole(context, syntax);
    context.isStatic = false;
    return node;
  }
  if (role === undefined)
    return BLOCK_TYPES.has(syntax.type) ? lowerBlock(context, syntax) : lowerDefault(context, syntax);
  return BY_ROLE[role](context, syntax);
}

const FIELD_DECLARATIONS = /^(field_declaration|property_declaration|public_field_definition|field_definition)$/;

function modifiersOf(context: LoweringContext, syntax: SyntaxNode): string {
  const first = syntax.children.find(({ type }) => !/modifier|attribute|annotation/.test(type));
  return first === undefined ? '' : context.text({ ...syntax, end: first.start });
}

/** The name that a handler gives to the exception. */
function exceptionName(syntax: SyntaxNode): SyntaxNode | undefined {
  const direct = inField(syntax, 'parameter', 'name');
  if (direct !== undefined) return direct;
  const inner = syntax.children.find(({ type }) =>
    /^(catch_formal_parameter|catch_declaration|exception_variable|as_pattern)$/.test(type),
  );
  if (inner === undefined) return undefined;
  const named = inField(inner, 'name', 'alias') ?? inner.children.at(-1);
  return named?.type === 'as_pattern_target' ? named.children[0] : named;
}

const BY_ROLE: Record<SyntaxRole, LowerNode> = {
  skip: (_, syntax) => ({ op: 'empty', syntax }),
  name: lowerName,
  constant: (context, syntax) => ({ op: 'constant', text: context.text(syntax), syntax }),
  string: lowerString,
  pattern: (context, syntax) => ({ op: 'string', text: context.text(syntax), syntax }),
  fragment: lowerString,
  'heredoc-start': (context, syntax) => {
    const body = context.heredocs.get(syntax);
    return body === undefined ? { op: 'string', text: '', syntax } : lowerString(context, body);
  },
  'outer-names': (context, syntax) => {
    for (const child of syntax.children) context.names.markOuter(context.nameOf(child));
    return { op: 'empty', syntax };
  },
  'word-list': (context, syntax) => ({ op: 'list', elements: context.lowerAll(syntax.children), syntax }),
  member: lowerMember,
  index: lowerIndex,
  call: (context, syntax) => lowerYieldCall(context, syntax) ?? lowerCall(context, syntax),
  new: lowerNew,
  shell: lowerShell,
  include: lowerInclude,
  binary: lowerBinary,
  comparison: lowerComparison,
  not: (context, syntax) => ({ op: 'not', value: context.lowerFirst(syntax), syntax }),
  unary: lowerUnary,
  cast: lowerCast,
  wrapper: (context, syntax) => context.lowerFirst(syntax),
  assign: lowerAssign,
  declarator: (context, syntax) => lowerDeclarator(context, syntax, null),
  declaration: (context, syntax) => {
    const declared = context.optionalText(inField(syntax, 'type'));
    const statements = syntax.children.flatMap((child) => {
      const role = context.role(child);
      if (role === 'declarator') return [lowerDeclarator(context, child, declared)];
      return role === undefined ? [context.lower(child)] : [];
    });
    return { op: 'block', statements, syntax };
  },
  conditional: lowerConditional,
  if: (context, syntax) => lowerIf(context, syntax, false),
  unless: (context, syntax) => lowerIf(context, syntax, true),
  assert: (context, syntax) => ({
    op: 'conditional',
    test: context.lowerFirst(syntax),
    whenTrue: { op: 'empty', syntax },
    whenFalse: { op: 'jump', jump: 'throw', value: { op: 'empty', syntax }, isLabelled: false, syntax },
    syntax,
  }),
  loop: lowerLoop,
  'for-each': lowerForEach,
  'range-clause': lowerForEach,
  comprehension: lowerComprehension,
  switch: lowerSwitch,
  case: lowerDefault,
  'case-in': lowerCaseIn,
  'pattern-match': lowerPatternMatch,
  try: lowerTry,
  'rescue-modifier': (context, syntax) => ({ op: 'coalesce', parts: context.lowerAll(syntax.children), syntax }),
  handler: (context, syntax) => {
    const named = exceptionName(syntax);
    const parameter = named === undefined ? null : lowerTarget(context, named, true);
    const statements = context.lowerAll(
      syntax.children.filter(({ field, type }) => field !== 'parameter' && type !== 'as_pattern'),
    );
    return { op: 'handler', parameter, body: { op: 'block', statements, syntax }, syntax };
  },
  function: (context, syntax) => lowerFunction(context, syntax, ''),
  decorated: (context, syntax) => {
    const annotations = syntax.children.filter(({ field }) => field === null).map((child) => context.text(child));
    const definition = inField(syntax, 'definition') ?? syntax;
    const decorators = syntax.children
      .filter(({ type }) => type === 'decorator')
      .map((child) => context.lowerFirst(child));
    return context.role(definition) === 'function'
      ? lowerFunction(context, definition, annotations.join('\n'), decorators)
      : lowerDefault(context, syntax);
  },
  class: lowerClass,
  field: lowerField,
  list: lowerList,
  record: lowerRecord,
  pair: (context, syntax) => context.lowerOptional(inField(syntax, 'value') ?? syntax.children.at(-1), syntax),
  'composite-literal': lowerCompositeLiteral,
  spread: (context, syntax) => ({ op: 'spread', value: context.lowerFirst(syntax), syntax }),
  'type-spec': lowerTypeSpec,
  query: lowerQuery,
  'copy-with': lowerCopyWith,
  slice: lowerSlice,
  opaque: (_, syntax) => ({ op: 'empty', syntax }),
  return: (context, syntax) => ({
    op: 'jump',
    value: context.lowerFirst(syntax),
    jump: /^(throw|raise)/.test(syntax.type) ? 'throw' : 'return',
    isLabelled: false,
    syntax,
  }),
  jump: lowerJump,
  yield: lowerYield,
  'channel-send': lowerSend,
  'method-reference': lowerReference,
  'constructor-call': lowerConstructorCall,
  import: (context, syntax) => {
    const names = context.grammar.imports(syntax, (node) => context.text(node));
    for (const [local] of names) context.names.all.add(local);
    return { op: 'import', names, syntax };
  },
};
