import { createSubject, type SubjectInput } from '../../analysis/affected/subject.ts';
import { parseCpeLenient } from '../../analysis/cve/cpe.ts';
import { parsePurl } from '../../analysis/packages/package-ref.ts';
import type { WatchedDecision } from '../../analysis/watch/describe-event.ts';
import type { WatchSubject } from '../../analysis/watch/watch.ts';
import { Evidence } from '../../engine/evidence.ts';
import type { RecordedView } from '../../engine/recorded-view.ts';
import { createLruCache } from '../../lru-cache.ts';
import { judgeSubject } from '../../operations/cve/lib/judge-subject.ts';

/** What `affected_check` is asked about: one product or package, with its version where one is watched. */
export interface Question {
  /** Words for the reader, without the version. */
  name: string;
  version: string | null;
  /** Without the version. */
  input: SubjectInput;
}

export type Decision = Omit<WatchedDecision, 'name' | 'version'>;

/** Products and packages whose records are kept; the watches of one come one after the other. */
const MAX_KEPT_SUBJECTS = 500;
const MAX_KEPT_VERSIONS = 200;

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
  const name = parseCpeLenient(cpe!);
  // The document's own version is that of the component: a CPE name of it may be older.
  const subject = createSubject({ cpe: cpe! });
  const own = 'problem' in subject ? null : subject.version;
  return {
    name: name === null ? cpe! : `${name.vendor} ${name.product}`,
    version: version ?? own,
    input: { cpe: cpe! },
  };
}

function questionOfPurl(purl: string, version: string | null): Question {
  const { name, isGeneric } = parsePurl(purl);
  return isGeneric ? questionOfProduct({ vendor: null, product: name, version }) : { name, version, input: { purl } };
}

function questionOfProduct({
  vendor,
  product,
  version,
}: Pick<Extract<WatchSubject, { kind: 'product' }>, 'vendor' | 'product' | 'version'>): Question {
  return vendor === null
    ? { name: product, version, input: { product } }
    : { name: `${vendor} ${product}`, version, input: { product, vendor } };
}

/** What was judged of some CVEs in one product or package, by version. */
interface Judged {
  cveIds: ReadonlySet<string>;
  at: (version: string | null) => Promise<ReadonlyMap<string, Decision>>;
}

/** Decides as `affected_check` does, so that a watch says what the answer says. The records of a CVE are read once for all versions. */
export class Judge {
  readonly #view: RecordedView;
  readonly #signal: AbortSignal;
  readonly #kept = createLruCache<string, Judged[]>(MAX_KEPT_SUBJECTS);

  constructor(view: RecordedView, signal: AbortSignal) {
    this.#view = view;
    this.#signal = signal;
  }

  /** A decision on each of these CVEs, and possibly on others. */
  async decide({ input, version }: Question, cveIds: readonly string[]): Promise<ReadonlyMap<string, Decision>> {
    const subject = createSubject(version === null ? input : { ...input, version });
    if ('problem' in subject) return new Map(cveIds.map((cveId) => [cveId, undecided(subject.problem)]));
    const key = JSON.stringify(input);
    const parts = this.#kept.get(key) ?? [];
    const open = cveIds.filter((cveId) => !parts.some((part) => part.cveIds.has(cveId)));
    if (open.length > 0) {
      parts.push(await this.#judge(input, open));
      this.#kept.set(key, parts);
    }
    if (parts.length === 1) return parts[0]!.at(version);
    const decided = new Map<string, Decision>();
    for (const part of parts) {
      if (!cveIds.some((cveId) => part.cveIds.has(cveId))) continue;
      for (const [cveId, decision] of await part.at(version)) decided.set(cveId, decision);
    }
    return decided;
  }

  async #judge(input: SubjectInput, cveIds: readonly string[]): Promise<Judged> {
    const { catalog, now } = this.#view;
    // What is missing from an answer is not told by a watch: the owner finds it at the answer.
    const deps = { catalog, evidence: new Evidence(catalog.sources, now), signal: this.#signal };
    const { judgement } = await judgeSubject(input, cveIds, deps);
    const kept = createLruCache<string, ReadonlyMap<string, Decision>>(MAX_KEPT_VERSIONS);
    const at = async (version: string | null): Promise<ReadonlyMap<string, Decision>> => {
      const known = kept.get(version ?? '');
      if (known !== undefined) return known;
      const cves = version === null ? judgement.cves : await judgement.judgeAt(version);
      this.#signal.throwIfAborted();
      const decisions = new Map((cves ?? []).map(({ cve_id, ...decision }) => [cve_id, decision]));
      kept.set(version ?? '', decisions);
      return decisions;
    };
    return { cveIds: new Set(cveIds), at };
  }
}

/** What cannot be decided may concern the owner: it counts as named. */
function undecided(reason: string): Decision {
  return { status: 'unknown', reason, rule: { source: null, kind: 'undecided', text: '' }, fixed_in: null };
}
