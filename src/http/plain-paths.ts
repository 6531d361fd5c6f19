import type { Operation, OperationInput } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { convertTextInput } from '../engine/input/text-input.ts';
import { parseRoute, type RestOperation, restOperations } from '../engine/route.ts';
import { isAnswerShared } from '../engine/runner.ts';

/** A request as its URL alone says it. */
export interface PlainRequest {
  operation: Operation;
  /** The path template. */
  route: string;
  input: OperationInput;
}

interface PlainRoute {
  operation: RestOperation;
  route: string;
  field: string;
}

/** What needs no decoding. */
const PLAIN_SEGMENT = /^[\w.-]{1,100}$/;

/**
 * Reads requests whose URL is one identifier after a fixed path, `/v1/cve/CVE-2021-44228`, with the same result as the framework: of
 * operations whose answers may be shared. All other URLs, and identifiers that are not valid, are left to the framework.
 */
export class PlainPaths {
  readonly #operations: readonly Operation[];
  readonly #routesByStart = new Map<string, PlainRoute>();
  /** Paths without parameters, which come before those with one. */
  readonly #fixedPaths = new Set<string>();

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
    for (const operation of restOperations(operations)) {
      const { method, path, pathParameters, catchAllParameter } = parseRoute(operation.route);
      const [field] = pathParameters;
      if (field === undefined) this.#fixedPaths.add(path);
      else if (method === 'GET' && catchAllParameter === null && isAnswerShared(operation)) {
        const start = path.slice(0, path.indexOf(':'));
        if (path === `${start}:${field}`) this.#routesByStart.set(start, { operation, route: path, field });
      }
    }
  }

  /** Null where the framework must read it. */
  read(url: string): PlainRequest | null {
    const end = url.lastIndexOf('/') + 1;
    const found = this.#routesByStart.get(url.slice(0, end));
    if (found === undefined || this.#fixedPaths.has(url)) return null;
    const identifier = url.slice(end);
    if (!PLAIN_SEGMENT.test(identifier)) return null;
    const { operation, route, field } = found;
    try {
      const input = parseInput(operation, convertTextInput(operation.input, { [field]: identifier }), this.#operations);
      return { operation, route, input };
    } catch {
      return null;
    }
  }
}
