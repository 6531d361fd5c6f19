import { Counter, Gauge, Registry } from '@prometheus-io/client';
import type { MetricsSnapshot } from './metrics.ts';

/**
 * The metrics of several workers as one text. Every series keeps the name of its worker: nothing is added up here, so a worker
 * that starts anew is a counter that starts anew, as Prometheus knows how to read.
 */
export async function mergeWorkerMetrics(
  snapshots: ReadonlyMap<string, MetricsSnapshot>,
  restarts: number,
): Promise<string> {
  const labelled = [...snapshots].map(([worker, snapshot]) =>
    snapshot.map((metric) => ({
      ...metric,
      // No two series are the same, so this only puts them side by side; metrics marked to be left out would be lost.
      aggregator: 'sum',
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
    })),
  );
  const registry = Registry.aggregate(labelled);
  const registers = [registry];
  new Gauge({ name: 'sextant_workers', help: 'Workers that answer.', registers }).set(snapshots.size);
  new Counter({ name: 'sextant_worker_restarts_total', help: 'Workers started anew.', registers }).inc(restarts);
  return registry.metrics();
}
