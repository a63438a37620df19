/** With less height in `rem`, a header leaves no room for anything else: a phone in landscape with its keyboard. */
const LOW_REM = 22;

/**
 * Keeps the page above the screen keyboard. Where the browser does not make the page smaller (Safari), `--keyboard` is
 * the height that the keyboard covers. The class `is-low` says that little height is left.
 */
export function stayAboveKeyboard(): void {
  const view = visualViewport;
  const { documentElement } = document;
  const { classList, style } = documentElement;
  const adapt = () => {
    // Zooming in shows part of a page that fits.
    if (!view || view.scale > 1.01) return;
    const covered = Math.max(0, Math.round(innerHeight - view.height));
    style.setProperty('--keyboard', `${covered}px`);
    classList.toggle('is-low', view.height < LOW_REM * Number.parseFloat(getComputedStyle(documentElement).fontSize));
    // Safari moves the page up to show a field that is no longer covered.
    if (covered > 0 && view.offsetTop > 0) scrollTo(0, 0);
  };
  view?.addEventListener('resize', adapt);
  adapt();
}
