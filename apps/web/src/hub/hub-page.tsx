import { Loading } from '../frame/loading.tsx';
import { NotFound } from '../frame/not-found.tsx';
import { NotesTab } from '../notes/notes-tab.tsx';
import { TodosTab } from '../todos/todos-tab.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { ConversationTab } from './conversation-tab.tsx';
import { HubHeader } from './hub-header.tsx';

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
