import { useEffect, useRef } from 'preact/hooks';
import { lazy } from '../../ui/lazy.tsx';
import { closeIssueKey, issuingFor } from './open-issue-key.ts';

const IssueKeyDialog = lazy(async () => (await import('./issue-key-dialog.tsx')).IssueKeyDialog, { isRare: true });

/** Shows the form that `openIssueKey` opens. */
export function IssueKeyOverlay() {
  useEffect(() => closeIssueKey, []);
  useFocusAfter(issuingFor.value !== null);
  return issuingFor.value && <IssueKeyDialog {...issuingFor.value} onClose={closeIssueKey} />;
}

/**
 * Moves the focus to the heading if the button that opened the form is gone, as in an empty Hub after its first post.
 */
function useFocusAfter(isOpen: boolean): void {
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) {
      const head = document.querySelector<HTMLElement>('#main h1');
      if (head) head.tabIndex = -1;
      head?.focus();
    }
    wasOpen.current = isOpen;
  }, [isOpen]);
}
