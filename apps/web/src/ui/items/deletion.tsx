import type { Item } from '@hub/contract';
import { authorText } from '../../data/items/item.ts';
import type { ItemStore } from '../../data/items/item-store.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { noteTitle, plainText } from '../../lib/posts/plain-text.ts';
import { ConfirmDialog } from '../forms/confirm.tsx';
import { orToast, toast } from '../toast.tsx';

const NOUNS = { message: 'message', note: 'note', todo: 'to-do' } as const;

/** Returns the title of an item, or the beginning of its text. */
export function textOfItem(item: Item): string {
  if (item.kind === 'message') return plainText(item);
  return item.kind === 'note' ? noteTitle(item) : item.title;
}

export function ItemQuote({ item }: { item: Item }) {
  return (
    <p class="item-quote">
      <bdi class="msg-name">{authorText(item)}</bdi> <bdi>{textOfItem(item)}</bdi>
    </p>
  );
}

interface DeletionProps {
  item: Item;
  /** Called before the request. Returns what moves the focus once the item is gone. */
  prepare: () => () => void;
  onClose: () => void;
}

/** Confirms the deletion of an item, which it quotes, and then offers to undo it. */
export function DeletionDialog({ item, prepare, onClose }: DeletionProps) {
  const { items } = useWorkspace();
  const { id, kind, replyCount } = item;
  const noun = NOUNS[kind];
  const replies = replyCount === 0 ? '' : replyCount === 1 ? ' Its reply stays.' : ` Its ${replyCount} replies stay.`;
  const remove = async () => {
    const leave = prepare();
    const deleted = await items.applyResponseOf<Item>(() => requestDeletion(item));
    onClose();
    leave();
    const undo = () => void restoreItem(items, deleted);
    toast(`${capitalized(noun)} deleted.`, { action: { label: 'Undo', run: undo } });
  };
  return (
    <ConfirmDialog
      title={`Delete this ${noun}?`}
      description={`It disappears for everyone. You can restore it for 30 days.${replies}`}
      submitLabel="Delete"
      isDestructive
      onAct={remove}
      onDone={() => {}}
      onClose={onClose}
    >
      <ItemQuote key={id} item={item} />
    </ConfirmDialog>
  );
}

function requestDeletion({ kind, id }: Item): Promise<Item> {
  if (kind === 'message') return request('DELETE /messages/{messageId}', { messageId: id });
  return kind === 'note'
    ? request('DELETE /notes/{noteId}', { noteId: id })
    : request('DELETE /todos/{todoId}', { todoId: id });
}

/** Restores a deleted item, which its event brings back into the lists. Returns whether that succeeded. */
export async function restoreItem(items: ItemStore, { id, kind }: Pick<Item, 'id' | 'kind'>): Promise<boolean> {
  const restored = await orToast(`Couldn’t restore the ${NOUNS[kind]}.`, () =>
    items.applyResponseOf<Item>(() => request('POST /items/{itemId}/restoration', { itemId: id })),
  );
  if (restored) toast(`${capitalized(NOUNS[kind])} restored.`);
  return restored !== undefined;
}

function capitalized(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}
