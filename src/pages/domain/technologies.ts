import type { z } from 'zod';
import { type DomainFinding, type PartVerdict, technologiesVerdict } from '../../analysis/domain-verdict.ts';
import { compareSeverity } from '../../analysis/severity.ts';
import { describeExtent } from '../../engine/catalog-extent.ts';
import { formatCount, formatPercent } from '../../engine/summary.ts';
import type { domainVulns } from '../../operations/web/domain-vulns.ts';
import { html, join, type Html } from '../html.ts';
import { link, paths } from '../links.ts';
import { exploitedBadge, severityBadge } from '../parts/severity.ts';
import { known } from '../parts/states.ts';

export type TechnologiesAnswer = z.output<(typeof domainVulns)['output']>;
type Product = TechnologiesAnswer['vulnerabilities'][number];

const SHOWN_CVES = 3;
const BACKPORTS =
  'Judged by the version that is shown: a distribution may have mended an old version without changing its number.';

/** Whether what the site is made with has known holes. */
export function judgeTechnologies({ technologies, vulnerabilities, catalog }: TechnologiesAnswer): PartVerdict {
  return technologiesVerdict({
    found: technologies.length,
    rows: vulnerabilities,
    ended: technologies.filter(({ support }) => support?.is_supported === false).length,
    isStarter: catalog.is_starter,
  });
}

/** Technologies whose detected version has CVEs, then those that get no more fixes. */
export function technologyFindings(answer: TechnologiesAnswer): DomainFinding[] {
  const vulnerable = vulnerableFindings(answer);
  const ids = new Set(vulnerable.map(({ id }) => id));
  return [...vulnerable, ...answer.technologies.flatMap(endedFinding).filter(({ id }) => !ids.has(id))];
}

/** A release without support is a finding, whichever CVEs the catalog has of it. */
function endedFinding({ name, version, support }: TechnologiesAnswer['technologies'][number]): DomainFinding[] {
  if (support?.is_supported !== false) return [];
  return [
    {
      id: `technologies.${slug(name)}`,
      part: 'technologies',
      severity: 'MEDIUM',
      exploited: false,
      cves: [],
      title: `${name} ${version} gets no more security fixes`,
      why: 'What is found in it from now on stays open. A distribution may still mend it on its own.',
      fix: `${name} ${support.cycle} has ended: move to a supported release.`,
      paste: null,
      guide: null,
      evidence: `${name} ${version}: ${endText(support.ends_at)}`,
      reference: null,
    },
  ];
}

function vulnerableFindings({ vulnerabilities }: TechnologiesAnswer): DomainFinding[] {
  return vulnerabilities
    .filter(({ version_unknown, cve_count }) => !version_unknown && cve_count > 0)
    .map((product) => {
      const { technology, version, cve_count, cves, support } = product;
      const exploited = cves.filter(({ in_kev }) => in_kev === true);
      const worst = cves.map(({ severity }) => severity ?? 'UNKNOWN').toSorted(compareSeverity)[0] ?? 'UNKNOWN';
      const deadline = cves.flatMap(({ action }) => action?.deadline ?? []).toSorted()[0];
      return {
        id: `technologies.${slug(technology)}`,
        part: 'technologies',
        severity: worst,
        exploited: exploited.length > 0,
        cves: [...new Set([...exploited, ...cves].map(({ cve_id }) => cve_id))].slice(0, SHOWN_CVES),
        title: `${technology} ${version} has ${formatCount(cve_count, 'known CVE')}`,
        why: BACKPORTS,
        fix: `${fixText(product)}${deadline === undefined ? '' : ` First deadline: ${deadline}.`}`,
        paste: null,
        guide: null,
        evidence: support?.is_supported === false ? `${technology} ${version}: ${endText(support.ends_at)}` : null,
        reference: null,
      };
    });
}

function fixText({ technology, update, cve_count, support }: Product): string {
  const move =
    support?.is_supported === false
      ? ` ${technology} ${support.cycle} gets no more fixes: move to a supported release.`
      : '';
  if (update === null) return move === '' ? 'No source names a fixed release: ask the maker.' : move.trim();
  return `Update to ${update.version} or later: ${updateScope(update, cve_count)}.${move}`;
}

