import { useState } from 'preact/hooks';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { navigate, place } from '../router/location.ts';
import { later } from '../ui/lazy.tsx';

const KeysSheet = later(async () => (await import('../keyboard/keys-sheet.tsx')).KeysSheet);
const HubChooser = later(async () => (await import('./hub-chooser.tsx')).HubChooser);

type Open = { what: 'keys' } | { what: 'hubs'; tab: string; title: string } | null;

/** The keys that work on every page. */
export function FrameShortcuts() {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const chooseFor = (tab: string, title: string) => setOpen({ what: 'hubs', tab, title });
  useShortcuts([
    { keys: '?', does: 'This sheet', run: () => setOpen({ what: 'keys' }) },
    { keys: '/', does: 'Search', run: () => navigate('/search') },
    { keys: 'g s', does: 'Stream', run: () => navigate('/stream') },
    { keys: 'g h', does: 'Hub by name', run: () => chooseFor('', 'Go to a Hub') },
    { keys: 'g t', does: 'To-dos of the Hub, or mine', run: () => navigate(hubPath('/todos') ?? '/todos') },
    {
      keys: 'g n',
      does: 'Notes of the Hub',
      run: () => {
        const notes = hubPath('/notes');
        if (notes === null) chooseFor('/notes', 'Notes of which Hub');
        else navigate(notes);
      },
    },
  ]);
  if (open?.what === 'keys') return <KeysSheet onClose={close} />;
  if (open?.what === 'hubs') return <HubChooser title={open.title} tab={open.tab} onClose={close} />;
  return null;
}

/** The tab of the Hub that one is in. */
function hubPath(tab: string): string | null {
  const [hub] = /^\/hubs\/[^/]+/.exec(place.peek().path) ?? [];
  return hub === undefined ? null : `${hub}${tab}`;
}
