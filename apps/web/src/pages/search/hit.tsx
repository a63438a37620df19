import MessageSquare from 'icon:message-square';
import SquareCheckBig from 'icon:square-check-big';
import StickyNote from 'icon:sticky-note';
import type { Item } from '@hub/contract';
import { useWorkspace } from '../../data/live/workspace.ts';
import { itemUrl } from '../../lib/item-url.ts';
import { kindLabel } from '../../lib/kind-text.ts';
import { fullTime, shortTime } from '../../lib/time/format.ts';
import { now } from '../../lib/time/now.ts';
import { hitLine } from './hit-line.ts';
import { textOf } from './text-of.ts';

const ICONS = { message: MessageSquare, note: StickyNote, todo: SquareCheckBig };

interface HitProps {
  item: Item;
  query: string;
  id: string;
  isCurrent: boolean;
  onPoint: () => void;
  onOpen: () => void;
}

/** A search result: its kind, the matching text, its Hub and its time. */
export function Hit({ item, query, id, isCurrent, onPoint, onOpen }: HitProps) {
  const { hubs } = useWorkspace();
  const Icon = ICONS[item.kind];
  const by = item.key ? `${item.author.name} via ${item.key.name}` : item.author.name;
  const state = item.kind === 'todo' && item.status === 'done' ? ', done' : '';
  return (
    <a
      class={isCurrent ? 'hit is-current' : 'hit'}
      id={id}
      href={itemUrl(item)}
      role="option"
      aria-selected={isCurrent}
      tabIndex={-1}
      onMouseMove={onPoint}
      onClick={onOpen}
    >
      <Icon />
      <span class="line">
        {hitLine(textOf(item), query).map(({ text, isHit }, n) => (isHit ? <mark key={n}>{text}</mark> : text))}
      </span>
      <time dateTime={item.createdAt} title={fullTime(item.createdAt)}>
        {shortTime(item.createdAt, now.value)}
      </time>
      <small>
        {kindLabel(item)} by {by}, {hubs.names.value.get(item.hubId)}
        {state}
      </small>
    </a>
  );
}
