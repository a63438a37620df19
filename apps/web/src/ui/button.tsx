import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon' | 'label'> {
  icon?: ComponentChildren;
  label?: ComponentChildren;
  /** Classes besides the one of every button, such as `is-main`. */
  variant?: string;
  [data: `data-${string}`]: unknown;
}

/** A button with a text, or with other content instead. */
export function Button({ icon, label, variant = '', children, ...attributes }: ButtonProps) {
  return (
    <button type="button" {...attributes} class={`btn ${variant}`}>
      {icon}
      {label}
      {children}
    </button>
  );
}

/** A small button with an icon and an accessible name. */
export function IconButton({ icon, label, variant = 'is-small', ...attributes }: ButtonProps & { label: string }) {
  return (
    <button type="button" {...attributes} class={`icon-btn ${variant}`} aria-label={label}>
      {icon}
    </button>
  );
}
