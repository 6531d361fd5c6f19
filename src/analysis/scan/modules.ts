import type { ObservedFinding } from '../finding.ts';

/**
 * The modules of a full scan and the most points that each gives, in order of remediation: a module comes after those that it
 * depends on.
 */
export const MODULE_MAX_POINTS = {
  ssl: 20,
  redirect: 10,
  html: 10,
  cors: 10,
  cookies: 10,
  csp_analysis: 13,
  headers: 12,
  dns: 5,
  dnssec: 5,
  methods: 3,
  disclosure: 2,
} as const;

export type ModuleId = keyof typeof MODULE_MAX_POINTS;
export const MODULE_IDS = Object.keys(MODULE_MAX_POINTS) as ModuleId[];

export interface ModuleFinding extends ObservedFinding {
  module: ModuleId;
  title: string;
  reference: string;
}

/** What one module found. */
export interface ModuleResult {
  /** What was seen, good and bad, in short sentences; cleaned. */
  details: string[];
  findings: Omit<ModuleFinding, 'module'>[];
}

/** By module; null: it could not be assessed. */
export type ScanResults = Record<ModuleId, ModuleResult | null>;
