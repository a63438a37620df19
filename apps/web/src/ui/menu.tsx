import Check from 'icon:check';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const MARGIN = 8;

export interface MenuItem {
  label: string;
  icon?: ComponentChildren;
  /** Of several choices, whether this is the one. */
  isChosen?: boolean;
  /** Of a switch, whether it is on. */
  isOn?: boolean;
  /** Stands apart from what is above it. */
  isNewGroup?: boolean;
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
    // A press on what opened it closes it, and does not open it anew.
    if (opener instanceof HTMLButtonElement) opener.popoverTargetElement = element;
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
      if (opener instanceof HTMLButtonElement) opener.popoverTargetElement = null;
      const { activeElement } = document;
      const isElsewhere = activeElement !== null && activeElement !== document.body && !element.contains(activeElement);
      if (opener.isConnected && !isElsewhere) opener.focus();
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

  return (
    <div class="menu" popover="auto" role="menu" aria-label={label} ref={menu} onKeyDown={onKeyDown}>
      {items.map((item, n) => (
        <button
          key={n}
          class={classOf(item)}
          type="button"
          tabIndex={-1}
          {...roleOf(item)}
          onClick={() => {
            onClose();
            item.run();
          }}
        >
          {item.icon}
          <span class="grow">{item.label}</span>
          {(item.isChosen || item.isOn) && <Check size="s" />}
        </button>
      ))}
    </div>
  );
}

function classOf({ isBad, isNewGroup }: MenuItem): string {
  return `menu-item${isBad ? ' is-bad' : ''}${isNewGroup ? ' is-apart' : ''}`;
}

function roleOf({ isChosen, isOn }: MenuItem) {
  if (isChosen !== undefined) return { role: 'menuitemradio', 'aria-checked': isChosen } as const;
  if (isOn !== undefined) return { role: 'menuitemcheckbox', 'aria-checked': isOn } as const;
  return { role: 'menuitem' } as const;
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
