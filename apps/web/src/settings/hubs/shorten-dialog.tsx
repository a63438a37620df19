import type { Hub } from '@hub/contract';
import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { LOCALE } from '../../time/format.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { retentionText } from './hubs-list.ts';

/** The server does not count beyond this number. */
const COUNTED = 1_000;

interface ShortenDialogProps {
  hub: Hub;
  days: number;
  onSet: () => Promise<void>;
  onClose: () => void;
}

/** Confirms a shorter retention period: shows how many items will be deleted and asks for the Hub's name. */
export function ShortenDialog({ hub: { id, name }, days, onSet, onClose }: ShortenDialogProps) {
  const { state, value } = useResource(
    (signal) => request('GET /hubs/{hubId}/retention-preview', { hubId: id, query: { retentionDays: days }, signal }),
    { key: `${id} ${days}`, topics: [] },
  );
  const items = value?.items ?? null;
  return (
    <ConfirmDialog
      title={`Keep items in ${name} ${retentionText(days)}?`}
      lead="Older items are permanently deleted within the hour, and others once they reach this age. This can’t be undone; export the Hub first to keep a copy."
      act={items === 0 ? 'Save retention' : 'Delete older items'}
      isBad={items !== 0}
      {...(items === 0 ? {} : { typed: { word: name, label: 'Type the Hub’s name to confirm' } })}
      onAct={onSet}
      onClose={onClose}
    >
      <p role="status">
        {items !== null && <b>{textFor(items)}</b>}
        {state.status === 'loading' && 'Counting older items…'}
        {state.status === 'failed' && `Couldn’t count the older items. ${state.text}`}
      </p>
    </ConfirmDialog>
  );
}

function textFor(items: number): string {
  if (items === 0) return 'No items are that old yet.';
  if (items >= COUNTED)
    return `${COUNTED.toLocaleString(LOCALE)} or more items will be deleted now, with their replies.`;
  return items === 1
    ? '1 item will be deleted now, with its replies.'
    : `${items.toLocaleString(LOCALE)} items will be deleted now, with their replies.`;
}
