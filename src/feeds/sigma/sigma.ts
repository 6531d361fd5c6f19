import { z } from 'zod';
import type { DocumentEntry } from '../entries.ts';
import { type Feed, feedFile, FeedFormatError, type ParseReporter } from '../feed.ts';
import { firstIssue, parseUtcTime } from '../fields.ts';
import { readBytesUpTo, unzip, type ZipEntry } from '../unpack.ts';
import type { Upstream } from '../upstream.ts';
import { ruleLinks, parseRule, type SigmaRule } from './rule.ts';
import { isMapping, boundedText } from './yaml-values.ts';
import { parseYamlDocuments } from './yaml.ts';

const FILE_NAME = 'sigma_all_rules.zip';
const MAX_FILES = 50_000;
/** The largest known rule has 295 KB. */
const MAX_RULE_BYTES = 2 * 1024 * 1024;
const MAX_PATH_CHARACTERS = 500;
/** Length of the part of a rule's values that is indexed for search. */
const MAX_SEARCHED_VALUE_CHARACTERS = 8000;

const Release = z.object({
  tag_name: z.string().min(1),
  assets: z.array(z.object({ name: z.string(), browser_download_url: z.url() })),
});

/** SigmaHQ's detection rules: the zip of all rules in a release. */
export const sigmaFeed: Feed<'document'> = {
  id: 'sigma',
  kind: 'document',
  title: 'SigmaHQ detection rules',
  addresses: ['https://api.github.com/repos/SigmaHQ/sigma/'],
  folder: 'sigma',
  everyHours: 24,
  maxBytes: 64 * 1024 * 1024,
  maxUnpackedBytes: 256 * 1024 * 1024,
  staleAfterDays: null,
  async files(upstream) {
    const { path, fingerprint } =
      upstream.layout === 'origin' ? await latestRelease(upstream) : { path: FILE_NAME, fingerprint: null };
    return [feedFile(FILE_NAME, { path, fingerprint })];
  },
  async *parse(bytes, _file, reporter) {
    const skip: SkipReporter = (what, why) =>
      reporter.skip(boundedText(what, 200) ?? '?', boundedText(why, 200) ?? '?');
    const limits = { ...sigmaFeed, maxEntries: MAX_FILES };
    const seen = new Set<string>();
    let sawRuleFile = false;
    for await (const file of unzip(bytes, limits)) {
      if (file.name === 'version.txt') setVersionNotes((await readRuleText(file)) ?? '', reporter);
      if (!/\.ya?ml$/i.test(file.name)) continue;
      sawRuleFile = true;
      const entries: DocumentEntry[] = [];
      for (const rule of parseRuleFile(file.name, await readRuleText(file), skip)) {
        if (seen.has(rule.rule_id)) {
          skip(file.name, `its id ${rule.rule_id} is that of a rule before it`);
          continue;
        }
        seen.add(rule.rule_id);
        entries.push(entryOf(rule));
      }
      yield entries;
    }
    if (!sawRuleFile) throw new FeedFormatError('no .yml file in the zip');
  },
};

async function latestRelease(upstream: Upstream): Promise<{ path: string; fingerprint: string }> {
  const answer = await upstream.readJson('releases/latest');
  const release = Release.safeParse(answer?.body);
  if (!release.success) throw new FeedFormatError(`not a GitHub release: ${firstIssue(release.error)}`);
  const asset = release.data.assets.find(({ name }) => name === FILE_NAME);
  if (asset === undefined) throw new FeedFormatError(`release ${release.data.tag_name} has no ${FILE_NAME}`);
  return { path: asset.browser_download_url, fingerprint: release.data.tag_name };
}

type SkipReporter = (what: string, why: string) => void;

/** The text of a file; null if it is too large. */
async function readRuleText(file: ZipEntry): Promise<string | null> {
  const content = await readBytesUpTo(file.bytes, MAX_RULE_BYTES);
  return content === null ? null : new TextDecoder().decode(content);
}

/** The rules of a file, usually one. Documents that are not rules are skipped with the reason. */
function* parseRuleFile(path: string, text: string | null, skip: SkipReporter): Iterable<SigmaRule> {
  let documents: unknown[];
  try {
    if (path.length > MAX_PATH_CHARACTERS) throw new Error(`a path of more than ${MAX_PATH_CHARACTERS} characters`);
    if (text === null) throw new Error(`larger than ${MAX_RULE_BYTES} bytes`);
    documents = parseYamlDocuments(text);
    if (documents.length === 0) throw new Error('empty');
  } catch (error) {
    skip(path, messageOf(error));
    return;
  }
  const isCollection = documents.some((document) => isMapping(document) && 'action' in document);
  for (const [index, document] of documents.entries()) {
    const what = documents.length === 1 ? path : `${path}, document ${index + 1}`;
    try {
      if (isCollection) throw new Error('part of a rule collection (action:), which Sigma no longer supports');
      yield parseRule(document, path);
    } catch (error) {
      skip(what, messageOf(error));
    }
  }
}

function entryOf(rule: SigmaRule): DocumentEntry {
  const { rule_id, title, description, author, logsource, detection, cve_ids } = rule;
  // Without their namespaces: almost every rule has a tag that begins with `attack.`, so the word is useless in a search.
  const tags = rule.tags.map((tag) => tag.slice(tag.indexOf('.') + 1));
  const { product, category, service, definition } = logsource;
  const values = [...valueTexts(detection.selections)].join('\n').slice(0, MAX_SEARCHED_VALUE_CHARACTERS);
  const text = [description, author, ...tags, ...cve_ids, product, category, service, definition, values];
  return {
    collection: 'sigma_rule',
    id: rule_id,
    title,
    text: text.filter((part) => part !== null).join('\n'),
    links: ruleLinks(rule),
    body: rule,
  };
}

function* valueTexts(value: unknown): Iterable<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* valueTexts(inner);
}

/** `Release Date: 2026-08-05`, `Label: r2026-07-01`, one a line. */
function setVersionNotes(text: string, reporter: ParseReporter): void {
  const label = /^Label:\s*(\S{1,100})\s*$/m.exec(text)?.[1];
  const date = parseUtcTime(/^Release Date:\s*(\d{4}-\d{2}-\d{2})\s*$/m.exec(text)?.[1]);
  if (label !== undefined) reporter.setNote('version', label);
  if (date !== null) reporter.setDataTime(date);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
