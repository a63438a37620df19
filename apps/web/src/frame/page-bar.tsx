import type { ComponentChildren } from 'preact';
import { MenuButton } from './menu-button.tsx';

/** The bar above a page, with its title and actions. */
export function PageBar({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="bar">
      <MenuButton />
      <h1 class="bar-title">
        <span>{title}</span>
      </h1>
      {children && <div class="bar-end">{children}</div>}
    </header>
  );
}
