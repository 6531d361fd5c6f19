import type { Step } from './ir.ts';

const KEY_KEPT = 200;

/** One name for a variable, a member or an element by a literal; null for what has none. */
export function keyOf(step: Step): string | null {
  const key = writtenKey(step);
  return key === null || key.length > KEY_KEPT ? null : key;
}

function writtenKey(step: Step): string | null {
  switch (step.op) {
    case 'name':
      return step.name;
    case 'member': {
      const object = keyOf(step.object);
      return object === null ? null : `${object}.${step.name}`;
    }
    case 'index': {
      const object = keyOf(step.object);
      const { index } = step;
      if (object === null || (index.op !== 'text' && index.op !== 'constant')) return null;
      return `${object}.${index.text}`;
    }
    case 'call': {
      const [only] = step.args;
      const callee = step.callee.op === 'member' ? keyOf(step.callee) : null;
      if (callee === null || step.args.length > 1) return null;
      if (only === undefined) return null;
      return only.value.op === 'text' ? `${callee}(${only.value.text})` : null;
    }
    default:
      return null;
  }
}
