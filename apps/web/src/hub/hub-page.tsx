import { Loading } from '../frame/loading.tsx';
import { NotFound } from '../frame/not-found.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { ConversationTab } from './conversation-tab.tsx';
import { HubHeader, type HubTab } from './hub-header.tsx';

const TodosTab = lazy(async () => (await import('../todos/todos-tab.tsx')).TodosTab, { isPage: true });
const NotesTab = lazy(async () => (await import('../notes/notes-tab.tsx')).NotesTab, { isPage: true });

/** The page of a Hub: its conversation, to-dos or notes. */
export function HubPage({ hubId, tab }: { hubId: string; tab: HubTab }) {
  const { hubs } = useWorkspace();
  const hub = hubs.find(hubId);
  if (!hub) return hubs.isLoaded.value ? <NotFound /> : <Loading />;
  return (
    <main class="main" id="main">
      <HubHeader hub={hub} tab={tab} />
      {tab === 'conversation' && <ConversationTab hub={hub} />}
      {tab === 'todos' && <TodosTab hub={hub} />}
      {tab === 'notes' && <NotesTab hub={hub} />}
    </main>
  );
}
