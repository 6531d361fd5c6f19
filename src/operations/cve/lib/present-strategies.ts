import type { z } from 'zod';
import type { DetectionStrategy } from '../../../feeds/attack/attack-entries.ts';
import type { StrategyRow } from './detection-schemas.ts';

interface StrategyLimits {
  analytics: number;
  logSources: number;
}

const ALL: StrategyLimits = { analytics: Number.MAX_SAFE_INTEGER, logSources: Number.MAX_SAFE_INTEGER };

/** Detection strategies with their analytics and where these look, at most as many as `limits` says. */
export function presentStrategies(
  strategies: readonly DetectionStrategy[],
  limits: StrategyLimits = ALL,
): z.output<typeof StrategyRow>[] {
  return strategies.map(({ strategy_id, name, analytics }) => ({
    strategy_id,
    name,
    analytics: analytics.slice(0, limits.analytics).map(({ analytic_id, platforms, description, log_sources }) => ({
      analytic_id,
      platforms,
      description,
      log_sources: log_sources
        .slice(0, limits.logSources)
        .map(({ name, channel, data_component }) => ({ name, channel, data_component })),
    })),
  }));
}
