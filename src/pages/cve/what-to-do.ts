import { formatCount } from '../../engine/summary.ts';
import { ACTION_RULES, supportAdvice, updateAdvice, URGENCY_WORDS } from '../../operations/cve/lib/update-advice.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { type AskedVersion, pageOfProduct } from '../asked-version.ts';
import { foreignLink, link } from '../links.ts';
import { productName } from '../../analysis/cve/product-name.ts';
import type { Cve, RiskScore } from './answers.ts';

const DAY_MS = 86_400_000;

/** What to do and by when, for assets that are exposed to the internet and for others. */
export function whatToDo(
  cve: Cve,
  exposed: RiskScore,
  internal: RiskScore,
  now: Date,
  asked: AskedVersion | null = null,
): Html {
  const isAlike =
    exposed.action.urgency === internal.action.urgency && exposed.action.deadline === internal.action.deadline;
  const rows: [string, HtmlValue][] = isAlike
    ? [['Any asset', deadline(exposed, now)]]
    : [
        ['Exposed asset', deadline(exposed, now)],
        ['Other asset', deadline(internal, now)],
      ];
  const support = supportAdvice(cve, now);
  if (support !== null) rows.push(['End of life', support]);
  if (cve.fix.versions.length > 0)
    return doSection(cve, [...rows, ...demands(cve), ['Other flaws', otherFlaws(cve, asked)]]);
  return doSection(cve, [...rows, ...demands(cve)]);
}

/** The same from the record alone, which has the deadline of one kind of asset. */
export function whatToDoByRecord(cve: Cve, now: Date): Html {
  const { exposed } = cve.action;
  const asset = exposed === null ? 'By when' : exposed ? 'Exposed asset' : 'Other asset';
  return doSection(cve, [[asset, describeDeadline(cve.action, now)], ...demands(cve)]);
}

function demands({ required_action, kev, fix }: Cve): [string, HtmlValue][] {
  const due = kev.due_date !== null && html` Due <b class="day">${kev.due_date}</b>.`;
  return [
    ...(required_action === null ? [] : ([['CISA requires', [required_action, due]]] as [string, HtmlValue][])),
    ...(fix.url === null ? [] : ([[FIX_LINKS[fix.kind], foreignLink(fix.url)]] as [string, HtmlValue][])),
  ];
}

function doSection(cve: Cve, rows: readonly (readonly [string, HtmlValue])[]): Html {
  return html`<section class="do" id="do"><h2>${cve.rejected ? 'Nothing to do: the id must not be used' : updateAdvice(cve)}</h2>
${cve.rejected && html`<p>What it named may have another id; the reason says so where there is one.</p>`}
${!cve.rejected && html`<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}<dt>Why</dt><dd>${cve.action.reason}</dd></dl>`}</section>`;
}

/** A release that mends this CVE may have others: the page of the product tells which one mends all. */
function otherFlaws(cve: Cve, asked: AskedVersion | null): HtmlValue {
  const named = cve.affected_products.find(({ vulnerable, vendor, product }) => vulnerable && vendor && product);
  const page =
    named === undefined ? null : link(pageOfProduct(named.vendor!, named.product!, asked), productName(named));
  return page === null
    ? 'These releases mend this CVE; they may have other flaws.'
    : ['These releases mend this CVE; they may have other flaws, which the page of ', page, ' tells for each version.'];
}

const FIX_LINKS = {
  commit: 'The change',
  release: 'The fix',
  advisory: 'The advisory',
  none_known: 'The nearest',
} as const;

function deadline({ action, recommendation }: RiskScore, now: Date): Html {
  return html`${describeDeadline(action, now)}. ${recommendation}`;
}

function describeDeadline({ urgency, deadline: day, rule }: Cve['action'], now: Date): Html {
  if (day === null) return html`<b>${URGENCY_WORDS[urgency]}</b>, no rule sets a day`;
  const left = Math.ceil((Date.parse(day) - now.getTime()) / DAY_MS);
  const distance =
    left < 0 ? `overdue by ${formatCount(-left, 'day')}` : left === 0 ? 'today' : `${formatCount(left, 'day')} left`;
  return html`<b>${URGENCY_WORDS[urgency]}, by <span class="day">${day}</span></b> (${distance}; ${ACTION_RULES[rule]})`;
}
