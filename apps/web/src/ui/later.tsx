import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Loading } from '../frame/loading.tsx';
import { Trouble } from '../frame/trouble.tsx';

interface LaterOptions {
  /** It fills a page: meanwhile words say that it is coming. */
  isPage?: boolean;
  /** Hardly anybody opens it: its code is not fetched ahead. */
  isRare?: boolean;
}

type State<Props> =
  | { status: 'loading' }
  | { status: 'ready'; Loaded: ComponentType<Props> }
  | { status: 'failed'; isOffline: boolean };

const ahead: (() => Promise<void>)[] = [];

/**
 * A component whose code comes apart from the first load: when it is first drawn, or a little earlier by `fetchAhead`. If
 * it does not come, it says why and how to go on.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isPage = false, isRare = false }: LaterOptions = {},
): ComponentType<Props> {
  const state = signal<State<Props>>({ status: 'loading' });
  let isUnderWay = false;
  const fetch = async () => {
    if (isUnderWay || state.peek().status === 'ready') return;
    isUnderWay = true;
    try {
      state.value = { status: 'ready', Loaded: await load() };
    } catch {
      state.value = { status: 'failed', isOffline: !navigator.onLine };
    }
    isUnderWay = false;
  };
  if (!isRare) ahead.push(fetch);
  return function Later(props: Props) {
    const present = state.value;
    useEffect(() => void fetch(), []);
    if (present.status === 'ready') return <present.Loaded {...props} />;
    if (present.status === 'failed') return <NotFetched isOffline={present.isOffline} />;
    return isPage ? <Loading /> : null;
  };
}

/** The first page is surely there by then, also over a slow line. */
const AHEAD_AFTER_MS = 3_000;

/** Fetches what is likely to be opened, one after the other, some time after the start when there is nothing else to do. */
export async function fetchAhead(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, AHEAD_AFTER_MS));
  for (const fetch of ahead) {
    await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 2_000 }));
    await fetch();
  }
}

/** A browser does not ask a second time for code that did not come: only the page anew does. */
function NotFetched({ isOffline }: { isOffline: boolean }) {
  const words = isOffline
    ? 'You are offline. Load the page anew when you are back; what you have written is kept.'
    : 'The server may have a newer version since this page was opened. Load it anew; what you have written is kept.';
  return <Trouble words={words} again="Load the page anew" onAgain={() => location.reload()} isByHand />;
}
