import ChevronDown from 'icon:chevron-down';
import type { ComponentChildren } from 'preact';
import { type MenuItem, MenuOpener } from './menu.tsx';

interface ChoiceProps {
  label: string;
  icon: ComponentChildren;
  /** The button label when nothing is chosen. */
  all: string;
  chosen: string | null;
  items: () => MenuItem[];
}

/** A button that shows the chosen option, such as a filter, and opens a menu with all options. */
export function Choice({ label, icon, all, chosen, items }: ChoiceProps) {
  return (
    <MenuOpener class={chosen === null ? 'pill' : 'pill is-set'} label={label} items={items}>
      {icon}
      <span class="sr">{label}: </span>
      <span class="t">{chosen ?? all}</span>
      <ChevronDown size="xs" />
    </MenuOpener>
  );
}
