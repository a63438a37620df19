/**
 * Interfaces to everything outside the application, passed in as arguments. main.ts has the real implementations,
 * packages/testkit those for tests. Nothing else reads the time, makes random numbers or accesses the process.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970 UTC. It can jump forward and back. */
  now(): number;
  /** Milliseconds since an arbitrary start. Never decreases, so use it for durations, whatever the clock does. */
  monotonic(): number;
  sleep(ms: number): Promise<void>;
  /** `null` where the operating system does not provide it. */
  sinceBoot(): SinceBoot | null;
}

/** Time unaffected by process restarts and clock changes, for measuring durations across restarts. */
export interface SinceBoot {
  /** Identifies this boot of the machine. Times of different boots cannot be compared. */
  boot: string;
  /** Milliseconds since boot, in steps of 10. */
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

/** Structured logging; the first argument holds the fields, never a secret. An error is the field `err`. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Sends encrypted notifications to the push services of browsers. */
export interface PushTransport {
  /** Whether it also allows this machine, its local network, and plain http: for tests and development. */
  readonly isLocalAllowed: boolean;
  /** Sends one POST, without redirects. Rejects after a timeout, or if the address cannot be a push service. */
  post(request: PushRequest): Promise<PushResponse>;
}

interface PushResponse {
  status: number;
  retryAfter: string | null;
  /** The beginning of the body of an error, which says why the service rejected the notification. */
  reason: string;
}

export interface PushRequest {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer>;
}

/** Sends mails. */
export interface MailTransport {
  /** Host and port of the mail server. */
  readonly server: string;
  /** The e-mail address of the sender. */
  readonly from: string;
  /** @throws MailError */
  send(mail: OutgoingMail): Promise<void>;
}

export interface OutgoingMail {
  id: string;
  /** An e-mail address. */
  to: string;
  workspaceName: string;
  subject: string;
  text: string;
  html: string;
}

/** The certificate with which the server shows itself to clients. */
export interface CertificateStatus {
  /** Milliseconds since 1970 UTC. */
  readonly expiresAt: number;
  /** Why clients reject it now or soon, and what to do, as whole sentences. */
  readonly problem: string | null;
}
