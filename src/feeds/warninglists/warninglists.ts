import { z } from 'zod';
import {
  readWarningPattern,
  readWarningValue,
  WARNING_CATEGORIES,
  type WarningPattern,
  type WarningValue,
} from '../../analysis/indicators/warning-list.ts';
import { displayLine } from '../../analysis/display-text.ts';
import type { WarningListEntry } from '../entries.ts';
import { type Feed, feedFile, FeedFormatError } from '../feed.ts';
import { firstIssue, readJson } from '../fields.ts';
import { openFirstExisting } from '../open-first-existing.ts';
import { unzip } from '../unpack.ts';
import { KNOWN_LISTS } from './known-lists.ts';

const ARCHIVE = 'misp-warninglists-main.zip';
const LIST = /\/lists\/([\w.-]{1,80})\/list\.json$/;
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const MAX_LIST_VALUES = 500_000;
/** Of one list: patterns are tried one after another. */
const MAX_PATTERNS = 500;
/** `matching_attributes` of what can be asked for here: addresses, names, URLs, hashes. */
const OUR_ATTRIBUTES = /^(?:ip-(?:src|dst)|domain|hostname|url|uri|md5|sha1|sha256)$/;

const List = z.object({
  name: z.string().min(1),
  description: z.string().default(''),
  type: z.enum(['cidr', 'hostname', 'string', 'substring', 'regex']),
  category: z.enum(WARNING_CATEGORIES).optional().catch(undefined),
  version: z.union([z.int(), z.string()]).nullish(),
  matching_attributes: z.array(z.string()).default([]),
  list: z.array(z.string()).max(MAX_LIST_VALUES),
});

/** MISP warning lists: what is well known and therefore often reported by mistake. Lists of other things than indicators are left out. */
export const warninglistsFeed: Feed<'warning_list'> = {
  id: 'warninglists',
  kind: 'warning_list',
  title: 'MISP warning lists',
  addresses: ['https://codeload.github.com/MISP/misp-warninglists/zip/refs/heads/'],
  folder: 'warninglists',
  everyHours: 24,
  maxBytes: 64 * 1024 * 1024,
  maxUnpackedBytes: 512 * 1024 * 1024,
  staleAfterDays: null,
  async files(upstream) {
    const paths = upstream.layout === 'origin' ? ['main'] : [ARCHIVE];
    return [feedFile(ARCHIVE, { open: (validator) => openFirstExisting(upstream, paths, validator) })];
  },
  async *parse(bytes, _file, reporter) {
    const limits = { ...warninglistsFeed, maxEntries: 5000 };
    let lists = 0;
    let values = 0;
    let newest = '';
    for await (const { name, bytes: content } of unzip(bytes, limits)) {
      const id = LIST.exec(name)?.[1];
      if (id === undefined) continue;
      const list = List.safeParse(await readJson(content, MAX_LIST_BYTES));
      if (!list.success) {
        reporter.skip(id, firstIssue(list.error));
        continue;
      }
      lists++;
      const entry = entryOf(id, list.data);
      if (entry === null) continue;
      values += entry.values.length + entry.patterns.length;
      if ((entry.as_of ?? '') > newest) newest = entry.as_of!;
      yield [entry];
    }
    if (lists === 0) throw new FeedFormatError('no warning list in the archive');
    reporter.setRecordCount(values);
    if (newest !== '') reporter.setDataTime(newest);
  },
};

/** Null: no value of it can be an indicator that is asked for here. */
function entryOf(id: string, { name, description, type, category, version, ...list }: z.output<typeof List>) {
  const attributes = list.matching_attributes;
  if (attributes.length > 0 && !attributes.some((attribute) => OUR_ATTRIBUTES.test(attribute))) return null;
  const values: WarningValue[] = [];
  const patterns: WarningPattern[] = [];
  for (const text of list.list) {
    const value = type === 'regex' ? null : readWarningValue(text, type);
    const pattern = value === null && patterns.length < MAX_PATTERNS ? readWarningPattern(text, type) : null;
    if (value !== null) values.push(value);
    else if (pattern !== null) patterns.push(pattern);
  }
  if (values.length + patterns.length === 0) return null;
  const entry: WarningListEntry = {
    id,
    name: displayLine(name, 120).replace(/\.$/, ''),
    description: displayLine(description, 200),
    category: category ?? (KNOWN_LISTS.has(id) ? 'known' : 'false_positive'),
    as_of: dayOfVersion(version),
    values,
    patterns,
  };
  return entry;
}

/** Versions are days (`20260811`) or numbers that count up. */
function dayOfVersion(version: number | string | null | undefined): string | null {
  const [, year, month, day] = /^(20\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])$/.exec(String(version ?? '')) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}
