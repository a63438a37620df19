import type { Me } from '@hub/contract';
import { useEffect } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { Loading } from '../../ui/page/loading.tsx';
import { toast } from '../../ui/toast.tsx';

/** The root of the workspace: opens the Stream, or the first Hub after the setup. */
export function StartPage() {
  const { me, hubs } = useWorkspace();
  const isLoaded = hubs.isLoaded.value;
  const welcome = route.value.query.get('welcome');
  useEffect(() => {
    if (welcome === 'setup' && !isLoaded) return;
    const [first] = hubs.mine.peek();
    const text = welcomeText(welcome, me.peek());
    if (text !== null) toast(text);
    navigate(welcome === 'setup' && first ? `/hubs/${first.id}` : '/stream', { replace: true });
  }, [isLoaded]);
  return (
    <main class="main" id="main">
      <Loading />
    </main>
  );
}

/** Returns the message for a user who arrives through a link, or null: after the setup, the first Hub says it all. */
function welcomeText(kind: string | null, { name, workspace }: Pick<Me, 'name' | 'workspace'>): string | null {
  if (kind === 'invitation') return `Welcome to ${workspace.name}, ${name}.`;
  if (kind === 'password_reset') return "Password changed. You've been signed out everywhere else.";
  return null;
}
