import { z } from 'zod';
import { registrableDomain } from '../../../analysis/domain-name.ts';
import { displayText } from '../../../analysis/display-text.ts';
import { assessTakeover, type Takeover } from '../../../analysis/dns/assess-takeover.ts';
import { findTakeoverService } from '../../../analysis/dns/takeover-services.ts';
import { nameExists } from '../../../net/dns/answer.ts';
import { dns } from '../../../sources/dns.ts';
import type { DnsSweepResult } from '../../../sources/dns-sweep.ts';
import { site } from '../../../sources/site/site.ts';
import type { Context } from '../../../engine/context.ts';
import { ForeignText } from '../../../engine/foreign-text.ts';

/** Domains of aliases that are asked about, and sites that are fetched, at most. */
const MAX_DOMAINS = 40;
const MAX_SITES = 10;
/** A file that sites have or not: where nobody has claimed the name, the service answers with its own page. */
const ASKED_FILE = '/.well-known/security.txt';
const CERTAINTY_ORDER: Readonly<Record<Takeover['certainty'], number>> = { high: 0, medium: 1, low: 2 };

export const TakeoverRow = z.object({
  name: ForeignText,
  alias: ForeignText.meta({ description: 'The last name of its chain of aliases.' }),
  service: z.string().nullable().meta({ description: 'Null: the alias leads to no known service.' }),
  certainty: z.enum(['high', 'medium', 'low']).meta({
    description:
      'high: unclaimed, and anybody can claim it; medium: unclaimed at a service that may ask for proof; low: the target of the alias does not exist.',
  }),
  evidence: z.string(),
});

type TakeoverRow = z.output<typeof TakeoverRow>;

/** Names that somebody else may be able to take over, by what they are aliases of; the most certain first. */
export async function findTakeovers(
  context: Context,
  aliases: DnsSweepResult['aliases'],
  zone: string,
): Promise<TakeoverRow[]> {
  const outside = Object.entries(aliases).filter(
    ([, { alias }]) => registrableDomain(alias) !== registrableDomain(zone),
  );
  const dead = outside.filter(([, { exists }]) => !exists);
  const served = outside.filter(([, { alias, exists }]) => exists && findTakeoverService(alias)?.pageText != null);
  if (dead.length > MAX_DOMAINS || served.length > MAX_SITES)
    context.evidence.addGap(
      `of ${outside.length} names that are aliases of names elsewhere, ${Math.min(dead.length, MAX_DOMAINS) + Math.min(served.length, MAX_SITES)} were looked at for a takeover`,
    );
  const rows = await Promise.all([
    ...dead.slice(0, MAX_DOMAINS).map(async ([name, { alias }]) => {
      const registrableExists = await domainExists(context, registrableDomain(alias));
      return toRow(name, alias, assessTakeover({ alias, exists: false, registrableExists, pageText: null }));
    }),
    ...served.slice(0, MAX_SITES).map(async ([name, { alias }]) => {
      const pageText = await readErrorPage(context, name);
      return toRow(name, alias, assessTakeover({ alias, exists: true, registrableExists: null, pageText }));
    }),
  ]);
  return rows.flat().sort((a, b) => CERTAINTY_ORDER[a.certainty] - CERTAINTY_ORDER[b.certainty]);
}

function toRow(name: string, alias: string, takeover: Takeover | null): TakeoverRow[] {
  return takeover === null ? [] : [{ name: displayText(name, 253), alias: displayText(alias, 253), ...takeover }];
}

async function domainExists(context: Context, domain: string | null): Promise<boolean | null> {
  if (domain === null) return null;
  const outcome = await context.askUnrecorded(dns, { name: domain, type: 'NS' });
  return outcome.status === 'ok' ? nameExists(outcome.found) : null;
}

async function readErrorPage(context: Context, name: string): Promise<string | null> {
  const question = { url: `http://${name}/`, files: [ASKED_FILE], probes: [], plain: false };
  const outcome = await context.askUnrecorded(site, question);
  if (outcome.status !== 'ok') return null;
  const { files, page } = outcome.found;
  return [files[ASKED_FILE]?.excerpt ?? '', page?.title ?? ''].join('\n');
}
