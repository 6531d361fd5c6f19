import { costText, errorCodesOf } from '../engine/describe-operation.ts';
import { describeFields } from '../engine/describe-schema.ts';
import { asksOutside, needsCaller, type Operation, type OperationInput } from '../engine/operation.ts';
import { locationOf, type RestOperation, routeTemplate } from '../engine/route.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { loadResponseExamples, type ResponseExamples } from '../operations/load-response-examples.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { link } from './links.ts';
import { definePage } from './page.ts';
import { copyBlock } from './parts/evidence-foot.ts';
import { inline } from './parts/prose.ts';
import { answerFields, inputTable } from './parts/schema-fields.ts';
import { tryForm } from './parts/try-form.ts';
import { questionAsCommand, questionAsCurl, questionAsToolCall, questionPath } from './question-text.ts';

/** `/docs/:operation`: what one operation takes and answers, with examples and a form to try it. */
export const docsOperation = definePage({
  path: '/docs/:operation',
  async render({ params, origin }, { operations }) {
    const operation = requireOperation(operations, params.operation ?? '');
    const answer = (await loadResponseExamples())[operation.id];
    const { title, description, route, input, output } = operation;
    const fields = describeFields(input, 'input');
    return {
      title: `${title}: API reference`,
      description,
      scripts: ['docs'],
      main: html`<h1>${title}</h1>
<p>${inline(description)}</p>
${facts(operation)}
<h2 id="examples">Examples</h2>
${operation.examples.map((example, at) => exampleBlock(operation, example, at, origin, answer))}
${route !== null && html`<section class="screen"><h2 id="try">Try it</h2>${tryForm(operation as RestOperation, fields)}</section>`}
<h2 id="input">${fields.length === 0 ? 'It takes no input' : 'What it takes'}</h2>
${fields.length > 0 && inputTable(operation, fields)}
<h2 id="answer">What it answers</h2>
${answerFields(describeFields(output, 'output'))}
${operation.falsifiableFields.length > 0 && html`<p class="note">A reader can check these at the named source: ${operation.falsifiableFields.join(', ')}.</p>`}
${route !== null && errors(operation as RestOperation)}`,
    };
  },
});

/** `/docs/:operation/try`: sends the browser from the form to the REST path, without its empty fields. */
export const docsTry = definePage({
  path: '/docs/:operation/try',
  render({ params, query }, { operations }) {
    const operation = requireOperation(operations, params.operation ?? '');
    const input: OperationInput = {};
    for (const { name } of describeFields(operation.input, 'input')) {
      const value = query.get(name)?.trim() ?? '';
      if (value !== '') input[name] = value;
      else if (locationOf(operation, name) === 'path')
        throw new ApiError('invalid_argument', `The form needs a value for ${name}.`);
    }
    const path = questionPath(operation, input);
    if (path === null)
      throw new ApiError('invalid_argument', 'This operation is not asked by GET: its page has a curl command.');
    return { redirectTo: path };
  },
});

function requireOperation(operations: readonly Operation[], id: string): Operation {
  const wanted = id.replaceAll('-', '_');
  const operation = operations.find((one) => one.id === wanted);
  if (operation !== undefined) return operation;
  const words = wanted.split('_');
  const near = operations.filter((one) => words.some((word) => word.length > 2 && one.id.includes(word))).slice(0, 5);
  throw new ApiError(
    'not_found',
    `There is no operation of this name.${near.length > 0 ? ` Near it: ${near.map((one) => one.id).join(', ')}.` : ''} All are at /docs.`,
  );
}

function facts(operation: Operation): Html {
  const { id, area, route, tool, personal, cacheable } = operation;
  const rows: [string, HtmlValue][] = [
    ['Area', html`${link(`/docs#${area}`, area)} of ${link('/docs', 'all operations')}`],
    ['REST', route === null ? 'not over REST' : html`<code>${routeTemplate(route)}</code>`],
    ['Command', commandOf(operation)],
    ['MCP', tool === undefined ? 'no tool' : html`tool <code>${id}</code>`],
    ['Costs', costText(operation)],
    ['Asks', asksOutside(operation) ? 'live sources or the target itself' : 'the catalog here, nobody else'],
    ...(cacheable ? [['Same until', 'the next sync of the catalog'] as [string, string]] : []),
    ...(personal === 'pro' ? [['Needs', 'a Pro key'] as [string, string]] : []),
    ...(personal === 'owner' ? [['Needs', 'a key; none on an installation for one person'] as [string, string]] : []),
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Operations about their caller are none; watches have one for all. */
function commandOf(operation: Operation): HtmlValue {
  if (operation.area === 'watches') return html`<code>sextant watch</code>`;
  return needsCaller(operation) ? 'none' : html`<code>sextant ${operation.id.replaceAll('_', '-')}</code>`;
}

function exampleBlock(
  operation: Operation,
  { title, input }: Operation['examples'][number],
  at: number,
  origin: string,
  answer: ResponseExamples[string] | undefined,
): Html {
  const texts: [string, string | null][] = [
    ['curl', questionAsCurl(operation, input, origin)],
    ['Command', questionAsCommand(operation, input)],
    ['MCP', questionAsToolCall(operation, input)],
  ];
  const path = questionPath(operation, input);
  return html`<h3>${title}</h3>${texts.map(([name, text]) => text !== null && copyBlock(`example-${at}-${name}`, name, text))}${path !== null && html`<p>${link(path, 'Its answer')}</p>`}${answer?.title === title && answerBlock(answer.value)}`;
}

/** An answer that is part of the program: it shows the form, not what is known today. */
function answerBlock(value: object): Html {
  return html`<details><summary>What an answer looks like (example data)</summary><pre class="rule-text" tabindex="0">${JSON.stringify(value, null, 2)}</pre></details>`;
}

function errors(operation: RestOperation): Html {
  return html`<h2 id="errors">Errors</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Errors"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${errorCodesOf(operation)
    .toSorted((a, b) => ERRORS[a].status - ERRORS[b].status)
    .map(
      (code) =>
        html`<tr><td>${ERRORS[code].status}</td><th scope="row">${link(`/docs/errors#${code}`, code)}</th><td>${inline(ERRORS[code].means)}</td></tr>
`,
    )}</tbody></table></div>`;
}
