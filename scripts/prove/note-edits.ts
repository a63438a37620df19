/**
 * Promise: a note is never overwritten unseen. Of simultaneous edits of the same version exactly one succeeds, and the
 * others get 409 with nothing changed. Every acknowledged edit is there after a kill of the server, and the version
 * counts exactly the edits that are there: the acknowledged ones and, after a kill, those that got no response.
 *
 * Proof: members edit each of several notes at the same moment, all from the same version, and each adds a line of its
 * own. An edit that overwrites another one thus removes its line. In every fifth round, the server is killed,
 * in turn at the first response and at a random moment. In the end, the lines of each note are compared with the
 * responses.
 *
 * Short form: `bun run prove:note-edits`. Long form: `--rounds 100`. `--notes` is at most 100, and `--seed` chooses the
 * moments of the kills.
 */
import { join } from 'node:path';
import type { Note } from '@hub/contract';
import {
  createUser,
  HubServer,
  openConnection,
  problemOfError,
  proofOptions,
  type RawResponse,
  rawRequest,
  runProof,
  seeded,
  withConcurrency,
} from '@hub/testkit';

const { notes: noteCount, rivals, rounds, seed } = proofOptions({ notes: 4, rivals: 16, rounds: 20, seed: 1 });
const MEMBERS = 3;
const ROUNDS_PER_KILL = 5;

const CHANGE_ITEM = 'apps/api/src/workspace/items/change-item.ts';

const counterProof = [
  /** Reads the note as it was before the transaction, so that edits of one batch do not see each other. */
  {
    change: {
      file: CHANGE_ITEM,
      find: 'findUndeletedItem(tx, current',
      replace: 'findUndeletedItem(deps.store, current',
    },
    fails: 'exactly one edit of each version succeeds',
  },
  /** Responds to a large batch before its commit. Small ones must work, since the proof creates users. */
  {
    change: {
      file: 'apps/api/src/storage/sqlite/engine/group-commit.ts',
      find: 'report = this.#commit(outcomes);',
      replace: `if (outcomes.length > 3) {
        for (const { waiting, value, error } of outcomes) error ? waiting.reject(error) : waiting.resolve(value);
        await Bun.sleep(200);
      }
      report = this.#commit(outcomes);`,
    },
    fails: 'every acknowledged edit is there',
  },
  /** Counts one edit as two. */
  {
    change: { file: CHANGE_ITEM, find: 'version: item.version + 1', replace: 'version: item.version + 2' },
    fails: 'the version counts exactly the edits',
  },
];

interface Edit {
  readonly noteId: string;
  readonly line: string;
  readonly request: string;
  /** Undefined if the server was killed first. */
  readonly response?: RawResponse | undefined;
}

await runProof({ limitSeconds: 300, counterProof }, async (proof) => {
  const random = seeded(seed);
  const server = await new HubServer(join(proof.folder, 'data')).start();
  const hubId = (await server.admin.createHub('Notes')).id;
  const members = await withConcurrency(Array.from({ length: MEMBERS }), (_, n) =>
    createUser(server, { name: `Member ${n}`, hubIds: [hubId] }),
  );
  for (let n = 0; n < noteCount; n += 1) await members[0]?.send('POST', `/hubs/${hubId}/notes`, { content: 'A note' });

  const load = () => server.admin.call<{ items: Note[]; seq: number }>('GET', `/hubs/${hubId}/notes?limit=100`);
  const editsOf = ({ id, version, content }: Note, round: number): Edit[] =>
    Array.from({ length: rivals }, (_, n) => {
      const line = `Edit ${round}.${n}`;
      const body = JSON.stringify({ content: `${content}\n${line}`, baseVersion: version });
      const bearer = members[n % MEMBERS]?.token ?? '';
      return { noteId: id, line, request: rawRequest({ method: 'PATCH', path: `/api/v1/notes/${id}`, bearer, body }) };
    });
  /** How long the last round without a kill took. */
  let roundMs = 0;
  let kills = 0;
  /** Sends all edits at the same moment. */
  const sendAll = async (edits: readonly Edit[], isKill: boolean): Promise<Edit[]> => {
    const connections = await Promise.all(edits.map(() => openConnection(server.port)));
    const responses = connections.map((each, n) => each.send(edits[n]?.request ?? '').catch(() => undefined));
    const sentAt = performance.now();
    if (isKill) {
      kills += 1;
      await (kills % 2 ? Promise.race(responses) : Bun.sleep(random() * roundMs));
      await server.restart('SIGKILL');
    }
    const sent = await Promise.all(edits.map(async (edit, n) => ({ ...edit, response: await responses[n] })));
    if (!isKill) roundMs = performance.now() - sentAt;
    for (const connection of connections) connection.close();
    return sent;
  };

  const start = await load();
  let { items: notes, seq } = start;
  const all: Edit[] = [];
  const notOne: string[] = [];
  const notRejected: string[] = [];
  const changedAfter: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const isKill = round % ROUNDS_PER_KILL === 0;
    const edits = notes.flatMap((note) => editsOf(note, round));
    const sent = await sendAll(edits, isKill);
    all.push(...sent);
    ({ items: notes, seq } = await load());
    for (const note of notes) {
      const responses = sent.flatMap(({ noteId, response }) => (noteId === note.id && response ? [response] : []));
      const [success, ...more] = responses.filter(({ status }) => status === 200);
      if (more.length > 0 || !(success || isKill)) notOne.push(`round ${round}`);
      const others = responses.filter(({ status }) => status !== 200);
      notRejected.push(...others.flatMap(({ status, body }) => problemOfError(status, body, 409) ?? []));
      const isChanged = success && !Bun.deepEquals(JSON.parse(success.body), note);
      if (isChanged) changedAfter.push(`version ${note.version} in round ${round}`);
    }
  }

  const linesOf = new Map(notes.map(({ id, content }) => [id, content.split('\n')]));
  const isThere = ({ noteId, line }: Edit): boolean => linesOf.get(noteId)?.includes(line) ?? false;
  const shown = ({ line, response }: Edit): string => `${line}: ${response?.status ?? 'no response'}`;
  const acknowledged = all.filter(({ response }) => response?.status === 200);
  const unanswered = all.filter(({ response }) => !response);
  const rejected = all.filter(({ response }) => response && response.status !== 200);
  const lost = acknowledged.filter((edit) => !isThere(edit));
  const lines = [...linesOf.values()].reduce((sum, { length }) => sum + length - 1, 0);
  const miscounted = notes.flatMap(({ id, version }) => {
    const wanted = linesOf.get(id)?.length;
    return version === wanted ? [] : `${version} instead of ${wanted}`;
  });

  proof.report(`${unanswered.length} edits got no response, of which ${unanswered.filter(isThere).length} took effect`);
  proof.none('exactly one edit of each version succeeds', notOne, `${acknowledged.length} of ${all.length}`);
  proof.none('the others get 409', notRejected, String(rejected.length));
  proof.none('the note is as the edit that succeeded returned it', changedAfter);
  proof.none('no rejected edit is there', rejected.filter(isThere).map(shown));
  proof.none('every acknowledged edit is there', lost.map(shown), `${acknowledged.length} edits, ${kills} kills`);
  proof.none('the version counts exactly the edits that are there', miscounted, `${lines} edits`);
  proof.check('rejected edits cause no events', seq - start.seq === lines, `${seq - start.seq} events`);
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
});
