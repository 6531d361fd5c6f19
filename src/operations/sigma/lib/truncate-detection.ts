import type { Detection } from '../../../feeds/sigma/detection.ts';

/** Maximum JSON length of a detection block without include=full; 99.8 % of the rules are shorter. */
const MAX_DETECTION_CHARS = 8000;
/** List lengths tried in this order until the block fits. */
const LIST_LIMITS = [100, 50, 20, 10, 5, 2, 1];

export interface DetectionView extends Detection {
  total_values: number;
  truncated: boolean;
  list_limit: number | null;
}

/** The detection block as it is, with the number of its values. */
export function presentWholeDetection(detection: Detection): DetectionView {
  return {
    ...detection,
    total_values: countValues(detection.selections),
    truncated: false,
    list_limit: null,
  };
}

/** The detection block within the limit: long lists cut, all to one length; where that is not enough, selections left out. */
export function truncateDetection(detection: Detection): DetectionView {
  const whole = presentWholeDetection(detection);
  if (fitsLimit(detection.selections)) return whole;
  for (const limit of LIST_LIMITS) {
    const selections = truncateLists(detection.selections, limit) as Detection['selections'];
    if (fitsLimit(selections)) return { ...whole, selections, truncated: true, list_limit: limit };
  }
  const kept: Detection['selections'] = {};
  for (const [name, selection] of Object.entries(truncateLists(detection.selections, 1) as Detection['selections'])) {
    if (fitsLimit({ ...kept, [name]: selection })) kept[name] = selection;
  }
  return { ...whole, selections: kept, truncated: true, list_limit: 1 };
}

function fitsLimit(selections: unknown): boolean {
  return JSON.stringify(selections).length <= MAX_DETECTION_CHARS;
}

function truncateLists(value: unknown, limit: number): unknown {
  if (Array.isArray(value)) return value.slice(0, limit).map((item) => truncateLists(item, limit));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, truncateLists(inner, limit)]));
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 0);
}
