import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { lazy } from '../../ui/page/lazy.tsx';

const KeysSheet = lazy(async () => (await import('../../ui/keys-sheet.tsx')).KeysSheet);
const Palette = lazy(async () => (await import('./palette/palette.tsx')).Palette, { takesText: true });

/** The content of the open palette: everything, or only Hubs to open at a tab (`/notes`, or empty). */
type Offer = { title: string; tab: string | null };

const palette = signal<Offer | null>(null);

export function openPalette(): void {
  palette.value = { title: 'Command palette', tab: null };
}

/** The keyboard shortcuts that work on every page, and the command palette. */
export function FrameShortcuts() {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const chooseFor = (tab: string, title: string) => {
    palette.value = { title, tab };
  };
  useShortcuts([
    { keys: 'Mod+k', does: 'Command palette', run: openPalette },
    { keys: '?', does: 'Show shortcuts', run: () => setSheetOpen(true) },
    { keys: '/', does: 'Search', run: () => navigate('/search') },
    { keys: 'g s', does: 'Stream', run: () => navigate('/stream') },
    { keys: 'g h', does: 'Go to a Hub', run: () => chooseFor('', 'Go to a Hub') },
    { keys: 'g t', does: 'To-dos', run: () => navigate(hubPath('/todos') ?? '/todos') },
    {
      keys: 'g n',
      does: 'Notes',
      run: () => {
        const notes = hubPath('/notes');
        if (notes === null) chooseFor('/notes', 'Go to notes in a Hub');
        else navigate(notes);
      },
    },
  ]);
  const offer = palette.value;
  if (isSheetOpen) return <KeysSheet onClose={() => setSheetOpen(false)} />;
  if (!offer) return null;
  const close = () => {
    if (palette.peek() === offer) palette.value = null;
  };
  return <Palette key={offer} {...offer} onShowKeys={() => setSheetOpen(true)} onClose={close} />;
}

/** Returns the path of a tab of the current Hub, or null outside Hubs. */
function hubPath(tab: string): string | null {
  const [hub] = /^\/hubs\/[^/]+/.exec(route.peek().path) ?? [];
  return hub === undefined ? null : `${hub}${tab}`;
}
