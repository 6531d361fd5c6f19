import { isoDay } from '../../analysis/iso-time.ts';
import { affectedCheck } from '../../operations/cve/affected-check.ts';
import { formatCount, formatPercent } from '../../engine/summary.ts';
import { html } from '../html.ts';
import { link, paths, withQuery } from '../links.ts';
import type { PageContent, PageContext } from '../page.ts';
import { exploitedBadge, severityBadge } from '../parts/severity.ts';
import { watchLink } from '../parts/watch-link.ts';
import { known, stateNote } from '../parts/states.ts';
import { packageForm, productForm } from './check-form.ts';

const MAX_ROWS = 50;
const STATUS_TEXTS = { affected: 'affected', not_affected: 'not affected', unknown: 'not known' } as const;

/** Which CVEs affect one version of a product, and why. */
export async function productPage(
  product: string,
  version: string | undefined,
  context: PageContext,
): Promise<PageContent> {
  const input = { product, ...(version !== undefined && version !== '' && { version }), limit: MAX_ROWS };
  const { counts, results, total, summary, verdict } = await context.ask(affectedCheck, input);
  const age = verdict.data_age_seconds;
  const ofDay = age === null ? '' : `, by data of ${isoDay(context.now.getTime() - age * 1000)} and later`;
  const subject = [product, version].filter(Boolean).join(' ');
  const sentence =
    total === 0
      ? `Not known: no source names ${subject}`
      : `${subject}: ${counts.affected === 0 ? `no CVE ${counts.unknown > 0 ? 'is certain to affect' : 'is known to affect'} it${ofDay}` : `affected by ${formatCount(counts.affected, 'CVE')}`}`;
  return {
    title: sentence,
    description: summary,
    main: html`<h1>${sentence}</h1>
<ul class="verdict"><li>${counts.affected} affected</li><li>${counts.not_affected} not affected</li><li>${counts.unknown} not known</li></ul>
${
  total === 0
    ? stateNote(
        'empty',
        'No source names this product',
        'That is no sign that nothing affects it. Try the name of its CPE or package.',
      )
    : html`<section id="cves"><h2>What affects it first, then by exploitation</h2>
${total > results.length && html`<p class="note">The first ${results.length} of ${total}.</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="CVEs of this product"><table data-rows>
<thead><tr><th scope="col">CVE</th><th scope="col">This version</th><th scope="col">Severity</th><th scope="col" class="number">EPSS</th><th scope="col">Exploited</th><th scope="col">Fixed in</th><th scope="col">Why</th></tr></thead>
<tbody>${results.map(
        ({ cve_id, status, severity, epss, kev, fixed_in, reason }) =>
          html`<tr><th scope="row"><span class="id">${link(withQuery(paths.cve(cve_id), { product, version }), cve_id)}</span></th><td>${STATUS_TEXTS[status]}</td><td>${severityBadge(severity)}</td><td class="number">${epss.score === null ? known(null) : formatPercent(epss.score)}</td><td>${kev.in_kev === null ? known(null) : kev.in_kev ? exploitedBadge() : 'not known to be'}</td><td>${fixed_in ?? known(null)}</td><td>${reason}</td></tr>
`,
      )}</tbody></table></div></section>`
}
<p>${watchLink({ product, version })}</p>
<section id="version"><h2>Another version</h2>${productForm({ product, version: version ?? '' })}${packageForm()}</section>`,
  };
}
