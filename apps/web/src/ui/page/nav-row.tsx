import type { ComponentChildren } from 'preact';

interface NavRowProps {
  to: string;
  isCurrent: boolean;
  isUnread?: boolean;
  isMuted?: boolean;
  children: ComponentChildren;
}

/** A row in the sidebar. */
export function NavRow({ to, isCurrent, isUnread = false, isMuted = false, children }: NavRowProps) {
  return (
    <a
      class={`nav-row${isUnread ? ' is-unread' : ''}${isMuted ? ' is-muted' : ''}`}
      href={to}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {children}
    </a>
  );
}
