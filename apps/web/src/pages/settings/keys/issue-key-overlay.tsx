import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
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
  // The button that opened the form may be gone, as in an empty Hub after its first post.
  useFocusAfter(issuingFor.value !== null, '#main h1');
  return issuingFor.value && <IssueKeyDialog {...issuingFor.value} onClose={closeIssueKey} />;
}

/** Focuses a heading after a dialog closes if the button that opened the dialog is gone. */
export function useFocusAfter(isOpen: boolean, heading: string): void {
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) {
      const head = document.querySelector<HTMLElement>(heading);
      if (head) head.tabIndex = -1;
      head?.focus();
    }
    wasOpen.current = isOpen;
  }, [isOpen]);
}
