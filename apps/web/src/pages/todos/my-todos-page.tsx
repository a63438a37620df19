import { useMemo } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { PageBar } from '../../ui/page/page-bar.tsx';
import { myTodos } from './my-todos.ts';
import { TodosView } from './todos-view.tsx';

/** The user's to-dos in all Hubs. */
export function MyTodosPage() {
  const { me } = useWorkspace();
  const myId = me.value.id;
  const source = useMemo(() => myTodos(myId), [myId]);
  return (
    <main class="main" id="main">
      <PageBar title="My to-dos" />
      <TodosView
        label="My to-dos in all Hubs"
        source={source}
        empty={<p>No to-dos are assigned to you. They appear here from all your Hubs.</p>}
      />
    </main>
  );
}
