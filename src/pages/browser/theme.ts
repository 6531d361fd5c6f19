/** Runs before anything is drawn: shows what needs scripts, and sets the chosen theme; without a choice the system's stays. */
{
  const root = document.documentElement;
  root.dataset.scripts = '';
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // The browser keeps nothing for this site.
  }
}
