import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { Hubs } from '../../data/hubs/hubs.ts';
import { isServerReachable } from '../../data/reachable.ts';
import { typeAhead } from '../../lib/keyboard/shortcuts.ts';
import { ErrorNotice, Loading, useRetry } from './load-states.tsx';
import { Page } from './navigation.tsx';

interface LazyOptions<Props> {
  /** Whether the component fills a page, which then shows a message while loading. */
  isPage?: boolean;
  /** The path of the page. If the app starts there, its code loads alongside the session. */
  path?: string;
  /** The title of the page, rendered around the placeholder until the code has loaded. */
  title?: string;
  /** Renders a frame around the placeholder. `isComing`: still loading. */
  around?: (props: Props, instead: ComponentChildren, isComing: boolean) => ComponentChildren;
  /** Whether the component is rarely opened, so that its code is not prefetched. */
  isRare?: boolean;
  /** Whether the component focuses a field when it opens. It then gets what is typed while it loads. */
  takesText?: boolean;
}

/** Returns a component whose code loads on its first render or ahead of it, with a retry button on failure. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isPage = false, path, title, around, isRare = false, takesText = false }: LazyOptions<Props> = {},
): ComponentType<Props> {
  const code = new LazyModule(async () => (await Promise.all([load(), loadStyles()]))[0], { isAhead: !isRare });
  const fetch = () => code.fetch();
  if (path !== undefined && isBelow(path)) void fetch();
  return function Lazy(props: Props) {
    const present = code.state.value;
    useEffect(() => void fetch(), []);
    const isComing = takesText && present.status === 'loading';
    useLayoutEffect(() => (isComing ? typeAhead() : undefined), [isComing]);
    if (present.status === 'ready') return <present.code {...props} />;
    const instead =
      present.status === 'failed' ? <NotFetched why={present.why} onRetry={fetch} /> : isPage ? <Loading /> : null;
    if (around) return <>{around(props, instead, present.status === 'loading')}</>;
    if (title === undefined) return instead;
    return (
      <Page title={title} isBusy={present.status === 'loading'}>
        {instead}
      </Page>
    );
  };
}

let styles: Promise<void> | null = null;

/** Loads the style sheet that all lazy code shares. @throws if it cannot be loaded; the next call tries again. */
function loadStyles(): Promise<void> {
  styles ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = document.querySelector<HTMLMetaElement>('meta[name="hub-page-styles"]')?.content ?? '';
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      styles = null;
      reject(new Error('The style sheet could not be loaded'));
    };
    document.head.append(link);
  });
  return styles;
}

function isBelow(path: string): boolean {
  const { pathname } = globalThis.location;
  return pathname === path || pathname.startsWith(`${path}/`);
}

const TEXTS: Readonly<Record<WhyNotFetched, string>> = {
  offline: 'You’re offline. This loads automatically when you’re back.',
  unreachable: 'Can’t reach the server. This loads automatically when the server is back.',
  gone: 'The server may have been updated since you opened this page. Reload to continue; your drafts are saved.',
};

/** The error for code that failed to load. It also retries automatically. */
function NotFetched({ why, onRetry }: { why: WhyNotFetched; onRetry: () => Promise<unknown> }) {
  useRetry(onRetry);
  return why === 'gone' ? (
    <ErrorNotice text={TEXTS[why]} retryLabel="Reload page" onRetry={() => location.reload()} isByHand />
  ) : (
    <ErrorNotice text={TEXTS[why]} onRetry={onRetry} isByHand />
  );
}

type LazyState<Code> =
  | { status: 'loading' }
  | { status: 'ready'; code: Code }
  | { status: 'failed'; why: WhyNotFetched };

/** `gone`: the server responds, but no longer has this code. */
type WhyNotFetched = 'offline' | 'unreachable' | 'gone';

const ahead: LazyModule<unknown>[] = [];

/** Code that is not part of the initial page load. */
class LazyModule<Code> {
  readonly #load: () => Promise<Code>;
  readonly #state: Signal<LazyState<Code>> = signal<LazyState<Code>>({ status: 'loading' });
  readonly state: ReadonlySignal<LazyState<Code>> = this.#state;
  #underWay: Promise<void> | null = null;

  /** `isAhead`: whether `fetchAhead` prefetches it. */
  constructor(load: () => Promise<Code>, { isAhead }: { isAhead: boolean }) {
    this.#load = load;
    if (isAhead) ahead.push(this);
  }

  /** Fetches the code once. Returns whether it has loaded. */
  async fetch(): Promise<boolean> {
    if (this.#state.peek().status !== 'ready') {
      this.#underWay ??= this.#fetch();
      await this.#underWay;
    }
    return this.#state.peek().status === 'ready';
  }

  async #fetch(): Promise<void> {
    const before = this.#state.peek();
    const after = await loadWithRetry(this.#load);
    this.#underWay = null;
    // Some browsers keep a failed import until the page is reloaded (seen with Chromium 150), so one that failed during
    // an outage cannot succeed afterwards. Drafts survive a reload.
    if (isGone(after) && before.status === 'failed' && !isGone(before)) location.reload();
    else this.#state.value = after;
  }
}

function isGone(state: LazyState<unknown>): boolean {
  return state.status === 'failed' && state.why === 'gone';
}

/** Long enough for the first page to load, even over a slow connection. */
const AHEAD_AFTER_MS = 3_000;

/**
 * Prefetches code that is likely to be used, one module at a time, while the browser is idle and connected, unless it is
 * asked to save data.
 */
export async function fetchAhead({ connection }: Pick<Hubs, 'connection'>): Promise<void> {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  await new Promise((resolve) => setTimeout(resolve, AHEAD_AFTER_MS));
  for (const code of ahead) {
    await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 2_000 }));
    await until(connection, ({ status }) => status === 'live');
    if (await code.fetch()) continue;
    // A fetch can fail before the connection notices an outage. Opening the code fetches it again.
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

/** Loads code, with one retry if the server can be reached: a second failure means that the code is gone. */
async function loadWithRetry<Code>(load: () => Promise<Code>): Promise<LazyState<Code>> {
  for (let isRetry = false; ; isRetry = true) {
    try {
      return { status: 'ready', code: await load() };
    } catch {
      const isReachable = await isServerReachable();
      if (!isReachable) return { status: 'failed', why: navigator.onLine ? 'unreachable' : 'offline' };
      if (isRetry) return { status: 'failed', why: 'gone' };
    }
  }
}
