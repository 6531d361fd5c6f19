import type { ProbeLimits } from './prober.ts';

/** All settings of a server: at most 60 connections, six at once. */
export const ALL_LIMITS: ProbeLimits = { maxConnections: 60, maxConcurrent: 6, timeoutMs: 4000, totalMs: 9000 };

/** Versions and suites alone, for scans that look at much more than TLS. */
export const SUITES_LIMITS: ProbeLimits = { maxConnections: 40, maxConcurrent: 6, timeoutMs: 3000, totalMs: 5000 };

/** Kept from the suites for the other settings: resumption 6, order 1, fallback 1, control 1, some groups and signatures. */
export const RESERVED_CONNECTIONS = 14;
