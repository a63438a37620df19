import type { EventFrame } from '@hub/contract';
import { isItem } from '@hub/testkit';

/** Milliseconds from just before a post is sent until its event arrives at each socket. */
export class Latencies {
  readonly #sentAt = new Map<number, number>();
  #serial = 0;
  #samples: number[] | undefined;

  /** The number of the post that is being sent. */
  send(): number {
    this.#serial += 1;
    this.#sentAt.set(this.#serial, performance.now());
    return this.#serial;
  }

  arrived(event: EventFrame): void {
    if (!this.#samples) return;
    const sentAt = this.#sentAt.get(serialOf(event) ?? 0);
    if (sentAt !== undefined) this.#samples.push(performance.now() - sentAt);
  }

  /** Starts measuring. Posts sent earlier are ignored. */
  begin(): void {
    this.#sentAt.clear();
    this.#samples = [];
  }

  /** Stops measuring. Returns all latencies since `begin`, in milliseconds. */
  end(): readonly number[] {
    const samples = this.#samples ?? [];
    this.#samples = undefined;
    return samples;
  }
}

/** The prefix of a measured post, followed by its number. */
const MARK = '@@';
export const marked = (serial: number, text: string): string => `${MARK}${serial} ${text}`;

/** Returns the number of a measured post if this event is its creation and not a change to it. */
function serialOf({ event, data }: EventFrame): number | undefined {
  if (!event.endsWith('.created') || !isItem(data) || data.key === null) return undefined;
  const text = data.kind === 'message' ? data.text : data.title;
  return text?.startsWith(MARK) ? Number.parseInt(text.slice(MARK.length), 10) : undefined;
}
