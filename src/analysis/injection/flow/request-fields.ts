import { mergeValues } from './merge-values.ts';
import type { SharedNames } from './shared-names.ts';
import { isRequestTainted, type Value } from './value.ts';

/** An object that a framework passes from one handler of a request to the next: the request, its context, the connection. */
const PASSED_ON =
  /^[$@]?(?:req|request|ctx|context|c|g|res|response|reply|socket|ws|conn|connection|httpContext|locals|state|call)$/i;

/** What hooks and middleware set of a request to data of it, for the handlers that run after them. */
export class RequestFields {
  readonly #values = new Map<string, Value>();
  readonly #sharedNames: SharedNames;

  constructor(sharedNames: SharedNames) {
    this.#sharedNames = sharedNames;
  }

  /** Keeps the value that was given to this access path, where its object is passed on. */
  note(path: string, value: Value): void {
    if (!isPassedOn(path) || !isRequestTainted(value)) return;
    const name = path.slice(path.lastIndexOf('.') + 1);
    const before = this.#values.get(name);
    const kept = { ...value, identity: null, fromSource: false, constant: undefined };
    this.#values.set(name, before === undefined ? kept : mergeValues([before, kept]));
    this.#sharedNames.add(name);
  }

  /** The value that a field of this access path may have; undefined: nothing set it. */
  get(path: string): Value | undefined {
    if (this.#values.size === 0 || !isPassedOn(path)) return undefined;
    return this.#values.get(path.slice(path.lastIndexOf('.') + 1));
  }
}

/** Whether the path is of a field of such an object: `request.tenant`, `res.locals.user`. */
function isPassedOn(path: string): boolean {
  const [base = '', ...rest] = path.split('.');
  if (rest.length === 0 || rest.length > 3) return false;
  return PASSED_ON.test(/^(?:this|self|\$this)$/.test(base) && rest.length > 1 ? rest[0]! : base);
}
