import type { DescribedField } from '../../engine/describe-schema.ts';
import type { Operation } from '../../engine/operation.ts';
import { locationOf } from '../../engine/route.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { inline } from './prose.ts';

/** What an operation takes, a field a row. */
export function inputTable(operation: Operation, fields: readonly DescribedField[]): Html {
  const hasRoute = operation.route !== null;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Input"><table><thead><tr><th scope="col">Field</th>${hasRoute && html`<th scope="col">In</th>`}<th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${fields.map((field) => {
    const place = locationOf(operation, field.name);
    const isRequired = field.required || place === 'path';
    return html`<tr id="input-${field.name}"><th scope="row"><code>${field.name}</code>${isRequired && html`<br><span class="note">required</span>`}</th>${hasRoute && html`<td>${place}</td>`}<td>${typeOf(field)}</td><td>${field.description !== null && inline(field.description)}${field.fields.length > 0 && answerFields(field.fields)}</td></tr>
`;
  })}</tbody></table></div>`;
}

/** Fields of an answer; those of objects in it are folded. */
export function answerFields(fields: readonly DescribedField[]): Html {
  return html`<ul class="fields">${fields.map(
    (field) =>
      html`<li><code>${field.name}</code> <span class="note">${typeOf(field)}${!field.required && ', not always'}</span>${field.description !== null && html` ${inline(field.description)}`}${field.fields.length > 0 && html`<details><summary>${field.fields.length} ${field.fields.length === 1 ? 'field' : 'fields'} of <code>${field.name}</code></summary>${answerFields(field.fields)}</details>`}</li>
`,
  )}</ul>`;
}

function typeOf({ type, limits, choices, defaultValue }: DescribedField): HtmlValue {
  const kind =
    choices.length > 0
      ? `${type.startsWith('list') ? 'list of: ' : ''}${choices.join(', ')}${type.endsWith(' or null') ? ' or null' : ''}`
      : type;
  return html`${kind}${limits !== null && `, ${limits}`}${defaultValue !== null && html`; default <code>${defaultValue}</code>`}`;
}
