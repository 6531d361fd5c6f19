import { markdownToLine, truncateAtWord } from '../../analysis/display-text.ts';
import { formatCount, formatPercent } from '../../engine/summary.ts';
import { html, join, type Html } from '../html.ts';
import { link } from '../links.ts';
import { exploitedBadge, severityBadge } from '../parts/severity.ts';
import { type Cve, scorerName } from './answers.ts';
import { inNumberOrder } from '../../operations/cve/lib/update-advice.ts';

const MAX_TITLE_CHARACTERS = 110;
/** Up to a full stop before a capital letter or the end; shorter ones are abbreviations. */
const FIRST_SENTENCE = /^(.{30,}?)\.(?:\s+(?=\p{Lu})|$)/u;
/** How every description of the Linux kernel begins, before what tells one from another. */
const KERNEL_PREAMBLE = /^In the Linux kernel, the following vulnerability has been resolved:/;

/** Is it bad: the facts in the order in which one asks, each with who says so. `trend`: the EPSS over time, drawn small. */
export function verdictStrip(cve: Cve, trend: Html | null): Html {
  const items = cve.rejected
    ? []
    : [
        severityItem(cve),
        exploitationItem(cve),
        epssItem(cve, trend),
        ssvcItem(cve),
        fixItem(cve),
        supportItem(cve),
        vexItem(cve),
      ];
  const tags = cve.tags.map((tag) => html`<span class="tag">${tag.replaceAll('-', ' ')}</span>`);
  const all = [...items, ...tags].filter((item) => item !== null);
  return html`${all.length > 0 && html`<ul class="verdict">${all.map((item) => html`<li>${item}</li>`)}</ul>`}`;
}

/** The title, else the first sentence of the description. Null: no source has one, or it would be the reason of a rejection. */
export function titleOf({
  title,
  description,
  rejected,
}: Pick<Cve, 'title' | 'description' | 'rejected'>): string | null {
  if (rejected) return null;
  const text = title ?? (description === null ? null : firstSentence(description));
  return text === null ? null : truncateAtWord(text, MAX_TITLE_CHARACTERS);
}

function firstSentence(description: string): string {
  const text = markdownToLine(description).replace(KERNEL_PREAMBLE, 'Linux kernel:');
  return FIRST_SENTENCE.exec(text)?.[1] ?? text;
}

/** `critical 10.0, known exploited`: for the title of the page. */
export function shortVerdict({ rejected, severity, severity_source, kev }: Cve): string {
  if (rejected) return 'rejected';
  const score = severity_source?.base_score?.toFixed(1);
  return [
    severity === null ? 'not scored' : [severity.toLowerCase(), score].filter(Boolean).join(' '),
    ...(kev.in_kev === true ? ['known exploited'] : []),
  ].join(', ');
}

function severityItem({ severity, severity_source: scored }: Cve): Html {
  if (scored === null) return html`${severityBadge(null)} <a class="note" href="#scorers">no source has scored it</a>`;
  return html`${severityBadge(severity, scored.base_score)} <a class="note" href="#scorers">${scorerName(scored.scorer)}, CVSS ${scored.version}</a>`;
}

function exploitationItem({ kev, known_ransomware_use, ssvc }: Cve): Html {
  if (kev.in_kev === true)
    return html`${exploitedBadge(kev.date_added)}${known_ransomware_use === true && html` <span class="tag">used in ransomware campaigns</span>`}`;
  const exploit = ssvc?.exploitation === 'poc' ? html`; ${link('#exploits', 'an exploit is public')}` : null;
  if (kev.in_kev === null)
    return html`<span class="unknown">exploited: not known, the catalog of CISA is not loaded</span>${exploit}`;
  return html`not in CISA's known-exploited catalog${exploit}`;
}

function epssItem({ epss }: Cve, trend: Html | null): Html {
  if (epss.score === null) return html`<span class="unknown">EPSS: not scored</span>`;
  const rank = epss.percentile === null ? '' : `; ${formatPercent(epss.percentile)} of CVEs have a lower one`;
  return html`EPSS <b>${formatPercent(epss.score)}</b> <a class="note" href="#epss">within 30 days${rank}</a> ${trend}`;
}

function ssvcItem({ ssvc }: Cve): Html | null {
  if (ssvc === null) return null;
  const { decision, source, automatable, technical_impact } = ssvc;
  return html`SSVC <b>${decision}</b> <span class="note">${source}: ${automatable === 'yes' ? 'automatable' : 'not automatable'}, ${technical_impact} impact</span>`;
}

function fixItem({ patch_available, fix }: Cve): Html {
  if (patch_available === false) return html`<b>no fix exists</b>`;
  if (fix.versions.length > 0) return html`fixed in <b>${inNumberOrder(fix.versions).join(', ')}</b>`;
  return patch_available === true ? html`a fix exists` : html`<span class="unknown">fix: not known</span>`;
}

/** Makers who say that their products have the flaw. */
function vexItem({ vex }: Cve): Html | null {
  if (vex === null || vex.affected === 0) return null;
  return html`VEX: ${link('#vex', `${formatCount(vex.affected, 'product')} affected`)}`;
}

/** Releases among the affected ones that get no fixes any more. */
function supportItem({ affected_products }: Cve): Html | null {
  const ended = affected_products.flatMap(({ support }) =>
    support?.is_supported === false
      ? [`${support.product} ${support.cycle}${support.ends_at === null ? '' : ` (${support.ends_at})`}`]
      : [],
  );
  const names = [...new Set(ended)];
  if (names.length === 0) return null;
  const more = names.length > 2 ? html` and ${link('#products', `${names.length - 2} more`)}` : null;
  return html`End of life: ${join(names.slice(0, 2), ', ')}${more}`;
}
