import CornerDownRight from 'icon:corner-down-right';
import { plainText } from '../item-text/plain-text.ts';
import { useItem } from '../items/use-item.ts';
import { withPanel } from '../router/location.ts';

/** The message that a reply belongs to, as a link to its thread. */
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
          {parent.deletedAt === null ? plainText(parent) : 'a deleted message'}
        </span>
      ) : (
        <span class="t">a thread</span>
      )}
    </a>
  );
}
