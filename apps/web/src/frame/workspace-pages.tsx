import { HubPage } from '../hub/hub-page.tsx';
import { OpenPanel } from '../panels/open-panel.tsx';
import { navigate, openItemId, place } from '../router/location.ts';
import { match } from '../router/match.ts';
import { StreamPage } from '../stream/stream-page.tsx';
import { MyTodosPage } from '../todos/my-todos-page.tsx';
import { Toasts } from '../ui/toast.tsx';
import { NotFound } from './not-found.tsx';
import { Sidebar } from './sidebar.tsx';

/** Every page of the workspace, beside the list of Hubs. */
export function WorkspacePages() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class={openItemId.value === null ? 'app' : 'app has-panel'}>
        <Sidebar />
        <Page />
        <OpenPanel />
      </div>
      <Toasts />
    </>
  );
}

function Page() {
  const { path } = place.value;
  if (path === '/') navigate('/stream', { replace: true });
  if (path === '/' || path === '/stream') return <StreamPage />;
  if (path === '/todos') return <MyTodosPage />;
  const conversation = match('/hubs/:hubId', path);
  if (conversation) return <HubPage key={conversation.hubId} {...conversation} tab="conversation" />;
  const todos = match('/hubs/:hubId/todos', path);
  if (todos) return <HubPage key={todos.hubId} {...todos} tab="todos" />;
  const notes = match('/hubs/:hubId/notes', path);
  if (notes) return <HubPage key={notes.hubId} {...notes} tab="notes" />;
  return <NotFound />;
}
