import type { HubEvent } from './frames.ts';
import { LiveConnection } from './live-connection.ts';
import type { EventsOptions, Following, FollowOptions, Live, LiveOptions } from './options.ts';

/**
 * Opens a live connection to a Hub server, which reconnects automatically.
 *
 * ```ts
 * const live = connectLive({ baseUrl: 'https://hub.example.com', token });
 * for await (const event of live.events(hubId)) console.log(event);
 * ```
 *
 * @throws TypeError if an option is invalid or unknown.
 */
export function connectLive(options: LiveOptions = {}): Live {
  return new IteratedConnection(options);
}

/** Adds what the web app does without: events as an iterator, and reloading after a reset. Their code loads on demand. */
class IteratedConnection extends LiveConnection implements Live {
  /** Ends the iterations of `events`. */
  readonly #closed = new AbortController();

  override follow(hubId: string, options: FollowOptions): Following {
    const {
      onEvent,
      onReset = async (reset) => (await import('./reload.ts')).reload(hub, this.options, onEvent, reset),
    } = options;
    const hub: Following = super.follow(hubId, { ...options, onReset });
    return hub;
  }

  async *events(hubId: string, options?: EventsOptions): AsyncGenerator<HubEvent, void, undefined> {
    yield* (await import('./events.ts')).eventsOf(this, hubId, options, this.#closed);
  }

  override close(): void {
    super.close();
    this.#closed.abort();
  }
}