/** What the update ends, and what it leaves. */
function updateScope({ fixes, still_affected }: NonNullable<Product['update']>, count: number): string {
  const ends =
    fixes === count
      ? 'the smallest version that ends all of them'
      : `the smallest version that ends all with a known fix, ${fixes} of the ${count}`;
  if (still_affected === 0) return ends;
  return `${ends}; ${formatCount(still_affected, 'CVE')} ${still_affected === 1 ? 'affects' : 'affect'} it, too`;
}

function endText(day: string | null): string {
  return day === null ? 'no more security fixes' : `no security fixes since ${day}`;
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** What the site is made with, and the CVEs of that. */
export function drawTechnologies(answer: TechnologiesAnswer): Html {
  const { technologies, vulnerabilities, catalog } = answer;
  const rowOf = (name: string): Product | undefined => vulnerabilities.find(({ technology }) => technology === name);
  const ordered = [
    ...vulnerabilities.flatMap(({ technology }) => technologies.filter(({ name }) => name === technology)),
    ...technologies
      .filter(({ name }) => rowOf(name) === undefined)
      .toSorted((a, b) => Number(a.party === 'third') - Number(b.party === 'third')),
  ];
  return html`<h2>Technologies: ${judgeTechnologies(answer).text}</h2>
${ordered.length === 0 ? html`<p>Headers, cookies, the page and the DNS show none of the technologies that are known here.</p>` : technologyTable(ordered, rowOf, catalog)}
<p class="note">CVEs were looked for in ${describeExtent(catalog)}. ${BACKPORTS}</p>`;
}

function technologyTable(
  technologies: TechnologiesAnswer['technologies'],
  rowOf: (name: string) => Product | undefined,
  catalog: TechnologiesAnswer['catalog'],
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Technologies"><table data-rows><thead><tr><th scope="col">Technology</th><th scope="col">Version</th><th scope="col">CVEs</th><th scope="col">Update to</th><th scope="col">Shown by</th></tr></thead><tbody>${technologies.map(
    ({ name, version, category, source, party, cpe, support, cves_looked_up }) => {
      const isOfOthers = party === 'third';
      const row = rowOf(name);
      return html`<tr><th scope="row">${cpe === null ? name : link(paths.product(cpe.vendor, cpe.product), name)} <span class="note">${category}</span>${isOfOthers && html` <span class="tag">another host</span>`}</th>
<td>${known(version)}${support?.is_supported === false && html` <span class="tag">${endText(support.ends_at)}</span>`}</td>
<td>${cveCell(row, { isOfOthers, hasName: cpe !== null, isLookedUp: cves_looked_up }, catalog)}</td><td>${updateCell(row)}</td><td>${source}</td></tr>`;
    },
  )}</tbody></table></div>`;
}

function cveCell(
  row: Product | undefined,
  { isOfOthers, hasName, isLookedUp }: { isOfOthers: boolean; hasName: boolean; isLookedUp: boolean },
  catalog: TechnologiesAnswer['catalog'],
): Html | string {
  if (isOfOthers) return 'not looked up: of a host that the page takes a file from';
  if (!hasName) return 'not looked up: no CPE name';
  if (!isLookedUp)
    return html`<span class="unknown">not looked up: the time was not enough, or there are too many</span>`;
  const none = html`<span class="unknown">none in ${catalog.is_starter ? 'the starter' : 'this'} catalog</span>`;
  if (row === undefined) return none;
  const { cves, cve_count, version_unknown, undecided_count } = row;
  const named = cves
    .slice(0, SHOWN_CVES)
    .map(
      ({ cve_id, severity, cvss_v3, in_kev, epss_score }) =>
        html`${link(paths.cve(cve_id), html`<span class="id">${cve_id}</span>`)} ${severityBadge(severity, cvss_v3)}${in_kev === true && html` ${exploitedBadge()}`}${epss_score !== null && html` <span class="note">EPSS ${formatPercent(epss_score)}</span>`}`,
    );
  return html`${version_unknown ? html`Version not known; ${cve_count} of any version, first:` : cve_count === 0 ? none : formatCount(cve_count, 'CVE')}${named.length > 0 && html`<br>${join(named, html`<br>`)}`}${undecided_count > 0 && html`<br><span class="note">${undecided_count} more cannot be told</span>`}`;
}

function updateCell(row: Product | undefined): Html | string {
  if (row === undefined) return '';
  if (row.update === null) return row.version_unknown ? '' : 'not known';
  const { version, fixes } = row.update;
  return html`<strong>${version}</strong> or later <span class="note">ends ${fixes === row.cve_count ? 'all' : `${fixes} of ${row.cve_count}`}</span>`;
}
