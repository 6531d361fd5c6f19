/** The reference: a filter of its lists, and answers below the forms that try an operation. */

/** `input[data-filter]`: rows without all of its words are hidden, and groups without rows. */
for (const field of document.querySelectorAll<HTMLInputElement>('input[data-filter]')) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-filter-row]')];
  const groups = [...document.querySelectorAll<HTMLElement>('[data-filter-group]')];
  const count = document.querySelector<HTMLElement>('[data-filter-count]');
  const apply = (): void => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = `${row.textContent} ${row.closest('section')?.querySelector('h2')?.textContent}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    for (const group of groups) group.hidden = group.querySelector('[data-filter-row]:not([hidden])') === null;
    const shown = rows.filter((row) => !row.hidden).length;
    if (count !== null) count.textContent = field.value.trim() === '' ? '' : `${shown} of ${rows.length}`;
  };
  field.addEventListener('input', apply);
  field.form?.addEventListener('submit', (event) => event.preventDefault());
  apply();
}

/** `form[data-try]`: asks the operation and shows the answer below. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-try]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void showAnswer(form);
  });
}

async function showAnswer(form: HTMLFormElement): Promise<void> {
  const shown = document.getElementById('try-answer');
  if (shown === null) return;
  const head = document.createElement('p');
  const body = document.createElement('pre');
  body.tabIndex = 0;
  shown.replaceChildren(head, body);
  head.textContent = 'Asking …';
  const started = performance.now();
  try {
    const response = await ask(form);
    const text = await response.text();
    const cost = response.headers.get('x-ratelimit-cost');
    const left = response.headers.get('x-ratelimit-remaining');
    head.textContent = [
      `Status ${response.status}`,
      `${Math.round(performance.now() - started)} ms`,
      cost !== null && `cost ${cost}`,
      left !== null && `${left} left this hour`,
    ]
      .filter(Boolean)
      .join(', ');
    body.textContent = indented(text);
  } catch (problem) {
    head.textContent = `Not asked: ${problem instanceof Error ? problem.message : 'no connection'}`;
    body.remove();
  }
}

function ask(form: HTMLFormElement): Promise<Response> {
  const [method = 'GET', template = ''] = (form.dataset.try ?? '').split(' ');
  const query = new URLSearchParams();
  let path = template;
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== 'string' || value.trim() === '') continue;
    const place = `{${name}}`;
    if (path.includes(place)) path = path.replace(place, () => encodeURIComponent(value.trim()));
    else query.set(name, value.trim());
  }
  const key = form.querySelector<HTMLInputElement>('[data-try-key]')?.value.trim() ?? '';
  const body = form.querySelector<HTMLTextAreaElement>('[data-try-body]')?.value;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (key !== '') headers.authorization = `Bearer ${key}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  return fetch(query.size === 0 ? path : `${path}?${query}`, { method, headers, ...(body !== undefined && { body }) });
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
