/** The start page: leads to what changed since the last day on which it was visited. Only this browser knows that day. */
{
  const link = document.querySelector<HTMLAnchorElement>('a[data-visit]');
  const today = new Date().toISOString().slice(0, 10);
  try {
    const [last = '', before = ''] = (localStorage.getItem('visits') ?? '').split(' ');
    const since = last === today ? before : last;
    if (last !== today) localStorage.setItem('visits', `${today} ${last}`.trim());
    if (link !== null && /^\d{4}-\d\d-\d\d$/.test(since)) {
      link.href = `/?since=${since}`;
      link.textContent = `What was added since ${since}`;
    }
  } catch {
    // The browser keeps nothing for this site.
  }
}
