/** Starts what the page works without, and what would make its first load larger. */
import { computed, effect, untracked } from '@preact/signals';
import { session } from './data/session/session.ts';
import { navigate } from './lib/router/location.ts';
import { hasScreenKeyboard } from './lib/widths.ts';
import { keepFocus } from './pages/frame/lost-focus.ts';
import { showTitle } from './pages/frame/page-title.ts';

/** With less height in `rem`, a header leaves no room for anything else: a phone in landscape with its keyboard. */
const LOW_REM = 22;

keepTranslatedTexts();
if (hasScreenKeyboard()) stayAboveKeyboard();
// A field in focus would open the screen keyboard.
else keepFocus();
for (const type of ['pointermove', 'keydown']) addEventListener(type, loadTooltips);

// Few users are asked for a second factor.
const stopAsking = effect(() => {
  const state = session.value;
  if (state.status !== 'signed-in' || !state.workspace.me.value.secondFactor) return;
  import('./pages/settings/own/factor-due.tsx').then(
    (code) => code.showFactorDue(state.workspace),
    () => {},
  );
  queueMicrotask(() => stopAsking());
});

const workspace = computed(() => {
  const state = session.value;
  return 'workspace' in state && !(state.status === 'ended' && state.isDisabled) ? state.workspace : null;
});
effect(() => {
  const current = workspace.value;
  return current ? untracked(() => showTitle(current)) : undefined;
});
effect(() => {
  const current = workspace.value;
  if (!current) return;
  let stop: (() => void) | undefined;
  let isOver = false;
  const start = async () => {
    const { watchPosts } = await import('./pages/frame/announcer.ts');
    if (!isOver) stop = watchPosts(current);
  };
  const handle = requestIdleCallback(() => void start().catch(() => {}), { timeout: 3_000 });
  return () => {
    isOver = true;
    cancelIdleCallback(handle);
    stop?.();
  };
});
navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const { type, to } = (data ?? {}) as { type?: unknown; to?: unknown };
  // A notification was clicked.
  if (type === 'open' && typeof to === 'string') navigate(to);
});

function loadTooltips(): void {
  removeEventListener('pointermove', loadTooltips);
  removeEventListener('keydown', loadTooltips);
  // If it fails, the names are also in the buttons.
  import('./ui/tooltips.ts').then(
    (code) => code.showTooltips(),
    () => {},
  );
}

/**
 * Keeps the page above the screen keyboard. Where the browser does not make the page smaller (Safari), `--keyboard` is
 * the height that the keyboard covers. The class `is-low` says that little height is left.
 */
function stayAboveKeyboard(): void {
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

interface Translation {
  font: Node;
  originals: Map<Text, string>;
}

/**
 * Keeps a page up to date while the browser translates it. Chromium replaces texts by `font` elements, or puts them into
 * such elements. Preact and signals would go on changing texts that are no longer in the page, or insert elements next
 * to them. Each text therefore returns to its place, empty, behind its translation. When the app changes, moves or
 * removes it, the translation is removed, and the browser translates the new text.
 */
function keepTranslatedTexts(): void {
  const translations = new WeakMap<Node, Translation>();

  /** Shows the texts again, except those that the app has changed. */
  const end = ({ font, originals }: Translation, changed: ReadonlySet<Node>) => {
    font.parentNode?.removeChild(font);
    translations.delete(font);
    for (const [text, original] of originals) {
      translations.delete(text);
      if (!changed.has(text)) text.data = original;
    }
  };

  const begin = (font: Element, text: Text) => {
    const translation = translations.get(font) ?? { font, originals: new Map<Text, string>() };
    if (font.contains(text)) text.replaceWith(text.data);
    ([...translation.originals.keys()].at(-1) ?? font).after(text);
    translation.originals.set(text, text.data);
    text.data = '';
    translations.set(font, translation).set(text, translation);
  };

  const observer = new MutationObserver((records) => {
    const fonts = new Set<Node>();
    const changed = new Set<Node>();
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') changed.add(target);
      for (const node of addedNodes) if (node.nodeName === 'FONT' && node.parentNode === target) fonts.add(node);
    }
    for (const text of changed) {
      const translation = translations.get(text);
      if (translation) end(translation, changed);
    }
    for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records)
      for (const node of removedNodes) {
        const translation = translations.get(node);
        if (translation) end(translation, changed);
        else if (node instanceof Text) {
          const font = [...addedNodes, previousSibling, nextSibling].find((near) => near && fonts.has(near));
          if (font) begin(font as Element, node);
        }
      }
    // The changes made above.
    observer.takeRecords();
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
}
