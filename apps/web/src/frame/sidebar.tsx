import Rows3 from 'icon:rows-3';
import { Face } from '../faces/face.tsx';
import { Mark } from '../icons/mark.tsx';
import { place } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { ConnectionState } from './connection-state.tsx';
import { UnreadCount } from './unread-count.tsx';

/** The Hubs one belongs to, what is unread in them, and how the connection stands. */
export function Sidebar() {
  const { me, hubs } = useWorkspace();
  const { path } = place.value;
  return (
    <nav class="side" id="nav" aria-label="Workspace">
      <div class="side-top">
        <a class="workspace" href="/stream">
          <Mark />
          <span>{me.value.workspace.name}</span>
        </a>
      </div>
      <div class="side-scroll">
        <NavRow to="/stream" isCurrent={path === '/stream'} isUnread={hubs.unreadCount.value > 0}>
          <Rows3 size="m" />
          <span class="grow">Stream</span>
          <UnreadCount count={hubs.unreadCount.value} />
        </NavRow>
        <h2 class="side-label">
          <span>Hubs</span>
        </h2>
        <ul>
          {hubs.mine.value.map(({ id, name, unreadCount }) => (
            <li key={id}>
              <NavRow to={`/hubs/${id}`} isCurrent={path.startsWith(`/hubs/${id}`)} isUnread={(unreadCount ?? 0) > 0}>
                <span class="ring" />
                <span class="grow">{name}</span>
                <UnreadCount count={unreadCount ?? 0} />
              </NavRow>
            </li>
          ))}
        </ul>
      </div>
      <div class="side-foot">
        <span class="me">
          <Face id={me.value.id} name={me.value.name} kind="person" size="s" />
          <span>{me.value.name}</span>
        </span>
        <ConnectionState />
      </div>
    </nav>
  );
}

interface NavRowProps {
  to: string;
  isCurrent: boolean;
  isUnread: boolean;
  children: preact.ComponentChildren;
}

function NavRow({ to, isCurrent, isUnread, children }: NavRowProps) {
  return (
    <a class={isUnread ? 'nav-row is-unread' : 'nav-row'} href={to} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
}
