// Runs before the first paint and applies the theme chosen in the web app, which stores it in the browser under this
// name (apps/web/src/theme/stored-theme.ts).
try {
  const chosen = localStorage.getItem('hub.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // The browser keeps nothing: the system decides.
}
