import type { EpssDay } from '../../../catalog/epss-history.ts';

export const MODEL_CHANGE_MEANING =
  'First day of a new EPSS model. Scores before and after it cannot be compared: they differ because the model does.';

export interface ModelChange {
  date: string;
  from: string;
  to: string;
}

/** Where the model of a day differs from the last known one. Days are in order, oldest first. */
export function modelChangesOf(days: readonly EpssDay[]): ModelChange[] {
  const changes: ModelChange[] = [];
  let last: string | null = null;
  for (const { date, model } of days) {
    if (model === null) continue;
    if (last !== null && model !== last) changes.push({ date, from: last, to: model });
    last = model;
  }
  return changes;
}
