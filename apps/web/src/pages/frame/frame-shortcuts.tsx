import { signal } from '@preact/signals';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { lazy } from '../../ui/page/lazy.tsx';

const KeysSheet = lazy(async () => (await import('../../ui/keys-sheet.tsx')).KeysSheet);
const Palette = lazy(async () => (await import('./palette/palette.tsx')).Palette, { takesText: true });

/** The content of the open palette: everything, or only Hubs to open at a tab (`/notes`, or empty). */
type Offer = { title: string; tab: string | null };

const palette = signal<Offer | null>(null);
const isSheetOpen = signal(false);

export function openPalette(): void {
  palette.value = { title: 'Command palette', tab: null };
}

export function showShortcuts(): void {
  isSheetOpen.value = true;
}

/** The keyboard shortcuts that work on every page, and the command palette. */
export function FrameShortcuts() {
  const chooseFor = (tab: string, title: string) => {
    palette.value = { title, tab };
  };
  useShortcuts({
    'Mod+k': openPalette,
    '?': showShortcuts,
    '/': () => navigate('/search'),
    'g s': () => navigate('/stream'),
    'g h': () => chooseFor('', 'Go to a Hub'),
    'g t': () => navigate(hubPath('/todos') ?? '/todos'),
    'g n': () => {
      const notes = hubPath('/notes');
      if (notes === null) chooseFor('/notes', 'Go to notes in a Hub');
      else navigate(notes);
    },
  });
  const offer = palette.value;
  if (isSheetOpen.value) {
    return (
      <KeysSheet
        onClose={() => {
          isSheetOpen.value = false;
        }}
      />
    );
  }
  if (!offer) return null;
  const close = () => {
    if (palette.peek() === offer) palette.value = null;
  };
  return <Palette key={offer} {...offer} onShowKeys={showShortcuts} onClose={close} />;
}

function hubPath(tab: string): string | null {
  const [hub] = /^\/hubs\/[^/]+/.exec(route.peek().path) ?? [];
  return hub === undefined ? null : `${hub}${tab}`;
}
