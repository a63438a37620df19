import type { Hub, RetentionPreview } from '@hub/contract';
import { path, request } from '../../api/request.ts';
import { LOCALE } from '../../time/format.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { useFresh } from '../use-fresh.ts';
import { keptFor } from './hubs-list.ts';

/** Beyond it, the server does not count. */
const COUNTED = 1_000;

interface ShortenDialogProps {
  hub: Hub;
  days: number;
  onSet: () => Promise<void>;
  onClose: () => void;
}

/** Before items are erased it says how many, and the name of the Hub has to be typed. */
export function ShortenDialog({ hub: { id, name }, days, onSet, onClose }: ShortenDialogProps) {
  const query = { retentionDays: days };
  const { state } = useFresh(
    () => request<RetentionPreview>('GET', path`/hubs/${id}/retention-preview`, { query }),
    [],
    `${id} ${days}`,
  );
  const items = state.status === 'ready' ? state.value.items : null;
  return (
    <ConfirmDialog
      title={`Keep the items of ${name} for ${keptFor(days)}?`}
      lead="What is older is erased for good within the hour, and from then on as it gets older. There is no way back; export the Hub first if you want to keep it."
      keep="Keep them as now"
      act={items === 0 ? 'Set it' : 'Erase what is older'}
      isBad={items !== 0}
      {...(items === 0 ? {} : { typed: { word: name, label: 'Type the Hub’s name to confirm' } })}
      onAct={onSet}
      onClose={onClose}
    >
      <p role="status">
        {items !== null && <b>{textFor(items)}</b>}
        {state.status === 'loading' && 'Counting what is older…'}
        {state.status === 'failed' && `How much that is could not be counted. ${state.text}`}
      </p>
    </ConfirmDialog>
  );
}

function textFor(items: number): string {
  if (items === 0) return 'Nothing in it is that old now.';
  if (items >= COUNTED)
    return `${COUNTED.toLocaleString(LOCALE)} items or more are erased at once, with their replies.`;
  return items === 1
    ? '1 item is erased at once, with its replies.'
    : `${items.toLocaleString(LOCALE)} items are erased at once, with their replies.`;
}
