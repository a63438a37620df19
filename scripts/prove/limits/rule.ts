/** A literal implementation of the published rule, without regard to speed or memory. */
export interface RuleNumbers {
  readonly requests: number;
  readonly windowMs: number;
  readonly blockMs: number;
  /** The behavior of a wrong rule, which differs from the product's. */
  readonly wrong?: 'a request extends the block' | 'requests of a block count';
}

export const PUBLISHED: RuleNumbers = { requests: 60, windowMs: 60_000, blockMs: 300_000 };

/** Rules that differ slightly from the published one. The observed responses must contradict each of them. */
export const WRONG_RULES: Readonly<Record<string, RuleNumbers>> = {
  '59 requests': { ...PUBLISHED, requests: 59 },
  '61 requests': { ...PUBLISHED, requests: 61 },
  'a window of 59,999 ms': { ...PUBLISHED, windowMs: 59_999 },
  'a window of 60,001 ms': { ...PUBLISHED, windowMs: 60_001 },
  'a block of 299,999 ms': { ...PUBLISHED, blockMs: 299_999 },
  'a block of 300,001 ms': { ...PUBLISHED, blockMs: 300_001 },
  'a block that requests extend': { ...PUBLISHED, wrong: 'a request extends the block' },
  'requests of a block that count': { ...PUBLISHED, wrong: 'requests of a block count' },
};

/** The limit of one key. All times are in milliseconds of the same clock. */
export class Rule {
  readonly #numbers: RuleNumbers;
  #counted: number[] = [];
  #blockedAt = Number.NEGATIVE_INFINITY;

  constructor(numbers: RuleNumbers) {
    this.#numbers = numbers;
  }

  /** Returns the expected result of a request at this time. */
  check(now: number): string {
    const { requests, windowMs, blockMs, wrong } = this.#numbers;
    if (now < this.#blockedAt + blockMs) {
      if (wrong === 'a request extends the block') this.#blockedAt = now;
      if (wrong === 'requests of a block count') this.#counted.push(now);
      return rejected(this.#blockedAt + blockMs - now);
    }
    const inWindow = this.#counted.filter((at) => at > now - windowMs);
    if (inWindow.length >= requests) {
      this.#blockedAt = now;
      this.#counted = [];
      return rejected(blockMs);
    }
    this.#counted = [...inWindow, now];
    const oldest = this.#counted[0] ?? now;
    return passed(requests - this.#counted.length, oldest + windowMs - now);
  }

  /** Returns the milliseconds until the end of the block; 0 if the key is not blocked. */
  blockLeft(now: number): number {
    return Math.max(0, this.#blockedAt + this.#numbers.blockMs - now);
  }

  /** Applies a server restart: the window does not have to survive it, and does not. */
  forgetWindow(): void {
    this.#counted = [];
  }
}

function passed(left: number, resetMs: number): string {
  return `passed, RateLimit "default";r=${left};t=${Math.ceil(resetMs / 1000)}`;
}

function rejected(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000);
  return `refused, RateLimit "default";r=0;t=${seconds}, Retry-After ${seconds}`;
}
