import type { ComponentChildren } from 'preact';
import { MenuButton } from './menu-button.tsx';

/** The bar over a page: what it is, and what one can do with all of it. */
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
