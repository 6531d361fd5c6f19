import { formatCount } from '../../engine/summary.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { foreignLink, link, paths } from '../links.ts';
import { type Cve, inOrder, oneOf, productName, type RiskScore, vulnerableProducts } from './answers.ts';

const RULES: Readonly<Record<Cve['action']['rule'], string>> = {
  kev_due_date: "CISA's known-exploited catalog",
  cisa_bod_26_04: 'CISA BOD 26-04',
  risk_score: 'the risk score',
  rejected: 'the rejection',
};
const DAY_MS = 86_400_000;

/** What to do and by when, for assets that are exposed to the internet and for others. */
export function whatToDo(cve: Cve, exposed: RiskScore, internal: RiskScore, now: Date): Html {
  const isAlike =
    exposed.action.urgency === internal.action.urgency && exposed.action.deadline === internal.action.deadline;
  const rows: [string, HtmlValue][] = isAlike
    ? [['Exposed or not', deadline(exposed, now)]]
    : [
        ['Exposed asset', deadline(exposed, now)],
        ['Other asset', deadline(internal, now)],
      ];
  const { required_action, kev, fix } = cve;
  if (required_action !== null)
    rows.push([
      'CISA demands',
      [required_action, kev.due_date !== null && html` Due <b class="day">${kev.due_date}</b>.`],
    ]);
  if (fix.url !== null) rows.push([FIX_LINKS[fix.kind], foreignLink(fix.url)]);
  if (fix.versions.length > 0) rows.push(['Other flaws', otherFlaws(cve)]);
  return html`<section class="do" id="do"><h2>${cve.rejected ? 'Nothing to do: this CVE was rejected' : headline(cve)}</h2>
${!cve.rejected && html`<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}<dt>Why</dt><dd>${cve.action.reason}</dd></dl>`}</section>`;
}

/** A release that mends this CVE may have others: the page of the product tells which one mends all. */
function otherFlaws(cve: Cve): HtmlValue {
  const named = cve.affected_products.find(({ vulnerable, vendor, product }) => vulnerable && vendor && product);
  const page = named === undefined ? null : link(paths.product(named.vendor!, named.product!), productName(named));
  return page === null
    ? 'These releases mend this CVE; later ones may mend others.'
    : [
        'These releases mend this CVE; which one mends all that is known of ',
        page,
        ', its page says for your version.',
      ];
}

const FIX_LINKS = {
  commit: 'The change',
  release: 'The fix',
  advisory: 'The advisory',
  none_known: 'The nearest',
} as const;

/** The finding: `Update apache log4j to 2.15.0 or later`. */
export function headline(cve: Cve): string {
  const { patch_available, fix } = cve;
  const [first] = vulnerableProducts(cve);
  const fixed = cve.affected_products.find(
    ({ vulnerable, version_end_excluding }) => vulnerable && version_end_excluding,
  );
  const name = fixed === undefined ? first?.[0] : productName(fixed);
  if (patch_available === false) return 'No fix exists, say its sources: isolate or replace it';
  if (fix.versions.length === 1) return `Update ${name} to ${fix.versions[0]} or later`;
  if (fix.versions.length > 1) return `Update ${name} to ${oneOf(inOrder(fix.versions))}, or later of the same line`;
  if (patch_available === true)
    return `Update${name === undefined ? '' : ` ${name}`}: a fix exists, no source names its version`;
  if (fix.kind === 'advisory') return 'Read the advisory: whether there is a fix is not known here';
  return 'Whether there is a fix is not known: no source names one';
}

function deadline({ action, recommendation }: RiskScore, now: Date): Html {
  const { urgency, deadline: day, rule } = action;
  if (day === null) return html`<b>${urgency}</b>, no rule sets a day. ${recommendation}`;
  const left = Math.ceil((Date.parse(day) - now.getTime()) / DAY_MS);
  const distance =
    left < 0 ? `${formatCount(-left, 'day')} over` : left === 0 ? 'today' : `${formatCount(left, 'day')} left`;
  return html`<b>${urgency}, by <span class="day">${day}</span></b> (${distance}; ${RULES[rule]}). ${recommendation}`;
}
