import type { IrNode } from './ir.ts';

const MAX_PATH_LENGTH = 200;

/** The access path of a variable, member or element (`req.query.id`), under which scopes keep its value; null: the node has none. */
export function accessPathOf(node: IrNode): string | null {
  switch (node.op) {
    case 'variable':
    case 'member':
    case 'index':
    case 'call': {
      // Asked for at each evaluation.
      const kept = node as KeptPath;
      if (kept.path !== undefined) return kept.path;
      const path = buildPath(node);
      kept.path = path === null || path.length > MAX_PATH_LENGTH ? null : path;
      return kept.path;
    }
    default:
      return null;
  }
}

interface KeptPath {
  path?: string | null;
}

function buildPath(node: IrNode): string | null {
  switch (node.op) {
    case 'variable':
      return node.name;
    case 'member': {
      const object = accessPathOf(node.object);
      return object === null ? null : `${object}.${node.name}`;
    }
    case 'index': {
      const object = accessPathOf(node.object);
      const { index } = node;
      if (object === null || (index.op !== 'string' && index.op !== 'constant')) return null;
      return `${object}.${index.text}`;
    }
    case 'call': {
      const [only] = node.args;
      const callee = node.callee.op === 'member' ? accessPathOf(node.callee) : null;
      if (callee === null || only === undefined || node.args.length > 1) return null;
      return only.value.op === 'string' ? `${callee}(${only.value.text})` : null;
    }
    default:
      return null;
  }
}
