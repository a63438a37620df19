import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ResourceState } from '../../data/live/workspace.ts';
import { route } from '../../lib/router/location.ts';
import { ErrorNotice, Loading } from '../page/load-states.tsx';

interface PageBodyProps {
  title: string;
  about?: string;
  /** `own`: a column of sections. */
  variant?: 'is-own' | 'is-own hub-settings' | 'keys-page';
  /** The link to the list that the page belongs to, above its header. */
  back?: ComponentChildren;
  action?: ComponentChildren;
  children?: ComponentChildren;
}

export function PageBody({ title, about, variant, back, action, children }: PageBodyProps) {
  const body = useScrollPosition();
  return (
    <div class={variant === undefined ? 'settings-in' : `settings-in ${variant}`} ref={body}>
      {back}
      <div class="page-head">
        <div>
          <h1>{title}</h1>
          {about !== undefined && <p>{about}</p>}
        </div>
        {action}
      </div>
      {children}
    </div>
  );
}

/** The scroll positions of history entries in this tab. */
const positions = new Map<string, number>();

/** Opens a page at its top or, after going back, at the earlier position. All pages of the settings scroll in one box. */
function useScrollPosition() {
  const { key } = route.value;
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    body.current?.parentElement?.scrollTo(0, positions.get(key) ?? 0);
  }, []);
  useLayoutEffect(() => {
    const box = body.current?.parentElement;
    const save = () => positions.set(key, box?.scrollTop ?? 0);
    box?.addEventListener('scroll', save, { passive: true });
    return () => box?.removeEventListener('scroll', save);
  }, [key]);
  return body;
}

/** A part of a page under its own heading. */
export function Section(props: { id: string; title: ComponentChildren; children: ComponentChildren }) {
  const { id, title, children } = props;
  return (
    <section class="settings-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** An entry of `<dl class="profile-facts">`. */
export function ProfileFact(props: { name: string; help?: string; children: ComponentChildren }) {
  const { name, help, children } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {help !== undefined && <span class="help">{help}</span>}
      </dd>
    </div>
  );
}

interface LoadedProps<T> {
  state: ResourceState<T>;
  onRetry: () => unknown;
  children: (value: T) => ComponentChildren;
}

/** Renders a value once it has loaded; a loading message or an error until then. */
export function Loaded<T>({ state, onRetry, children }: LoadedProps<T>) {
  if (state.status === 'loading') return <Loading />;
  if (state.status === 'failed') return <ErrorNotice text={state.text} onRetry={onRetry} />;
  return <>{children(state.value)}</>;
}
