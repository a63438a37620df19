const DELAY_MS = 500;
/** How long the pointer may take from the button to its tooltip, or to the next button, which then shows its at once. */
const GRACE_MS = 150;
const GAP = 6;
const MARGIN = 8;

/** An element with a tooltip: an icon button, or one whose visible text needs a name (`data-tip`). */
const NAMED = '.icon-btn, [data-tip]';
const KEY_NAMES: Readonly<Record<string, string>> = { Control: 'Ctrl', Meta: '⌘', Escape: 'Esc' };

/**
 * Shows the name of an icon button and its shortcut (`aria-keyshortcuts`): after a moment under the pointer, and at once
 * when the keyboard focuses it. Every key hides the tooltip and does what it does anyway, the pointer may move onto it, and touch shows none (WCAG 2.2,
 * 1.4.13). One tooltip serves the page. Screen readers know both from the button.
 */
export function showTooltips(): void {
  const tip = document.createElement('div');
  tip.className = 'tooltip';
  tip.popover = 'manual';
  tip.ariaHidden = 'true';
  document.body.append(tip);
  let current: HTMLElement | null = null;
  let awaited: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRemoved: ReturnType<typeof setInterval> | undefined;

  const hide = () => {
    clearTimeout(timer);
    clearInterval(isRemoved);
    awaited = null;
    current = null;
    tip.hidePopover();
  };
  const show = (element: HTMLElement) => {
    hide();
    const name = element.dataset.tip ?? element.ariaLabel ?? element.textContent.trim();
    // Its menu would be below the tooltip.
    if (name === '' || element.ariaExpanded === 'true' || !element.isConnected) return;
    tip.replaceChildren(name, ...keysOf(element));
    tip.showPopover();
    position(tip, element);
    current = element;
    isRemoved = setInterval(() => {
      if (!element.isConnected) hide();
    }, 200);
  };
  const namedElement = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLElement>(NAMED) : null);

  addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return;
    const element = namedElement(event);
    if (event.target === tip || (element && element === current)) clearTimeout(timer);
    else if (element && element === awaited) return;
    else {
      clearTimeout(timer);
      awaited = element;
      if (element) timer = setTimeout(() => show(element), current ? GRACE_MS : DELAY_MS);
      else if (current) timer = setTimeout(hide, GRACE_MS);
    }
  });
  addEventListener('focusin', (event) => {
    const element = namedElement(event);
    if (element?.matches(':focus-visible') && event.target === element) show(element);
  });
  addEventListener('focusout', hide);
  addEventListener('pointerdown', hide, true);
  addEventListener('scroll', hide, true);
  addEventListener(
    'keydown',
    ({ key }) => {
      if (!['Control', 'Shift', 'Alt', 'Meta'].includes(key)) hide();
    },
    true,
  );
}

function keysOf({ ariaKeyShortcuts }: HTMLElement & { ariaKeyShortcuts?: string | null }): HTMLElement[] {
  return (ariaKeyShortcuts ?? '')
    .split('+')
    .filter(Boolean)
    .map((key) => {
      const element = document.createElement('kbd');
      element.textContent = KEY_NAMES[key] ?? key;
      return element;
    });
}

/** Positions the tooltip above the element, or below if there is no room, and always within the window. */
function position(tip: HTMLElement, element: HTMLElement): void {
  const { top, bottom, left, width } = element.getBoundingClientRect();
  const box = tip.getBoundingClientRect();
  const y = top - box.height - GAP >= MARGIN ? top - box.height - GAP : bottom + GAP;
  const x = Math.max(MARGIN, Math.min(left + (width - box.width) / 2, innerWidth - box.width - MARGIN));
  tip.style.top = `${y}px`;
  tip.style.left = `${x}px`;
}
