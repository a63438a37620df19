import { type HubResponse, openConnection } from '../connection.ts';

const CONNECTIONS = 4;
/** Requests per connection before the end, so that no key meets its limit. */
const MAX_BEFORE = 12;
/** Requests per connection after the end. Together they are fewer than the failures after which an address is slowed. */
const LATE = 2;

/** Something that lets its holder post, and how it is ended. */
export interface Subject {
  readonly name: string;
  /** An address of its own, so that nobody's failures slow another. */
  readonly address: string;
  /** A post, answered 201 as long as it is accepted. */
  readonly request: string;
  readonly end: () => Promise<void>;
  /** The expected status from then on. */
  readonly rejected: number;
}

export interface Outcome {
  accepted: number;
  /** Requests that were sent after the response to the end had come. */
  late: number;
  problems: string[];
}

/** Posts over several connections all the while, ends it at some moment, and posts on. */
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

/** One of as many addresses as anybody needs, all of this machine (Linux). */
export function addressOf(n: number): string {
  const number = n + 1;
  return `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
}

/** Returns the current status. */
export async function ask(port: number, { address, request }: Pick<Subject, 'address' | 'request'>): Promise<number> {
  const connection = await openConnection(port, address);
  const { status } = await connection.send(request);
  connection.close();
  return status;
}
