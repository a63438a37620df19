import { useEffect } from 'preact/hooks';
import { navigate, place } from '../router/location.ts';
import { toast } from '../ui/toast.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { Loading } from './loading.tsx';
import { welcomeText } from './welcome-text.ts';

/** The root of the workspace: leads to the Stream, and who has just set it up to the first Hub. */
export function StartPage() {
  const { me, hubs } = useWorkspace();
  const isLoaded = hubs.isLoaded.value;
  const welcome = place.value.query.get('welcome');
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
