import { z } from 'zod';
import { parsePurl } from '../../analysis/packages/package-ref.ts';
import type { WatchedDecision } from '../../analysis/watch/describe-event.ts';
import type { WatchSubject } from '../../analysis/watch/watch.ts';
import type { OperationInput } from '../../engine/operation.ts';
import { ApiError } from '../../errors.ts';
import type { MatchingDeps } from './matching-deps.ts';

/** What `affected_check` is asked about: one product or package, with its version where one is watched. */
export interface Question {
  /** Words for the reader, without the version. */
  name: string;
  version: string | null;
  input: OperationInput;
}

export type Decision = Omit<WatchedDecision, 'name' | 'version'>;

/** As many as `affected_check` takes at once. */
const MAX_CVES = 50;
const MAX_KEPT_DECISIONS = 50_000;
const INPUT_ERRORS: ReadonlySet<string> = new Set(['invalid_argument', 'validation_error']);

const Row = z.object({
  cve_id: z.string(),
  status: z.enum(['affected', 'not_affected', 'unknown']),
  reason: z.string(),
  rule: z.object({ source: z.string().nullable(), kind: z.string(), text: z.string() }),
  fixed_in: z.string().nullable(),
});
const Rows = z.object({ results: z.array(Row) });

/** The question about a product or package; null for what has none. */
export function questionOf(subject: WatchSubject): Question | null {
  if (subject.kind === 'product') return questionOfProduct(subject);
  return subject.kind === 'package' ? questionOfPurl(subject.purl, subject.version) : null;
}

/** The question about one component. One of `purl` and `cpe` is given. */
export function questionOfComponent({
  purl,
  cpe,
  version,
}: Extract<WatchSubject, { kind: 'components' }>['components'][number]): Question {
  if (purl !== null) return questionOfPurl(purl, version);
  const [vendor = '', product = ''] = cpe!.split(':').slice(3, 5);
  return { name: `${vendor} ${product}`, version, input: { cpe, ...given({ version }) } };
}

function questionOfPurl(purl: string, version: string | null): Question {
  const { name, isGeneric } = parsePurl(purl);
  if (isGeneric) return questionOfProduct({ vendor: null, product: name, version });
  return { name, version, input: { purl, ...given({ version }) } };
}

function questionOfProduct({
  vendor,
  product,
  version,
}: Pick<Extract<WatchSubject, { kind: 'product' }>, 'vendor' | 'product' | 'version'>): Question {
  return {
    name: vendor === null ? product : `${vendor} ${product}`,
    version,
    input: { product, ...given({ vendor, version }) },
  };
}

function given(fields: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== null));
}

/** Decides by `affected_check`, so that a watch says what the answer says. Each question about a CVE is asked once. */
export class Judge {
  readonly #ask: MatchingDeps['ask'];
  readonly #known = new Map<string, Map<string, Decision>>();
  #count = 0;

  constructor(ask: MatchingDeps['ask']) {
    this.#ask = ask;
  }

  async decide({ input }: Question, cveIds: readonly string[]): Promise<ReadonlyMap<string, Decision>> {
    if (this.#count > MAX_KEPT_DECISIONS) {
      this.#known.clear();
      this.#count = 0;
    }
    const key = JSON.stringify(input);
    let known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, (known = new Map()));
    const open = cveIds.filter((cveId) => !known.has(cveId));
    for (let at = 0; at < open.length; at += MAX_CVES) {
      for (const [cveId, decision] of await this.#askAbout(input, open.slice(at, at + MAX_CVES))) {
        known.set(cveId, decision);
        this.#count++;
      }
    }
    return known;
  }

  async #askAbout(input: OperationInput, cveIds: readonly string[]): Promise<Map<string, Decision>> {
    const found = new Map<string, Decision>();
    try {
      const { results } = Rows.parse(await this.#ask('affected_check', { ...input, cve_ids: cveIds, limit: MAX_CVES }));
      for (const { cve_id, ...decision } of results) found.set(cve_id, decision);
    } catch (error) {
      if (!(error instanceof ApiError) || !INPUT_ERRORS.has(error.code)) throw error;
      return new Map(cveIds.map((cveId) => [cveId, undecided(error.message)]));
    }
    // At its deadline an answer has what was decided until then.
    for (const cveId of cveIds) if (!found.has(cveId)) found.set(cveId, undecided('it was not decided in time'));
    return found;
  }
}

/** What cannot be decided may concern the owner: it counts as named. */
function undecided(reason: string): Decision {
  return { status: 'unknown', reason, rule: { source: null, kind: 'undecided', text: '' }, fixed_in: null };
}
