import { HubApiError } from '../api-errors.ts';
import { onAbort } from '../on-abort.ts';
import type { EventFrame, HubEvent } from './frames.ts';
import type { EventsOptions, Live } from './options.ts';

/** Yields the events of a Hub. `closed` is aborted when the connection is closed. */
export async function* eventsOf(
  live: Live,
  hubId: string,
  { signal, ...options }: EventsOptions = {},
  closed: AbortController,
): AsyncGenerator<HubEvent, void, undefined> {
  signal?.throwIfAborted();
  let current: { event: EventFrame; done: () => void } | undefined;
  let end: { error?: unknown } | undefined;
  let wake = (): void => {};
  const finish = (result: { error?: unknown }): void => {
    end ??= result;
    wake();
  };
  const stopListening = [
    onAbort(closed.signal, () => finish({})),
    onAbort(signal, () => finish({ error: signal?.reason })),
  ];
  const following = live.follow(hubId, {
    ...options,
    // The next event waits until this one is done.
    onEvent: (event) => {
      if (isErased(event)) return;
      return new Promise<void>((done) => {
        current = { event, done };
        wake();
      });
    },
    onEnd: ({ code, message }) => {
      const status = code === 'unauthenticated' ? 401 : code === 'forbidden' || code === 'not_member' ? 403 : 404;
      const details = { message, timestamp: new Date().toISOString(), path: hubId };
      finish({ error: new HubApiError({ status, headers: new Headers(), ...details }) });
    },
  });
  try {
    for (;;) {
      if (current) {
        const { event, done } = current;
        current = undefined;
        yield event as HubEvent;
        done();
      } else if (end) {
        if ('error' in end) throw end.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    for (const stop of stopListening) stop();
    following.stop();
  }
}

/** Returns whether an event is about an item of which nothing is left. Its deletion follows. */
function isErased({ event, data }: EventFrame): boolean {
  return 'kind' in data && !('createdAt' in data) && !event.endsWith('.deleted');
}
