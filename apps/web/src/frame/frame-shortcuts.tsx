import { useState } from 'preact/hooks';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { navigate, route } from '../router/location.ts';
import { lazy } from '../ui/lazy.tsx';

const KeysSheet = lazy(async () => (await import('../keyboard/keys-sheet.tsx')).KeysSheet);
const HubChooser = lazy(async () => (await import('./hub-chooser.tsx')).HubChooser);

type Open = { what: 'keys' } | { what: 'hubs'; tab: string; title: string } | null;

/** The keyboard shortcuts that work on every page. */
export function FrameShortcuts() {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const chooseFor = (tab: string, title: string) => setOpen({ what: 'hubs', tab, title });
  useShortcuts([
    { keys: '?', does: 'Show shortcuts', run: () => setOpen({ what: 'keys' }) },
    { keys: '/', does: 'Search', run: () => navigate('/search') },
    { keys: 'g s', does: 'Stream', run: () => navigate('/stream') },
    { keys: 'g h', does: 'Go to a Hub', run: () => chooseFor('', 'Go to a Hub') },
    { keys: 'g t', does: 'To-dos in this Hub, or My to-dos', run: () => navigate(hubPath('/todos') ?? '/todos') },
    {
      keys: 'g n',
      does: 'Notes in this Hub',
      run: () => {
        const notes = hubPath('/notes');
        if (notes === null) chooseFor('/notes', 'Go to notes in a Hub');
        else navigate(notes);
      },
    },
  ]);
  if (open?.what === 'keys') return <KeysSheet onClose={close} />;
  if (open?.what === 'hubs') return <HubChooser title={open.title} tab={open.tab} onClose={close} />;
  return null;
}

/** Returns the path of a tab of the current Hub, or null outside Hubs. */
function hubPath(tab: string): string | null {
  const [hub] = /^\/hubs\/[^/]+/.exec(route.peek().path) ?? [];
  return hub === undefined ? null : `${hub}${tab}`;
}
