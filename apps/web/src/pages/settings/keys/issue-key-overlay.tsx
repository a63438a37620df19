import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { lazy } from '../../../ui/page/lazy.tsx';

const IssueKeyDialog = lazy(async () => (await import('./issue-key-dialog.tsx')).IssueKeyDialog, { isRare: true });

/** The Hub that the open form issues a key for; `null` while the form is closed. */
const issuingFor = signal<{ hubId?: string } | null>(null);

/** Opens the form for a new key. It stays open when the page below it changes, such as when the first post arrives. */
export function openIssueKey(hubId?: string): void {
  issuingFor.value = hubId === undefined ? {} : { hubId };
}

function closeIssueKey(): void {
  issuingFor.value = null;
}

/** Shows the form that `openIssueKey` opens. */
export function IssueKeyOverlay() {
  useEffect(() => closeIssueKey, []);
  const isOpen = issuingFor.value !== null;
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      // The button that opened the form may be gone, as in an empty Hub after its first post.
      const head = document.querySelector<HTMLElement>('#main h1');
      if (!head || document.activeElement !== document.body) return;
      head.tabIndex = -1;
      head.focus();
    };
  }, [isOpen]);
  return issuingFor.value && <IssueKeyDialog {...issuingFor.value} onClose={closeIssueKey} />;
}
