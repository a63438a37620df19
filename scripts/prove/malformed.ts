/**
 * Promise: malformed HTTP has no effect, nor has anything behind it on the connection (request smuggling).
 *
 * Proof: every kind of malformed request (`sockets/raw-cases.ts`), each followed by a valid one from another sender.
 *
 * `bun run prove:malformed`; there is no long form.
 */
import { join } from 'node:path';
import { exchange, HubServer, problemOfError, runProof, withConcurrency } from '@hub/testkit';
import { goodRequest, type RawCase, rawCases } from './sockets/raw-cases.ts';

/** A key can be used 60 times per minute. */
const CASES_PER_KEY = 25;

/** Accepts requests with two hosts. */
const counterProof = {
  change: {
    file: 'apps/api/src/http/announce-connection.ts',
    find: 'if (host !== null && request !== received) {',
    replace: "if (host === '') {",
  },
  fails: 'no malformed or rejected request is stored',
};

await runProof({ limitSeconds: 90, counterProof }, async (proof) => {
  const server = await new HubServer(join(proof.folder, 'data')).start();
  const [hubId = ''] = await server.admin.createHubs(1);
  const keys = await server.admin.issueKeys([hubId], Math.ceil(rawCases('').length / CASES_PER_KEY) + 1);
  const [other = '', ...own] = keys.map(({ key }) => key);
  const cases = own.flatMap((key, n) => rawCases(key).slice(n * CASES_PER_KEY, (n + 1) * CASES_PER_KEY));
  const outcomes = await withConcurrency(
    cases,
    async (each) => {
      const problem = await problemOfCase(server.port, each, goodRequest(other, `behind ${each.name}`));
      return problem === null ? [] : [`${each.name}: ${problem}`];
    },
    12,
  );
  const stored = (await server.admin.all<{ text: string }>(`/hubs/${hubId}/messages`)).map(({ text }) => text);
  const good = cases.filter(({ fate }) => fate === 'stored').map(({ name }) => name);
  const wrong = stored.filter((text) => !good.includes(text));
  const missing = good.filter((text) => stored.filter((each) => each === text).length !== 1);
  const count = (fate: RawCase['fate']) => cases.filter((each) => each.fate === fate).length;
  proof.report(
    `${cases.length} raw requests: ${count('cut')} cut, ${count('rejected')} rejected, ${good.length} stored`,
  );
  proof.none('each raw request has the required outcome', outcomes.flat());
  proof.none('no malformed or rejected request is stored, nor what follows it', wrong);
  proof.none('unusual but valid requests are stored once', missing);
  proof.none('the log has no errors', server.errors);
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
});

/** Sends a malformed request, followed by a valid one from another sender, and describes what is wrong; null: nothing. */
async function problemOfCase(port: number, { fate, bytes, isLeaving = false }: RawCase, behind: Buffer) {
  if (isLeaving) return (await exchange(port, bytes, { isLeaving })).statuses.includes(201) ? 'got a 201' : null;
  if (fate === 'cut') {
    const { statuses, isClosed } = await exchange(port, Buffer.concat([bytes, behind]), { closeMs: 2_000 });
    if (statuses.includes(201)) return `got ${statuses}`;
    return isClosed ? null : `the connection went on after ${statuses}`;
  }
  const { statuses, received } = await exchange(port, bytes);
  const [status = 0] = statuses;
  if (fate === 'stored') return status === 201 ? null : `got ${statuses}`;
  if (status < 400 || status > 499) return `got ${status}`;
  if (!/\r\nx-request-id: req_/i.test(received)) return `${status} without X-Request-Id`;
  const start = received.indexOf('{');
  return problemOfError(status, start < 0 ? '' : received.slice(start, received.indexOf('}', start) + 1));
}
