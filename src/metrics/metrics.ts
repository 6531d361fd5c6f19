import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from '@prometheus-io/client';

/** Values that are read only at a scrape. */
export interface GaugeReaders {
  /** One row for each feed; `ageSeconds` is null where it was never loaded. */
  readonly feeds: () => Iterable<{ source: string; records: number; ageSeconds: number | null }>;
  /** Look-ups in the response cache since the start. */
  readonly responseCache: { readonly hits: number; readonly misses: number };
  /** Names of the backends that are down now. */
  readonly unavailableBackends: () => readonly string[];
}

/** All metrics as data, to be sent to another process. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[];
export type SourceOutcome = 'ok' | 'failed' | 'timeout' | 'not_asked';

/** Seconds: an answer from the catalog takes under a millisecond, one from live sources up to many seconds. */
const DURATION_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counters and durations of this process, for Prometheus. Labels are ids of operations, sources and tiers, never targets or callers. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter('sextant_requests_total', 'HTTP requests answered.', ['operation', 'status']);
  readonly #requestSeconds = this.#histogram('sextant_request_duration_seconds', 'From request to answer.', [
    'operation',
  ]);
  readonly #toolCalls = this.#counter('sextant_tool_calls_total', 'MCP tool calls.', ['operation', 'outcome']);
  readonly #toolCallSeconds = this.#histogram('sextant_tool_call_duration_seconds', 'Of MCP tool calls.', [
    'operation',
  ]);
  readonly #quotaRefusals = this.#counter('sextant_quota_refusals_total', 'Calls that the quota did not reach.', [
    'tier',
  ]);
  readonly #sourceCalls = this.#counter('sextant_source_calls_total', 'Questions to live sources.', [
    'source',
    'outcome',
  ]);
  readonly #sourceCallSeconds = this.#histogram('sextant_source_call_duration_seconds', 'Of live sources.', ['source']);
  readonly #sourceCacheHits = this.#counter('sextant_source_cache_hits_total', 'Answers of live sources given again.', [
    'source',
  ]);

  constructor(version: string) {
    collectDefaultMetrics({ register: this.#registry });
    this.#gauge('sextant_build_info', 'Always 1; the label has the version.', ['version']).set({ version }, 1);
    for (const tier of ['keyless', 'pro']) this.#quotaRefusals.inc({ tier }, 0);
  }

  recordHttpRequest(operation: string, status: number, seconds: number): void {
    this.#requests.inc({ operation, status });
    this.#requestSeconds.observe({ operation }, seconds);
  }

  /** `outcome`: a `ToolCallOutcome` of the engine. */
  recordToolCall(operation: string, outcome: string, seconds: number): void {
    this.#toolCalls.inc({ operation, outcome });
    this.#toolCallSeconds.observe({ operation }, seconds);
  }

  recordQuotaRefusal(tier: string): void {
    this.#quotaRefusals.inc({ tier });
  }

  /** `seconds`: null where no request was sent. */
  recordSourceCall(source: string, outcome: SourceOutcome, seconds: number | null): void {
    this.#sourceCalls.inc({ source, outcome });
    if (seconds !== null) this.#sourceCallSeconds.observe({ source }, seconds);
  }

  recordSourceCacheHit(source: string): void {
    this.#sourceCacheHits.inc({ source });
  }

  /** Registers gauges that are read at each scrape. Call once. */
  registerGauges({ feeds, responseCache, unavailableBackends }: GaugeReaders): void {
    this.#gauge('sextant_feed_records', 'Records of a synced source.', ['source'], function () {
      this.reset();
      for (const { source, records } of feeds()) this.set({ source }, records);
    });
    this.#gauge('sextant_feed_age_seconds', 'Age of the data of a synced source.', ['source'], function () {
      this.reset();
      for (const { source, ageSeconds } of feeds()) if (ageSeconds !== null) this.set({ source }, ageSeconds);
    });
    this.#gauge('sextant_engines_away', 'Shared engines that cannot be reached.', [], function () {
      this.set(unavailableBackends().length);
    });
    this.#counter('sextant_rendered_answers_total', 'Look-ups in rendered answers.', ['outcome'], function () {
      this.reset();
      this.inc({ outcome: 'hit' }, responseCache.hits);
      this.inc({ outcome: 'miss' }, responseCache.misses);
    });
  }

  /** Registers the gauge of calls that the live process is answering. Call once. */
  registerLiveCalls(count: () => number): void {
    this.#gauge('sextant_live_calls', 'Calls that the process that asks live sources is answering.', [], function () {
      this.set(count());
    });
  }

  /** The Prometheus text format, 0.0.4. */
  prometheusText(): Promise<string> {
    return this.#registry.metrics();
  }

  async snapshot(): Promise<MetricsSnapshot> {
    return this.#registry.getMetricsAsJSON();
  }

  #counter<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    collect?: (this: Counter<Label>) => void,
  ): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry], ...(collect && { collect }) });
  }

  #gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    collect?: (this: Gauge<Label>) => void,
  ): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry], ...(collect && { collect }) });
  }

  #histogram<Label extends string>(name: string, help: string, labelNames: Label[]): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: DURATION_BUCKETS_SECONDS, registers: [this.#registry] });
  }
}
