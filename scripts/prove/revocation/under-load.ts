import { type HubResponse, openConnection } from '../connection.ts';

const CONNECTIONS = 4;
/** The number of requests per connection before the revocation, small enough that no key reaches its limit. */
const MAX_BEFORE = 12;
/**
 * The number of requests per connection after the revocation. Their total is below the number of failures that slow
 * down an address.
 */
const LATE = 2;

/** A credential that allows posting, and how it is revoked. */
export interface Subject {
  readonly name: string;
  /** A separate address for each credential, so that the failures of one do not slow down another. */
  readonly address: string;
  /** A post, which gets a 201 while the credential is accepted. */
  readonly request: string;
  readonly end: () => Promise<void>;
  /** The expected status after the revocation. */
  readonly rejected: number;
}

export interface Outcome {
  accepted: number;
  /** Requests that were sent after the response to the revocation had arrived. */
  late: number;
  problems: string[];
}

/** Posts over several connections, revokes the credential at some point, and continues to post. */
export async function endUnderLoad(port: number, subject: Subject): Promise<Outcome> {
  const { name, address, request, rejected } = subject;
  const outcome: Outcome = { accepted: 0, late: 0, problems: [] };
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port, address)));
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let isEnded = false;
  let untilEnd = Math.floor(Math.random() * CONNECTIONS * 6);
  const note = ({ status }: HubResponse, isLate: boolean): void => {
    if (status === 201) outcome.accepted += 1;
    if (isLate) outcome.late += 1;
    const isProblem = isLate ? status !== rejected : status !== 201 && status !== rejected;
    if (isProblem) outcome.problems.push(`${name}: ${status} ${isLate ? 'after it had ended' : 'meanwhile'}`);
    untilEnd -= 1;
    if (untilEnd < 0) begun.resolve();
  };
  const posting = connections.map(async (connection) => {
    for (let sent = 0; sent < MAX_BEFORE && !isEnded; sent += 1) note(await connection.send(request), false);
    await ended.promise;
    for (let sent = 0; sent < LATE; sent += 1) note(await connection.send(request), true);
    connection.close();
  });
  await begun.promise;
  await subject.end();
  isEnded = true;
  ended.resolve();
  await Promise.all(posting);
  return outcome;
}

/** Returns a new loopback address of this machine (Linux). There are enough for all credentials. */
export function addressOf(n: number): string {
  const number = n + 1;
  return `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
}

/** Sends the subject's request and returns the status of the response. */
export async function ask(port: number, { address, request }: Pick<Subject, 'address' | 'request'>): Promise<number> {
  const connection = await openConnection(port, address);
  const { status } = await connection.send(request);
  connection.close();
  return status;
}
