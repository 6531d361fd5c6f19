import { Counter, Gauge, Registry } from '@prometheus-io/client';
import type { MetricsSnapshot } from './metrics.ts';

/**
 * The metrics of several workers as one text. Every series has a `worker` label and nothing is summed, so that the restart of a worker is
 * a counter reset, which Prometheus handles. Keys: worker slots.
 */
export async function metricsTextByWorker(
  snapshotBySlot: ReadonlyMap<string, MetricsSnapshot>,
  restarts: number,
): Promise<string> {
  const labelled = [...snapshotBySlot].map(([worker, snapshot]) =>
    snapshot.map((metric) => ({
      ...metric,
      // Series differ by the `worker` label, so `sum` adds nothing; another aggregator would drop metrics marked `omit`.
      aggregator: 'sum',
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
    })),
  );
  const registry = Registry.aggregate(labelled);
  const registers = [registry];
  new Gauge({ name: 'sextant_workers', help: 'Workers that answer.', registers }).set(snapshotBySlot.size);
  new Counter({ name: 'sextant_worker_restarts_total', help: 'Workers started anew.', registers }).inc(restarts);
  return registry.metrics();
}
