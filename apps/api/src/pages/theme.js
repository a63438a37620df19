// Loaded before anything is painted: who has chosen a theme in the web app of this server has chosen it here, too. What one
// chooses there is kept in the browser, under this name (apps/web/src/theme/stored-theme.ts).
try {
  const chosen = localStorage.getItem('hub.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // The browser keeps nothing: the system decides.
}
