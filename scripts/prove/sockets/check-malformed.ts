import type { ErrorBody } from '@hub/contract';
import type { Proof } from '@hub/testkit';
import { type Exchange, exchange } from './exchange.ts';
import { goodRequest, type RawCase, rawCases } from './malformed.ts';
import { issueKeys, type Setup } from './setup.ts';

const AT_ONCE = 12;
const CLOSE_MS = 2_000;
/** A key can be used 60 times per minute. */
const PER_KEY = 25;

/** Sends a malformed request, followed by a valid one from another sender, and checks the outcome of both. */
export async function checkMalformed(proof: Proof, setup: Setup): Promise<void> {
  const texts = new Set<string>();
  const note = (name: string): string => {
    texts.add(name);
    return name;
  };
  const { length } = rawCases('', note);
  const keys = await issueKeys(setup, Math.ceil(length / PER_KEY) + 1);
  const other = keys.pop()?.key ?? '';
  const cases = keys.flatMap(({ key }, n) => rawCases(key, note).slice(n * PER_KEY, (n + 1) * PER_KEY));
  const problems: string[] = [];
  const counts = { cut: 0, rejected: 0, stored: 0 };
  const waiting = [...cases];
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      counts[next.fate] += 1;
      const problem = await tryCase(setup.port, next, goodRequest(other, `behind ${next.name}`));
      if (problem) problems.push(`${next.name}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  const stored = await textsOf(setup);
  const good = cases.filter(({ fate }) => fate === 'stored').map(({ name }) => name);
  const wrong = stored.filter((text) => !good.includes(text));
  const missing = good.filter((text) => stored.filter((each) => each === text).length !== 1);
  proof.report(`${cases.length} raw requests: ${counts.cut} cut, ${counts.rejected} rejected, ${counts.stored} stored`);
  proof.check('each raw request has the required outcome', problems.length === 0, problems.join('; '));
  proof.check('no malformed or rejected request is stored, nor what follows it', wrong.length === 0, wrong.join('; '));
  proof.check('unusual but valid requests are stored once', missing.length === 0, missing.join('; '));
}

async function tryCase(
  port: number,
  { fate, bytes, isLeaving = false }: RawCase,
  behind: Buffer,
): Promise<string | null> {
  if (isLeaving) {
    const { statuses } = await exchange(port, bytes, { isLeaving });
    return statuses.includes(201) ? 'got a 201' : null;
  }
  if (fate !== 'cut') return (fate === 'stored' ? storedProblem : rejectedProblem)(await exchange(port, bytes, {}));
  const { statuses, isClosed } = await exchange(port, Buffer.concat([bytes, behind]), { closeMs: CLOSE_MS });
  if (statuses.includes(201)) return `got ${statuses}`;
  return isClosed ? null : `the connection went on after ${statuses}`;
}

function storedProblem({ statuses }: Exchange): string | null {
  return statuses[0] === 201 ? null : `got ${statuses}`;
}

function rejectedProblem({ statuses: [status = 0], received }: Exchange): string | null {
  if (status < 400 || status > 499) return `got ${status}`;
  if (!/\r\nx-request-id: req_/i.test(received)) return `${status} without X-Request-Id`;
  const start = received.indexOf('{');
  const body = JSON.parse(
    start < 0 ? '{}' : received.slice(start, received.indexOf('}', start) + 1),
  ) as Partial<ErrorBody>;
  if (Object.keys(body).sort().join() === 'message,path,statusCode,timestamp' && body.statusCode === status)
    return null;
  return `${status} with ${JSON.stringify(body)}`;
}

/** Returns all items in the Hub. */
async function textsOf({ admin, hub }: Setup): Promise<string[]> {
  const texts: string[] = [];
  for (let before = ''; ; ) {
    const path = `/hubs/${hub.id}/messages?limit=100${before}`;
    const page = await admin.call<{ items: { text: string }[]; next: string | null }>('GET', path);
    texts.push(...page.items.map(({ text }) => text));
    if (page.next === null) return texts;
    before = `&before=${page.next}`;
  }
}
