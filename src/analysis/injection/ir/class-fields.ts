import type { IrNodeOf } from './ir.ts';

/** The name of the field that an assignment in a class body declares; null: it declares none. */
export function fieldName({ target }: IrNodeOf<'assign'>): string | null {
  if (target.op !== 'variable' && target.op !== 'member') return null;
  return target.name.replace(/^\$/, '');
}
