import type { Item } from '@hub/contract';
import { Edited } from '../hub/message-head.tsx';
import { verb } from './kind-text.ts';
import { originAddress } from './origin-address.ts';

/** Of notes and to-dos that their authors edit all the time, it says no more than that somebody else did. */
const isEditShown = (item: Item) => (item.kind === 'message' ? item.deletedAt === null : item.editedBy !== null);

/** Who says it; of a bot, by which key, which leads to where the post came from. */
export function EntryHead({ item }: { item: Item }) {
  const did = verb(item);
  return (
    <p class="top">
      <span class="msg-name">{item.author.name}</span>
      {item.key && (
        <span class="via">
          via{' '}
          <a class="via-key" href={originAddress(item.id)}>
            {item.key.name}
          </a>
        </span>
      )}
      {did !== null && <span class="via action">{did}</span>}
      {item.editedAt !== null && isEditShown(item) && <Edited at={item.editedAt} by={item.editedBy} />}
    </p>
  );
}
