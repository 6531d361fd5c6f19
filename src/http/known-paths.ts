import { detectIdentifierKind } from '../analysis/identifier-kind.ts';
import type { Operation } from '../engine/operation.ts';
import { editDistance } from '../engine/input/did-you-mean.ts';
import { parseRoute, restOperations, routeTemplate } from '../engine/route.ts';

/** Limits for the comparison of an unknown path with the known ones. */
const MAX_SEGMENTS = 8;
const MAX_SEGMENT_LENGTH = 64;

/** All mounted routes, for the error messages about paths that do not exist. */
export class KnownPaths {
  readonly #routes: { method: string; url: string }[] = [];
  readonly #operations: readonly Operation[];

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
  }

  add(methods: string | readonly string[], url: string): void {
    for (const method of [methods].flat()) if (method !== 'OPTIONS') this.#routes.push({ method, url });
  }

  /** Methods that a path supports; empty if the path does not exist. */
  methodsOf(url: string): string[] {
    const path = (url.split('?')[0] ?? '').replace(/(?<=.)\/$/, '');
    return [...new Set(this.#routes.filter((route) => matchesTemplate(route.url, path)).map(({ method }) => method))];
  }

  /** The template that a wrong path most likely meant (`/v1/cve/{cve_id}`); null if none is near. */
  nearestTemplate(url: string): string | null {
    const requestSegments = segmentsOf(url.slice(0, MAX_SEGMENTS * MAX_SEGMENT_LENGTH).split('?')[0]!);
    if (requestSegments.length === 0 || requestSegments.length > MAX_SEGMENTS) return null;
    const candidates = requestSegments[0] === 'v1' ? [requestSegments] : [requestSegments, ['v1', ...requestSegments]];
    let best: { template: string; distance: number } | null = null;
    for (const { route, subject } of restOperations(this.#operations)) {
      const { path } = parseRoute(route);
      for (const segments of candidates) {
        const distance = templateDistance(segmentsOf(path), segments, subject?.kind);
        if (distance !== null && distance < (best?.distance ?? Infinity))
          best = { template: routeTemplate(path), distance };
      }
    }
    return best?.template ?? null;
  }
}

/** Edit distance of the fixed parts, plus 0.5 for a parameter whose value is of another kind; null if a part differs too much for a typing error. */
function templateDistance(
  template: readonly string[],
  segments: readonly string[],
  kind: string | undefined,
): number | null {
  if (template.length !== segments.length) return null;
  let distance = 0;
  for (const [index, part] of template.entries()) {
    const text = segments[index]!;
    if (/^[:*]/.test(part)) {
      distance += kind !== undefined && detectIdentifierKind(text) === kind ? 0 : 0.5;
      continue;
    }
    const edits = editDistance(text.toLowerCase(), part);
    if (edits > Math.max(1, Math.floor(part.length / 3))) return null;
    distance += edits;
  }
  return distance;
}

function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.slice(0, MAX_SEGMENT_LENGTH));
}

function matchesTemplate(template: string, path: string): boolean {
  if (template.endsWith('/*')) return path.startsWith(template.slice(0, -1)) && path.length >= template.length;
  const templateParts = template.split('/');
  const pathParts = path.split('/');
  return (
    templateParts.length === pathParts.length &&
    templateParts.every((part, at) => part === pathParts[at] || (part.startsWith(':') && pathParts[at] !== ''))
  );
}
