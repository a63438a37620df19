import { Check, ChevronDown } from 'icons';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { areShortcutsOn } from '../lib/keyboard/shortcuts.ts';
import { type Opened, Opener, type OpenerProps } from './button.tsx';
import { usePopover } from './use-popover.ts';

export interface MenuItem {
  label: string;
  detail?: string;
  icon?: ComponentChildren;
  /** The shortcut that does the same on the page. */
  keys?: string;
  /** For one of several options: whether it is chosen. */
  isChosen?: boolean;
  isNewGroup?: boolean;
  isDestructive?: boolean;
  run: () => void;
}

interface MenuOpenerProps extends Omit<OpenerProps, 'renderPopover' | 'label'> {
  label: string;
  items: () => readonly MenuItem[];
  isBusy?: boolean;
}

export function MenuOpener({ label, items, isBusy, ...button }: MenuOpenerProps) {
  const renderPopover = (opened: Opened) => <Menu label={label} items={items()} {...opened} />;
  return <Opener {...button} aria-haspopup="menu" aria-disabled={isBusy} renderPopover={renderPopover} />;
}

interface ChoiceProps<Value extends string> {
  label: string;
  icon: ComponentChildren;
  /** The label while nothing is chosen, and of the item that chooses nothing. */
  all: string;
  chosen: Value | null;
  options: readonly { value: Value; label: string; isNewGroup?: boolean }[];
  /** The label while the chosen value is not among the options. By default, the value. */
  unknown?: string;
  onChoose: (value: Value | null) => void;
}

/** A button that shows the chosen option, such as a filter, and opens a menu with all options. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, icon, all, chosen, options, unknown, onChoose } = props;
  const items = () => [
    { label: all, isChosen: chosen === null, run: () => onChoose(null) },
    ...options.map(({ value, ...option }) => ({ ...option, isChosen: value === chosen, run: () => onChoose(value) })),
  ];
  const name = options.find(({ value }) => value === chosen)?.label;
  return (
    <ChoiceOpener label={label} icon={icon} all={all} chosen={chosen && (name ?? unknown ?? chosen)} items={items} />
  );
}

interface ChoiceOpenerProps extends Pick<ChoiceProps<string>, 'label' | 'icon' | 'all'> {
  chosen: string | null;
  items: () => readonly MenuItem[];
}

/** The button of a choice whose menu has other items than its options. */
export function ChoiceOpener({ label, icon, all, chosen, items }: ChoiceOpenerProps) {
  return (
    <MenuOpener class={chosen === null ? 'pill' : 'pill is-set'} label={label} items={items}>
      {icon}
      <span class="sr">{label}: </span>
      <span class="t">{chosen ?? all}</span>
      <ChevronDown size="xs" />
    </MenuOpener>
  );
}

interface MenuProps extends Opened {
  label: string;
  items: readonly MenuItem[];
}

/** A menu over the page. Arrows move, a letter jumps to an item, Enter chooses, Escape closes. */
export function Menu({ label, items, opener, onClose }: MenuProps) {
  const start = (box: HTMLElement) =>
    box.querySelector<HTMLElement>('[aria-checked="true"]') ?? box.querySelector<HTMLElement>('button');
  const menu = usePopover<HTMLDivElement>({ opener, onClose, start });
  const id = useId();

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
          {...(item.detail ? { 'aria-label': item.label, 'aria-describedby': `${id}-${n}` } : {})}
          aria-keyshortcuts={areShortcutsOn.value ? item.keys : undefined}
          onClick={() => {
            onClose();
            item.run();
          }}
        >
          {item.icon}
          <span class="grow cut">
            {item.label}
            {item.detail && <small id={`${id}-${n}`}>{item.detail}</small>}
          </span>
          {item.keys && areShortcutsOn.value && (
            <span class="key" aria-hidden="true">
              <kbd>{item.keys}</kbd>
            </span>
          )}
          {item.isChosen && <Check />}
        </button>
      ))}
    </div>
  );
}

function classOf({ isDestructive, isNewGroup }: MenuItem): string {
  return `menu-item${isDestructive ? ' is-bad' : ''}${isNewGroup ? ' is-apart' : ''}`;
}

function roleOf({ isChosen }: MenuItem) {
  if (isChosen !== undefined) return { role: 'menuitemradio', 'aria-checked': isChosen } as const;
  return { role: 'menuitem' } as const;
}

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
