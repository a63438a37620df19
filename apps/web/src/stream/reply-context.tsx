import CornerDownRight from 'icon:corner-down-right';
import { plainText } from '../item-text/plain-text.ts';
import { useItem } from '../items/use-item.ts';
import { withPanel } from '../router/location.ts';

/** What a reply replies to, and the way into its thread. */
export function ReplyContext({ parentId }: { parentId: string }) {
  const found = useItem(parentId);
  const parent = found.status === 'found' && found.item.kind === 'message' ? found.item : null;
  return (
    <a class="reply-to" href={withPanel(parentId)}>
      <CornerDownRight size="xs" />
      <span class="sr">In reply to </span>
      {parent ? (
        <span class="t">
          <b>{parent.key?.name ?? parent.author.name}</b>{' '}
          {parent.deletedAt === null ? plainText(parent) : 'a message that was deleted'}
        </span>
      ) : (
        <span class="t">a thread</span>
      )}
    </a>
  );
}
