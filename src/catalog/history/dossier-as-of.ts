import { cveIdFromKey } from '../../analysis/cve/cve-id.ts';
import { mergeCve } from '../../analysis/cve/merge-cve.ts';
import { assessReferences } from '../../analysis/cve/patch-reference.ts';
import { undoFacts } from '../../analysis/cve/undo-facts.ts';
import { type CveDossier, type CveDossierReader, type DatedEpssScore, NO_RECORD } from '../cve-dossier.ts';
import { type MergedRecord, mergeRecords, truncateToHead } from '../merge-records.ts';
import type { HeadFacts } from '../record-codec.ts';
import type { ChangeReader, RecordedChange } from './change-reader.ts';
import { DAY_MS, dateOfDay } from '../epss-history.ts';
import { undoKev } from './undo-kev.ts';

/** What was known of a CVE. */
export interface DossierAsOf {
  dossier: CveDossier;
  /** The complete record of each source. */
  records: () => readonly HeadFacts[];
}

/** What was known of CVEs at the end of a day: the changes that were seen later are undone. */
export class DossierReaderAsOf {
  readonly #dossiers: CveDossierReader;
  readonly #changes: ChangeReader;
  /** When the day ends: milliseconds since 1970. */
  readonly #end: number;
  readonly #date: string;

  /** `day`: days since 1970. */
  constructor(dossiers: CveDossierReader, changes: ChangeReader, day: number) {
    this.#dossiers = dossiers;
    this.#changes = changes;
    this.#end = (day + 1) * DAY_MS;
    this.#date = dateOfDay(day);
  }

  /** Null: nothing was known of the CVE on that day. `epss`: its score of that day. `full`: as of `CveDossierReader.dossier`. */
  dossier(key: number, full: boolean, epss: DatedEpssScore | null, cveId = cveIdFromKey(key)): DossierAsOf | null {
    const today = this.#dossiers.dossier(key, full, cveId) ?? this.#dossiers.empty(cveId);
    const later = this.#changes.ofCveSince(key, this.#end);
    const links = this.#dossiers.linkedIds(key);
    const heads = this.#dossiers.records(key, cveId, false);
    const known = new Set(
      heads.filter((facts) => this.#wasKnown(facts, later, links.advisories)).map(({ source }) => source),
    );
    const isSame =
      known.size === heads.length && !later.some(({ source }) => heads.some((facts) => facts.source === source));
    const kev = undoKev(cveId, today.kev, later);
    if (known.size === 0 && kev === null && epss === null) return null;
    const has_exploits = today.has_exploits === null ? null : hadExploits(links.exploits, later);
    const others = { kev, epss, has_exploits };
    if (isSame) {
      const record = today.record && { ...today.record, modified: this.#modifiedOf(heads) };
      return { dossier: { ...today, record, ...others }, records: () => this.#dossiers.records(key, cveId) };
    }
    const undone = this.#dossiers
      .records(key, cveId)
      .filter(({ source }) => known.has(source))
      .map((facts) => this.#undo(facts, later));
    const records = undone.map(({ facts }) => facts);
    const merged = records.length === 0 ? null : withRecordedFix(mergeRecords(records), undone);
    const dossier = {
      ...today,
      ...(merged === null ? NO_RECORD : full ? merged : truncateToHead(merged)),
      ...others,
      cut_products: undone.flatMap(({ cutProducts }) => cutProducts),
    };
    return { dossier, records: () => records };
  }

  /** When it was last modified before a later change is not recorded. */
  #modifiedUntil(modified: string | null): string | null {
    return modified !== null && modified.slice(0, 10) > this.#date ? null : modified;
  }

  /** Of records that did not change otherwise, as `mergeCve` selects it. */
  #modifiedOf(heads: readonly HeadFacts[]): string | null {
    const known = heads.map((facts) => ({
      ...facts,
      references: [],
      products: [],
      modified: this.#modifiedUntil(facts.modified),
    }));
    return heads.length === 0 ? null : mergeCve(known).modified;
  }

  #wasKnown(
    { source, published }: HeadFacts,
    later: readonly RecordedChange[],
    advisories: readonly string[],
  ): boolean {
    // What was published later was not known, whether or not its coming was recorded.
    if (published !== null && published.slice(0, 10) > this.#date) return false;
    const added = later.filter(({ change }) => change === 'added');
    if (source !== 'ghsa') return !added.some(({ kind, field }) => kind === 'record' && field === source);
    const came = new Set(added.filter(({ kind }) => kind === 'advisory').map(({ field }) => field));
    return advisories.length === 0 || advisories.some((id) => !came.has(id));
  }

  #undo(given: HeadFacts, later: readonly RecordedChange[]) {
    const changes = later.filter(({ source, kind }) => source === given.source && kind !== 'record');
    const { facts: undone, patchAvailable, cutProducts } = undoFacts(given, changes);
    const modified = this.#modifiedUntil(given.modified);
    if (changes.length === 0) return { facts: { ...given, modified }, patchAvailable: undefined, cutProducts };
    const { references, patch_available, fix } = assessReferences(undone);
    const hasTree = given.total_configurations > 0 && undone.products.some(({ cpe }) => cpe !== null);
    const facts: HeadFacts = {
      ...given,
      ...undone,
      modified,
      references,
      patch_available: patchAvailable === undefined ? patch_available : patchAvailable,
      fix,
      total_references: references.length,
      total_products: undone.products.length,
      total_configurations: hasTree ? given.total_configurations : 0,
    };
    return { facts, patchAvailable, cutProducts };
  }
}

/** References that are not recorded may name a fix that came later: what the changes say of it goes before. */
function withRecordedFix(
  merged: MergedRecord,
  undone: readonly { facts: HeadFacts; patchAvailable: boolean | null | undefined }[],
): MergedRecord {
  const isRecorded = undone.some(({ patchAvailable }) => patchAvailable !== undefined && patchAvailable !== true);
  if (!isRecorded || undone.some(({ facts }) => facts.patch_available === true)) return merged;
  const isUnfixed = undone.some(({ facts }) => facts.patch_available === false);
  return { ...merged, patch_available: isUnfixed ? false : null, fix: NO_RECORD.fix };
}

function hadExploits(today: readonly string[], later: readonly RecordedChange[]): boolean {
  const ids = new Set(today);
  for (const { kind, field, before } of later) {
    if (kind !== 'exploit') continue;
    if (before === null) ids.delete(field);
    else ids.add(field);
  }
  return ids.size > 0;
}
