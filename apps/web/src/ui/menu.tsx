import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const MARGIN = 8;

export interface MenuItem {
  label: string;
  icon?: ComponentChildren;
  /** Of several choices, whether this is the one. */
  isChosen?: boolean;
  isBad?: boolean;
  run: () => void;
}

interface MenuProps {
  /** What it is a menu of. */
  label: string;
  items: readonly MenuItem[];
  /** What opened it: the menu stands by it, and the focus goes back to it. */
  opener: HTMLElement;
  onClose: () => void;
}

/** A menu over the page. Arrows move, a letter leads to what begins with it, Enter chooses, Escape and a press beside close. */
export function Menu({ label, items, opener, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = menu.current;
    if (!element) return;
    element.showPopover();
    placeBy(element, opener);
    const chosen = element.querySelector<HTMLElement>('[aria-checked="true"]');
    (chosen ?? element.querySelector<HTMLElement>('button'))?.focus();
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') onClose();
    };
    element.addEventListener('toggle', onToggle);
    return () => {
      element.removeEventListener('toggle', onToggle);
      if (opener.isConnected) opener.focus();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
    const here = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const there = target(event.key, here, items);
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (there !== null) buttons[there]?.focus();
    else return;
    event.preventDefault();
  };

  const isChoice = items.some(({ isChosen }) => isChosen !== undefined);
  return (
    <div class="menu" popover="auto" role="menu" aria-label={label} ref={menu} onKeyDown={onKeyDown}>
      {items.map(({ label: words, icon, isChosen, isBad, run }) => (
        <button
          key={words}
          class={isBad ? 'menu-item is-bad' : 'menu-item'}
          type="button"
          tabIndex={-1}
          {...(isChoice
            ? ({ role: 'menuitemradio', 'aria-checked': isChosen === true } as const)
            : ({ role: 'menuitem' } as const))}
          onClick={() => {
            onClose();
            run();
          }}
        >
          {icon}
          <span>{words}</span>
        </button>
      ))}
    </div>
  );
}

/** Which item a key leads to. */
function target(key: string, here: number, items: readonly MenuItem[]): number | null {
  const count = items.length;
  if (key === 'ArrowDown') return (here + 1) % count;
  if (key === 'ArrowUp') return (here - 1 + count) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key.length !== 1 || key === ' ') return null;
  const order = items.map((_, n) => (here + 1 + n) % count);
  return order.find((n) => items[n]?.label.toLowerCase().startsWith(key.toLowerCase())) ?? null;
}

/** Below the opener, or above it if there is more room; never beyond the window. */
export function placeBy(element: HTMLElement, opener: HTMLElement): void {
  const { top, bottom, left, right } = opener.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  const isBelow = bottom + height + MARGIN <= innerHeight || top < innerHeight - bottom;
  const y = isBelow ? bottom + 4 : top - height - 4;
  const x = left + width + MARGIN <= innerWidth ? left : right - width;
  element.style.top = `${Math.max(MARGIN, Math.min(y, innerHeight - height - MARGIN))}px`;
  element.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
}
