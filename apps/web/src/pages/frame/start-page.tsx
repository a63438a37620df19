import { useEffect } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { Loading } from '../../ui/page/loading.tsx';
import { toast } from '../../ui/toast.tsx';
import { welcomeText } from './welcome-text.ts';

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
