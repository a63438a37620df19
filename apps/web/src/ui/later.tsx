import { type ReadonlySignal, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Loading } from '../frame/loading.tsx';
import { PageBar } from '../frame/page-bar.tsx';
import { Trouble } from '../frame/trouble.tsx';
import { useAgain } from '../frame/use-again.ts';
import type { Hubs } from '../hubs/hubs.ts';

interface LaterOptions {
  /** It fills a page: meanwhile words say that it is coming. */
  isPage?: boolean;
  /** It is all of a page, of this title: until it is there, the page is drawn around what stands in its place. */
  title?: string;
  /** Hardly anybody opens it: its code is not fetched ahead. */
  isRare?: boolean;
}

type State<Props> =
  | { status: 'loading' }
  | { status: 'ready'; Loaded: ComponentType<Props> }
  | { status: 'failed'; why: Why };

/** `gone`: the server answers, but does not have this code any more. */
type Why = 'offline' | 'unreachable' | 'gone';

/** Each says whether it is there. */
const ahead: (() => Promise<boolean>)[] = [];

/**
 * A component whose code comes apart from the first load: when it is first drawn, or a little earlier by `fetchAhead`. If
 * it does not come, it says why and how to go on.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isPage = false, title, isRare = false }: LaterOptions = {},
): ComponentType<Props> {
  const state = signal<State<Props>>({ status: 'loading' });
  let isUnderWay = false;
  const fetch = async () => {
    if (!isUnderWay && state.peek().status !== 'ready') {
      isUnderWay = true;
      state.value = await loadSurely(load);
      isUnderWay = false;
    }
    return state.peek().status === 'ready';
  };
  if (!isRare) ahead.push(fetch);
  return function Later(props: Props) {
    const present = state.value;
    useEffect(() => void fetch(), []);
    if (present.status === 'ready') return <present.Loaded {...props} />;
    const instead =
      present.status === 'failed' ? <NotFetched why={present.why} onAgain={fetch} /> : isPage ? <Loading /> : null;
    if (title === undefined) return instead;
    return (
      <main class="main" id="main" aria-busy={present.status === 'loading'}>
        <PageBar title={title} />
        {instead}
      </main>
    );
  };
}

/** The first page is surely there by then, also over a slow line. */
const AHEAD_AFTER_MS = 3_000;

/**
 * Fetches what is likely to be opened, one after the other, some time after the start when there is nothing else to do; none of it
 * while the server is away.
 */
export async function fetchAhead({ connection }: Pick<Hubs, 'connection'>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, AHEAD_AFTER_MS));
  for (const fetch of ahead) {
    await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 2_000 }));
    await until(connection, ({ status }) => status === 'live');
    if (await fetch()) continue;
    // It fails before the connection has noticed. What has failed is asked for by whoever opens it.
    await until(connection, ({ status }) => status !== 'live');
  }
}

async function until<T>(state: ReadonlySignal<T>, isSo: (value: T) => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = state.subscribe((value) => {
      if (!isSo(value)) return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

/** What failed on the way is asked for once more, if the server can be reached: only what fails then may be gone. */
async function loadSurely<Props>(load: () => Promise<ComponentType<Props>>): Promise<State<Props>> {
  for (let isAgain = false; ; isAgain = true) {
    try {
      return { status: 'ready', Loaded: await load() };
    } catch {
      const isThere = await isServerThere();
      if (!isThere) return { status: 'failed', why: navigator.onLine ? 'unreachable' : 'offline' };
      if (isAgain) return { status: 'failed', why: 'gone' };
    }
  }
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/api/v1', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

const WORDS: Readonly<Record<Why, string>> = {
  offline: 'You are offline. It is loaded by itself when you are back.',
  unreachable: 'The server cannot be reached. It is loaded by itself when the server is back.',
  gone: 'The server may have a newer version since this page was opened. Load it anew; what you have written is kept.',
};

/** It is asked for again by itself, too: browsers fetch code anew that did not come. */
function NotFetched({ why, onAgain }: { why: Why; onAgain: () => Promise<unknown> }) {
  useAgain(onAgain);
  return why === 'gone' ? (
    <Trouble words={WORDS[why]} again="Load the page anew" onAgain={() => location.reload()} isByHand />
  ) : (
    <Trouble words={WORDS[why]} onAgain={onAgain} isByHand />
  );
}
