import type { ComponentChildren } from 'preact';

interface EmptyStateProps {
  art?: ComponentChildren;
  title?: string;
  text?: ComponentChildren;
  children?: ComponentChildren;
  /** Whether the state can appear while the page is open, so that screen readers announce it. */
  isStatus?: boolean;
}

/** Fills the place of content that does not exist. */
export function EmptyState({ art, title, text, children, isStatus = false }: EmptyStateProps) {
  return (
    <div class="empty" {...(isStatus ? { role: 'status' } : {})}>
      {art}
      {title !== undefined && <h2>{title}</h2>}
      {text && <p>{text}</p>}
      {children && <div class="actions">{children}</div>}
    </div>
  );
}
