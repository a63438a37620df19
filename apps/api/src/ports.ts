/**
 * What the use-cases need from outside, passed in as arguments. Real ones are built in main.ts, test ones in
 * testing/; nothing else reads the time, draws randomness or touches the process.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970 UTC. It can jump either way. */
  now(): number;
  /** Milliseconds from an arbitrary start that only ever rise: for spans that a changed wall clock must not stretch. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds of monotonic time. */
  sleep(ms: number): Promise<void>;
  /** `null` on a machine that does not tell. */
  sinceBoot(): SinceBoot | null;
}

/** Time that outlives this process and follows no clock that is set: what is left of a span after a restart is read from it. */
export interface SinceBoot {
  /** Names this start of the machine. Times of different starts cannot be compared. */
  boot: string;
  /** Milliseconds since the machine started, in steps of 10. */
  ms: number;
}

/** Cryptographically secure randomness. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** Slow, salted hashing of passwords. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
}

/** Structured logging; the first argument holds the fields, never a secret. The shape is pino's. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Hands sealed notices to the push services of browsers. */
export interface PushTransport {
  /** Whether it also goes to this machine and its network, and without https: for tests and development. */
  readonly isLocalAllowed: boolean;
  /**
   * One POST; redirects are not followed. Rejects if there is no answer in time, or if the address leads to where no push service
   * can be.
   */
  post(request: PushRequest): Promise<{ status: number; retryAfter: string | null }>;
}

export interface PushRequest {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer>;
}
