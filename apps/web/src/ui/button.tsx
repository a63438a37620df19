import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon' | 'label'> {
  icon?: ComponentChildren;
  label?: ComponentChildren;
  /** Classes besides the one of every button, such as `is-main`. */
  look?: string;
  [data: `data-${string}`]: unknown;
}

/** A button with a text, or with other content instead. */
export function Button({ icon, label, look = '', children, ...attributes }: ButtonProps) {
  return (
    <button type="button" {...attributes} class={`btn ${look}`}>
      {icon}
      {label}
      {children}
    </button>
  );
}

/** A small button with an icon and an accessible name. */
export function IconButton({ icon, label, look = 'is-small', ...attributes }: ButtonProps & { label: string }) {
  return (
    <button type="button" {...attributes} class={`icon-btn ${look}`} aria-label={label}>
      {icon}
    </button>
  );
}
