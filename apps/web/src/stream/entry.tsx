import type { Item } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { useState } from 'preact/hooks';
import { AuthorAvatar } from '../avatars/avatar.tsx';
import { isSelectingTap } from '../hub/message-row.tsx';
import { MessageTools } from '../hub/message-tools.tsx';
import { useRowScope } from '../hub/row-scope.ts';
import { itemUrl } from '../items/item-url.ts';
import { clockTime, fullTime } from '../time/format.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { EntryBody } from './entry-body.tsx';
import { EntryHead } from './entry-head.tsx';
import { kindLabel } from './kind-text.ts';

/** An item in a feed that spans several Hubs: its kind, its author and a link to it. */
export function Entry({ id, isFresh }: { id: string; isFresh: boolean }) {
  const { items, hubs } = useWorkspace();
  const scope = useRowScope();
  const isCurrent = useComputed(() => scope?.chosen.value === id).value;
  const [isPointed, setPointed] = useState(false);
  const item = items.get(id)?.value;
  if (!item) return null;
  const hubName = hubs.names.value.get(item.hubId) ?? 'a Hub';
  const to = itemUrl(item);
  return (
    <article
      class={['entry', isFresh && 'is-fresh', isCurrent && 'is-current'].filter(Boolean).join(' ')}
      data-item={id}
      data-row={id}
      tabIndex={-1}
      aria-label={nameOf(item, hubName)}
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
      </div>
      <a class="hub" href={to}>
        <span class="ring" />
        <span class="sr">In </span>
        <span class="t">{hubName}</span>
      </a>
      {scope && item.kind === 'message' && item.deletedAt === null && (isCurrent || isPointed) && (
        <MessageTools message={item} scope={scope} isHead={false} />
      )}
    </article>
  );
}

function nameOf(item: Item, hubName: string): string {
  return `${kindLabel(item)} by ${item.key ? `${item.author.name} via ${item.key.name}` : item.author.name} in ${hubName}`;
}
