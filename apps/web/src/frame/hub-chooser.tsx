import type { Hub } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { navigate } from '../router/location.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { hubsNamed } from './hubs-named.ts';
import { UnreadCount } from './unread-count.tsx';

interface HubChooserProps {
  title: string;
  /** The tab to open: `/notes`, or empty. */
  tab: string;
  onClose: () => void;
}

/** A dialog to find a Hub by name and open it. */
export function HubChooser({ title, tab, onClose }: HubChooserProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const found = hubsNamed(typed, useWorkspace().hubs.mine.value);
  const here = Math.min(at, found.length - 1);
  const go = (hub: Hub | undefined) => {
    if (!hub) return;
    onClose();
    navigate(`/hubs/${hub.id}${tab}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((here + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setAt((here - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter' && !event.isComposing) go(found[here]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="field">
        <input
          type="text"
          role="combobox"
          aria-label="Hub name"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={found[here] && `${list}-${found[here].id}`}
          autocomplete="off"
          placeholder="Name"
          autofocus
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="choices" role="listbox" id={list} aria-label="Hubs">
        {found.map((hub, n) => (
          <div
            key={hub.id}
            id={`${list}-${hub.id}`}
            class={hub.unreadCount === 0 ? 'nav-row' : 'nav-row is-unread'}
            role="option"
            tabIndex={-1}
            aria-selected={n === here}
            onClick={() => go(hub)}
            onMouseMove={() => setAt(n)}
          >
            <span class="ring" />
            <span class="grow">{hub.name}</span>
            <UnreadCount count={hub.unreadCount ?? 0} />
          </div>
        ))}
      </div>
      {found.length === 0 && <p role="status">No matching Hubs</p>}
    </Dialog>
  );
}
