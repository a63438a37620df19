import ChevronDown from 'icon:chevron-down';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Menu, type MenuItem } from './menu.tsx';

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
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        class={chosen === null ? 'pill' : 'pill is-set'}
        type="button"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {icon}
        <span class="sr">{label}: </span>
        <span class="t">{chosen ?? all}</span>
        <ChevronDown size="xs" />
      </button>
      {isOpen && button.current && (
        <Menu label={label} items={items()} opener={button.current} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
