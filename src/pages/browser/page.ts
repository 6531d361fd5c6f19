/** What pages gain where scripts run; each works without. Elements ask for it with `data-` attributes. */

/** `data-copy`: a button that copies the text of the element with this id. */
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('button[data-copy]') : null;
  const source = document.getElementById(button?.dataset.copy ?? '');
  if (button === null || source === null) return;
  const label = button.textContent;
  const show = (text: string): void => {
    button.textContent = text;
    setTimeout(() => (button.textContent = label), 2000);
  };
  // Without TLS browsers give no access to the clipboard, but on loopback.
  (navigator.clipboard?.writeText(source.textContent.trim()) ?? Promise.reject(new Error('no clipboard'))).then(
    () => show('Copied'),
    () => {
      getSelection()?.selectAllChildren(source);
      show('Selected: press copy');
    },
  );
});

/** `data-theme-choice`: a select of the theme, kept in this browser. */
for (const select of document.querySelectorAll<HTMLSelectElement>('select[data-theme-choice]')) {
  const root = document.documentElement;
  select.value = root.dataset.theme ?? '';
  select.addEventListener('change', () => {
    if (select.value === '') delete root.dataset.theme;
    else root.dataset.theme = select.value;
    try {
      localStorage.setItem('theme', select.value);
    } catch {
      // It holds for this page only.
    }
  });
}

/** `/` puts the cursor into the search field. */
document.addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = document.querySelector<HTMLElement>('[data-search]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
});

/** `textarea[data-enter]`: Enter sends its form, with Shift it begins a new line. */
document.addEventListener('keydown', (event) => {
  const { target } = event;
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  if (!(target instanceof HTMLTextAreaElement) || target.dataset.enter === undefined) return;
  event.preventDefault();
  target.form?.requestSubmit();
});

/** Rows of `table[data-rows]`: arrow keys and j, k go from link to link. */
document.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const table = event.target instanceof Element ? event.target.closest('table[data-rows]') : null;
  if (step === undefined || table === null) return;
  const links = [...table.querySelectorAll<HTMLElement>('tbody tr > :first-child a')];
  const row = (event.target as Element).closest('tr');
  const next = links[links.findIndex((link) => link.closest('tr') === row) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
});

/** What the address names is open: a finding, and the list that holds it. */
function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  const closed = [target?.closest('details'), target?.querySelector<HTMLDetailsElement>(':scope > details')];
  for (const details of closed) if (details != null) details.open = true;
  if (target !== null && closed.some((details) => details != null)) target.scrollIntoView();
}
window.addEventListener('hashchange', openTarget);
openTarget();

/** `data-title`: the title of a page that is known only when its last part has come. Modules run when all of it is there. */
const title = document.querySelector<HTMLElement>('[data-title]')?.dataset.title;
if (title !== undefined) document.title = title;

/** `time[datetime]`: how long ago, from the clock of this browser, is left to the server; the full time is the tooltip. */
for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
  if (time.title === '') time.title = new Date(time.dateTime).toString();
}
