import { useEffect, useRef } from 'preact/hooks';
import { later } from '../../ui/lazy.tsx';
import { closeIssueKey, issuingFor } from './open-issue-key.ts';

const IssueKeyDialog = later(async () => (await import('./issue-key-dialog.tsx')).IssueKeyDialog, { isRare: true });

/** Where `openIssueKey` shows its form. */
export function IssueKeyOverlay() {
  useEffect(() => closeIssueKey, []);
  useFocusAfter(issuingFor.value !== null);
  return issuingFor.value && <IssueKeyDialog {...issuingFor.value} onClose={closeIssueKey} />;
}

/** The button of an empty Hub is gone once the first post has arrived: then the focus goes to the heading, and not to nothing. */
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
