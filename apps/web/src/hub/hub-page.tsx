import { Loading } from '../frame/loading.tsx';
import { MenuButton } from '../frame/menu-button.tsx';
import { NotFound } from '../frame/not-found.tsx';
import { NotesTab } from '../notes/notes-tab.tsx';
import { TodosTab } from '../todos/todos-tab.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { ConversationTab } from './conversation-tab.tsx';

export type HubTab = 'conversation' | 'todos' | 'notes';

/** One Hub: its conversation, its to-dos or its notes. */
export function HubPage({ hubId, tab }: { hubId: string; tab: HubTab }) {
  const { hubs } = useWorkspace();
  const hub = hubs.find(hubId);
  if (!hub) return hubs.isLoaded.value ? <NotFound /> : <Loading />;
  const current = (name: HubTab) => (name === tab ? 'page' : undefined);
  return (
    <main class="main" id="main">
      <header class="bar">
        <MenuButton />
        <h1 class="bar-title">
          <span>{hub.name}</span>
        </h1>
        <nav class="tabs" aria-label={hub.name}>
          <a class="tab" href={`/hubs/${hubId}`} aria-current={current('conversation')}>
            Conversation
          </a>
          <a class="tab" href={`/hubs/${hubId}/todos`} aria-current={current('todos')}>
            To-dos
          </a>
          <a class="tab" href={`/hubs/${hubId}/notes`} aria-current={current('notes')}>
            Notes
          </a>
        </nav>
      </header>
      {tab === 'conversation' && <ConversationTab hub={hub} />}
      {tab === 'todos' && <TodosTab hub={hub} />}
      {tab === 'notes' && <NotesTab hub={hub} />}
    </main>
  );
}
