import type { DescribedField } from '../../engine/describe-schema.ts';
import { hasBody, locationOf, parseRoute, type RestOperation, routeTemplate } from '../../engine/route.ts';
import { html, type Html } from '../html.ts';

/**
 * A form that asks an operation. A script shows the answer below; without one a GET leads to the REST path, and other methods are left to
 * the curl command of the example.
 */
export function tryForm(operation: RestOperation, fields: readonly DescribedField[]): Html {
  const { method, path } = parseRoute(operation.route);
  const example = (operation.examples[0]?.input ?? {}) as Readonly<Record<string, unknown>>;
  const isBody = ({ name }: DescribedField): boolean => locationOf(operation, name) === 'body';
  const body = Object.fromEntries(
    fields.filter(isBody).flatMap(({ name }) => (name in example ? [[name, example[name]]] : [])),
  );
  const controls = fields
    .filter((field) => !isBody(field))
    .map((field) => control(operation, field, example[field.name]));
  const isGet = method === 'GET';
  return html`<form class="try" action="${isGet ? `/docs/${operation.id}/try` : `/docs/${operation.id}`}" data-try="${method} ${routeTemplate(path)}">
<div class="form">${controls}</div>
${hasBody(method) && html`<label for="try-body">Body, as JSON</label><textarea id="try-body" data-try-body rows="6" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea>`}
<p class="form"><label class="needs-scripts">Key, if you have one; it is not kept <input type="password" data-try-key autocomplete="off" maxlength="200"></label> <button${!isGet && html` class="needs-scripts"`}>Ask</button></p>
${!isGet && html`<noscript><p class="note">This form needs scripts. The curl command above asks the same.</p></noscript>`}
</form>
<div id="try-answer" aria-live="polite"></div>`;
}

function control(operation: RestOperation, field: DescribedField, value: unknown): Html {
  const { name, choices, type, required } = field;
  const isRequired = required || locationOf(operation, name) === 'path';
  const options = type.startsWith('true or false') ? ['true', 'false'] : choices;
  const given = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  if (options.length > 0 && !type.startsWith('list')) {
    return html`<label>${name} <select name="${name}"><option value=""></option>${options.map((option) => html`<option${option === given && html` selected`}>${option}</option>`)}</select></label>`;
  }
  return html`<label>${name} <input name="${name}" value="${given}"${isRequired && html` required`} maxlength="2000" autocomplete="off" spellcheck="false"></label>`;
}
