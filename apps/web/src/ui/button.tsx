import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon' | 'label'> {
  icon?: ComponentChildren;
  label?: ComponentChildren;
  /** Classes besides the one of every button, such as `is-main`. */
  variant?: string;
  [data: `data-${string}`]: unknown;
}

export function Button({ icon, label, variant = '', children, ...attributes }: ButtonProps) {
  return (
    <button type="button" {...attributes} class={`btn ${variant}`}>
      {icon}
      {label}
      {children}
    </button>
  );
}

export function IconButton({ icon, label, variant = 'is-small', ...attributes }: ButtonProps & { label: string }) {
  return (
    <button type="button" {...attributes} class={`icon-btn ${variant}`} aria-label={label}>
      {icon}
    </button>
  );
}

/** The opener of a popover, and the function that closes it. */
export interface Opened {
  /** The popover appears next to it and returns the focus to it on closing. */
  opener: HTMLElement;
  onClose: () => void;
}

export interface OpenerProps extends ButtonHTMLAttributes {
  class: string;
  renderPopover: (opened: Opened) => ComponentChildren;
}

/** A button that opens a list of users, a menu or another popover. */
export function Opener({ renderPopover, ...button }: OpenerProps) {
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  return (
    <>
      <button
        type="button"
        aria-haspopup="listbox"
        {...button}
        aria-expanded={opener !== null}
        onClick={({ currentTarget }) => setOpener(opener ? null : currentTarget)}
      />
      {opener && renderPopover({ opener, onClose: () => setOpener(null) })}
    </>
  );
}
