/** Sets the chosen theme before anything is drawn; without a choice the system's stays. */
{
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
