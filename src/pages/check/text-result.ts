import type { z } from 'zod';
import type { checkDependencies } from '../../operations/code/check-dependencies.ts';
import type { Problem } from '../../operations/code/lib/report/problem.ts';
import type { Html } from '../html.ts';

export type DependencyAnswer = z.output<(typeof checkDependencies)['output']>;

/** What a check of one text has to say. */
export interface TextResult {
  /** The finding, in a sentence without a full stop. */
  readonly sentence: string;
  /** Without its heading. */
  readonly body: Html;
  /** Findings in the form that all reports share. */
  readonly problems: readonly Problem[];
  /** Of packages. */
  readonly dependencies: DependencyAnswer | null;
}

/** A package of a result, with what matched it. */
export interface LinkedPackage {
  readonly package: string;
  readonly version: string;
  readonly ecosystem: string | null;
  readonly evidence?: readonly string[];
}

/** Where a CVE and a package of a result lead; null: nowhere. */
export interface PackageLinks {
  readonly cve: (cveId: string, one: LinkedPackage) => string;
  readonly package: (one: LinkedPackage) => string | null;
}

/** Which findings a page shows, where the others are, and where its rows lead. */
export interface FindingsShown {
  /** Of how many riskier ones it is the continuation. */
  readonly from: number;
  /** The address with findings from this one on; null: the result has no address. */
  readonly pageFrom: ((from: number) => string) | null;
  /** Whether the page offers the result as files. */
  readonly hasFiles: boolean;
  readonly links: PackageLinks;
}
