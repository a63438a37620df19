import MessageSquare from 'icon:message-square';
import SquareCheckBig from 'icon:square-check-big';
import StickyNote from 'icon:sticky-note';
import type { Scope } from '@hub/contract';

const KINDS = [
  { scope: 'messages:create', text: 'messages', Icon: MessageSquare },
  { scope: 'notes:create', text: 'notes', Icon: StickyNote },
  { scope: 'todos:create', text: 'to-dos', Icon: SquareCheckBig },
] as const;

/** A key's permissions as icons in fixed positions. Icons of permissions it lacks are pale. */
export function ScopeIcons({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <span class="scope" title={`Can create ${scopeList(scopes)}`}>
      <span class="sr">Can create {scopeList(scopes)}</span>
      {KINDS.map(({ scope, Icon }) => (
        <span key={scope} class={scopes.includes(scope) ? 'kind' : 'kind no'}>
          <Icon />
        </span>
      ))}
    </span>
  );
}

/** "messages, to-dos". */
export function scopeList(scopes: readonly Scope[]): string {
  return KINDS.filter(({ scope }) => scopes.includes(scope))
    .map(({ text }) => text)
    .join(', ');
}
