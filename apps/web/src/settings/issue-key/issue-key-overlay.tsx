import { useEffect } from 'preact/hooks';
import { later } from '../../ui/later.tsx';
import { closeIssueKey, issuingFor } from './open-issue-key.ts';

const IssueKeyDialog = later(async () => (await import('./issue-key-dialog.tsx')).IssueKeyDialog, { isRare: true });

/** Where `openIssueKey` shows its form. */
export function IssueKeyOverlay() {
  useEffect(() => closeIssueKey, []);
  return issuingFor.value && <IssueKeyDialog {...issuingFor.value} onClose={closeIssueKey} />;
}
