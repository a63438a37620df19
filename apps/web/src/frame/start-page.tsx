import { useEffect } from 'preact/hooks';
import { navigate, route } from '../router/location.ts';
import { toast } from '../ui/toast.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { Loading } from './loading.tsx';
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
