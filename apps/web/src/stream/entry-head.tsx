import type { Item } from '@hub/contract';
import { Edited } from '../hub/message-head.tsx';
import { verb } from './kind-text.ts';
import { sourceUrl } from './source-url.ts';

/** Notes and to-dos are often edited by their authors, so only edits by others are shown. */
const isEditShown = (item: Item) => (item.kind === 'message' ? item.deletedAt === null : item.editedBy !== null);

/** The author of an item. For a post by the bot, the key name opens its source. */
export function EntryHead({ item }: { item: Item }) {
  const did = verb(item);
  return (
    <p class="top">
      <span class="msg-name">{item.author.name}</span>
      {item.key && (
        <span class="via">
          via{' '}
          <a class="via-key" href={sourceUrl(item.id)}>
            {item.key.name}
          </a>
        </span>
      )}
      {did !== null && <span class="via action">{did}</span>}
      {item.editedAt !== null && isEditShown(item) && <Edited at={item.editedAt} by={item.editedBy} />}
    </p>
  );
}
