import { Loading } from '../frame/loading.tsx';
import { NotFound } from '../frame/not-found.tsx';
import { later } from '../ui/lazy.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { ConversationTab } from './conversation-tab.tsx';
import { HubHeader } from './hub-header.tsx';

const TodosTab = later(async () => (await import('../todos/todos-tab.tsx')).TodosTab, { isPage: true });
const NotesTab = later(async () => (await import('../notes/notes-tab.tsx')).NotesTab, { isPage: true });

export type HubTab = 'conversation' | 'todos' | 'notes';

/** One Hub: its conversation, its to-dos or its notes. */
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
