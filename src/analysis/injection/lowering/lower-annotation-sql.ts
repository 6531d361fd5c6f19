import type { IrCall, IrNode, IrParameter } from '../ir/ir.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import type { LoweringContext } from './lowering-context.ts';

/** Annotations whose text is run as SQL: of MyBatis, and of JDBI, which puts in the parameters with `@Define`. */
const STATEMENT = /^(?:Select|Update|Insert|Delete|(Sql(?:Query|Update|Batch|Call|Script)))$/;
const MYBATIS_PLACE = /\$\{\s*([\w.]+)\s*\}/;
const JDBI_PLACE = /<(\w+)>/;

/**
 * The statement that an annotation of a method without a body gives, as a call of `#statement` with the text in which the parameters
 * stand; null: it has none.
 */
export function lowerAnnotationSql(
  context: LoweringContext,
  method: SyntaxNode,
  parameters: readonly IrParameter[],
): IrCall | null {
  if (method.type !== 'method_declaration') return null;
  const annotations = method.children.find(({ type }) => type === 'modifiers')?.children ?? [];
  for (const annotation of annotations) {
    const [name] = annotation.children;
    const found = name === undefined ? null : STATEMENT.exec(context.nameOf(name));
    if (name === undefined || found === null) continue;
    const isDefined = found[1] !== undefined;
    const given = parameters.filter(({ annotations: own }) => !isDefined || /@Define\b/.test(own));
    const parts = literalsIn(annotation).flatMap((literal) =>
      partsOf(context, literal, isDefined ? JDBI_PLACE : MYBATIS_PLACE, given),
    );
    if (!parts.some(({ op }) => op !== 'string')) return null;
    const value: IrNode = { op: 'concat', parts, isFormat: false, syntax: annotation };
    const callee: IrNode = { op: 'variable', name: '#statement', syntax: name };
    return { op: 'call', callee, args: [{ name: null, value }], calleeName: name, isTagged: false, syntax: annotation };
  }
  return null;
}

function literalsIn(node: SyntaxNode): SyntaxNode[] {
  return /^(string_literal|text_block)$/.test(node.type) ? [node] : node.children.flatMap(literalsIn);
}

function partsOf(
  context: LoweringContext,
  syntax: SyntaxNode,
  place: RegExp,
  parameters: readonly IrParameter[],
): IrNode[] {
  const text = context.text(syntax).replace(/^"+|"+$/g, '');
  return text.split(place).flatMap((part, index): IrNode[] => {
    if (index % 2 === 0) return part === '' ? [] : [{ op: 'string', text: part, syntax }];
    const value = parameterNamed(part, parameters, syntax);
    return value === null ? [] : [value];
  });
}

/** A parameter by its own name or that of its annotation, or a field of it. */
function parameterNamed(path: string, parameters: readonly IrParameter[], syntax: SyntaxNode): IrNode | null {
  const [first = '', ...rest] = path.split('.');
  const named = parameters.find(({ target, annotations }) => {
    const written = /@(?:Param|Define)\(\s*(?:value\s*=\s*)?"(\w+)"/.exec(annotations)?.[1];
    return written === undefined ? target.op === 'variable' && target.name === first : written === first;
  });
  const only = parameters.length === 1 ? parameters[0] : undefined;
  const parameter = named ?? only;
  if (parameter?.target.op !== 'variable') return null;
  const fields = named !== undefined || /^(?:value|_parameter)$/.test(first) ? rest : [first, ...rest];
  const isWhole = named === undefined && (parameter.isSafeType || parameter.type === 'String');
  return (isWhole ? [] : fields).reduce<IrNode>((object, name) => ({ op: 'member', object, name, syntax }), {
    ...parameter.target,
    syntax,
  });
}
