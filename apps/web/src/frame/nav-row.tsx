import type { ComponentChildren } from 'preact';

interface NavRowProps {
  to: string;
  isCurrent: boolean;
  isUnread?: boolean;
  children: ComponentChildren;
}

/** A row of the sidebar. */
export function NavRow({ to, isCurrent, isUnread = false, children }: NavRowProps) {
  return (
    <a class={isUnread ? 'nav-row is-unread' : 'nav-row'} href={to} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
}
