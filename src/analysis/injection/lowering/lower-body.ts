import type { IrFunction, IrNode } from '../ir/ir.ts';
import { inField, type SyntaxNode } from '../syntax-tree.ts';
import { lowerConstructorCall } from './lower-call.ts';
import type { LoweringContext } from './lowering-context.ts';

const BLOCK_BODIES = /^(statement_block|block|compound_statement|constructor_body)$/;

/** The body of a function, with the call of another constructor that stands before it. */
export function lowerBody(context: LoweringContext, syntax: SyntaxNode): Pick<IrFunction, 'body' | 'isAbstract'> {
  const body = inField(syntax, 'body');
  const before = syntax.children.find(({ type }) => type === 'constructor_initializer');
  const first = before === undefined ? null : lowerConstructorCall(context, before);
  const value = context.lowerOptional(body, syntax);
  const isReturned = body !== undefined && (context.grammar.implicitReturn || !BLOCK_BODIES.test(body.type));
  const plain: IrNode = isReturned ? { op: 'jump', jump: 'return', value, isLabelled: false, syntax: body } : value;
  return {
    body: first === null ? plain : { op: 'block', statements: [first, plain], syntax },
    isAbstract: body === undefined,
  };
}
