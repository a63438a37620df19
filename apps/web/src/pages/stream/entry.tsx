import type { Item } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { useState } from 'preact/hooks';
import { authorText } from '../../data/items/item.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { kindLabel, verb } from '../../lib/item-kinds.ts';
import { itemUrl } from '../../lib/item-url.ts';
import { withPanel } from '../../lib/router/location.ts';
import { clockTime, fullTime } from '../../lib/time/format.ts';
import { AuthorAvatar } from '../../ui/avatars/avatar.tsx';
import { RepeatsToggle } from '../../ui/items/repeats.tsx';
import { Edited, isSelectingTap, MessageTools } from '../hub/message-row.tsx';
import { useRowScope } from '../hub/row-scope.ts';
import { EntryBody } from './entry-body.tsx';
import type { FeedRow } from './feed-rows.ts';

/** An item in a feed that spans several Hubs: its kind, its author and a link to it. */
export function Entry({ id, isFresh, repeats }: Pick<FeedRow, 'id' | 'isFresh' | 'repeats'>) {
  const { items, hubs } = useWorkspace();
  const scope = useRowScope();
  const isCurrent = useComputed(() => scope?.chosen.value === id).value;
  const [isPointed, setPointed] = useState(false);
  const item = items.get(id).value;
  if (!item) return null;
  const hubName = hubs.names.value.get(item.hubId) ?? 'a Hub';
  const to = itemUrl(item);
  return (
    <article
      class={['entry', isFresh && 'is-fresh', isCurrent && 'is-current'].filter(Boolean).join(' ')}
      data-item={id}
      data-row={id}
      tabIndex={-1}
      aria-label={`${kindLabel(item)} by ${authorText(item)} in ${hubName}`}
      onPointerEnter={() => setPointed(true)}
      onClick={(event) => {
        if (scope && isSelectingTap(event)) scope.chosen.value = isCurrent ? null : id;
      }}
    >
      <a class="time" href={to} title={fullTime(item.createdAt)}>
        <time dateTime={item.createdAt}>{clockTime(item.createdAt)}</time>
        {isFresh && <span class="sr">, new</span>}
      </a>
      <AuthorAvatar item={item} size="m" />
      <div class="main-text">
        <EntryHead item={item} />
        <EntryBody item={item} />
        {repeats && <RepeatsToggle id={id} repeats={repeats} />}
      </div>
      <a class="hub" href={to}>
        <span class="ring" />
        <span class="sr">In </span>
        <span class="cut">{hubName}</span>
      </a>
      {scope && item.kind === 'message' && item.deletedAt === null && (isCurrent || isPointed) && (
        <MessageTools message={item} scope={scope} isHead={false} />
      )}
    </article>
  );
}

/** Notes and to-dos are often edited by their authors, so only edits by others are shown. */
const isEditShown = (item: Item) => (item.kind === 'message' ? item.deletedAt === null : item.editedBy !== null);

/** The author of an item. The name of a key opens its panel. */
function EntryHead({ item }: { item: Item }) {
  const did = verb(item);
  return (
    <p class="top">
      {item.key ? (
        <>
          <a class="via-key" href={`${withPanel(item.id)}&show=origin`}>
            {item.key.name}
          </a>
          <span class="bot-tag">bot</span>
        </>
      ) : (
        <span class="msg-name">{item.author.name}</span>
      )}
      {did !== null && <span class="via action">{did}</span>}
      {item.editedAt !== null && isEditShown(item) && <Edited at={item.editedAt} by={item.editedBy} />}
    </p>
  );
}
