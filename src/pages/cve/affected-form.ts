import { findEcosystem } from '../../analysis/packages/ecosystems.ts';
import { affectedCheck } from '../../operations/cve/affected-check.ts';
import { productName } from '../../analysis/cve/product-name.ts';
import { html, type Html } from '../html.ts';
import { link, paths, withQuery } from '../links.ts';
import type { PageContext } from '../page.ts';
import { errorNote, stateNote } from '../parts/states.ts';
import { vulnerableProducts } from '../../operations/cve/lib/update-advice.ts';
import { type AffectedProduct, type Cve, scorerName } from './answers.ts';

const MAX_CHOICES = 200;
/** A longer name is no product that somebody looks for. */
const MAX_CHOICE_CHARACTERS = 200;

/** What the form was asked: a product of the list (or a package URL in its place) with a version, or a whole package URL. */
export interface AffectedQuestion {
  readonly product: string;
  readonly version: string;
  readonly purl: string;
}

/** Reads `?product=apache:log4j&version=2.14.1` or `?purl=pkg:...`. */
export function readAffectedQuestion(query: URLSearchParams): AffectedQuestion {
  const read = (name: string): string => query.get(name)?.trim() ?? '';
  return { product: read('product'), version: read('version'), purl: read('purl') };
}

/** "Is my version affected?", answered below the form by the operation that decides it. */
export async function affectedSection(cve: Cve, question: AffectedQuestion, context: PageContext): Promise<Html> {
  const { product, version, purl } = question;
  const isAsked = purl !== '' || (product !== '' && version !== '');
  return html`<section id="affected"><h2>Is my version affected?</h2>
<form class="form" action="#affected" method="get">${productField(cve, product)}
<label>Version <input name="version" value="${version}" maxlength="100" placeholder="such as 2.14.1" autocomplete="off" spellcheck="false"></label>
<label>or a package URL <input name="purl" value="${purl}" size="28" maxlength="512" placeholder="pkg:npm/lodash@4.17.20" autocomplete="off" spellcheck="false"></label>
<button>Check</button></form>
${isAsked ? await answer(cve, question, context) : product !== '' && stateNote('empty', 'Which version?', 'A product is chosen, its version is not given.')}</section>`;
}

function productField(cve: Cve, chosen: string): Html {
  const choices = new Map(
    vulnerableProducts(cve).flatMap(([name, rows]) => {
      const value = choiceOf(rows[0]!);
      return value === null || value.length > MAX_CHOICE_CHARACTERS ? [] : [[value, name] as const];
    }),
  );
  if (choices.size === 0)
    return html`<label>Product <input name="product" value="${chosen}" maxlength="200" autocomplete="off" spellcheck="false"></label>`;
  const shown = [...choices].slice(0, MAX_CHOICES);
  if (chosen !== '' && !shown.some(([value]) => value === chosen))
    shown.unshift([chosen, choices.get(chosen) ?? chosen]);
  return html`<label>Product <select name="product">${shown.map(([value, name]) => html`<option value="${value}"${value === chosen && html` selected`}>${name}</option>`)}</select></label>`;
}

/** `apache:log4j`, or a package URL without version; null where a row names neither. */
function choiceOf({ vendor, product, ecosystem, cpe }: AffectedProduct): string | null {
  if (product === null) return null;
  const purlType = ecosystem === null ? undefined : findEcosystem(ecosystem)?.purlType;
  if (purlType !== undefined) {
    const path = purlType === 'maven' ? product.replace(':', '/') : product;
    return `pkg:${purlType}/${path.split('/').map(encodeURIComponent).join('/')}`;
  }
  return cpe === null && vendor === null ? null : `${vendor ?? ''}:${product}`;
}

async function answer({ cve_id }: Cve, question: AffectedQuestion, context: PageContext): Promise<Html> {
  const { answer: checked, error } = await context.tryAsk(affectedCheck, { ...subjectOf(question), cve_ids: [cve_id] });
  if (error !== null) return errorNote(error, 'Whether it is affected');
  const [result] = checked.results;
  if (result === undefined)
    return stateNote(
      'empty',
      'No record of this CVE names that product',
      'That is not a sign that it is not affected: names differ between sources. Choose one of the list, or give a package URL.',
    );
  const { status, reason, rule, fixed_in } = result;
  const all = allOf(question);
  const source =
    rule.source === null ? null : html`<p class="note">${scorerName(rule.source).toUpperCase()}, ${rule.text}</p>`;
  const fix = fixed_in === null ? null : html` Fixed in <b>${fixed_in}</b>.`;
  if (status === 'unknown')
    return html`${stateNote('partial', 'Not known whether it is affected', html`${reason}.${fix}`)}${source}${all}`;
  return html`<div class="state answer-${status === 'affected' ? 'yes' : 'no'}"><p><strong>${status === 'affected' ? 'Affected.' : 'Not affected.'}</strong> ${reason}.${fix}</p>${source}</div>${all}`;
}

/** Back to all CVEs of the version. */
function allOf({ product, version, purl }: AffectedQuestion): Html | null {
  const url = purl !== '' ? purl : product.startsWith('pkg:') ? `${product}@${version}` : null;
  if (url !== null) return html`<p>${link(withQuery('/check', { purl: url }), 'All known flaws of this package')}</p>`;
  const [, vendor = '', name = ''] = /^([^:]+):(.+)$/s.exec(product) ?? [];
  if (vendor === '') return null;
  const page = withQuery(paths.product(vendor, name), { version });
  return html`<p>${link(page, `All CVEs and ${productName({ vendor, product: name })} ${version}`)}</p>`;
}

function subjectOf({ product, version, purl }: AffectedQuestion) {
  if (purl !== '') return version === '' || /@[^/]+$/.test(purl) ? { purl } : { purl, version };
  if (product.startsWith('pkg:')) return { purl: product, version };
  const [, vendor = '', name = product] = /^([^:]*):(.+)$/s.exec(product) ?? [];
  return { vendor: vendor === '' ? undefined : vendor, product: name, version };
}
