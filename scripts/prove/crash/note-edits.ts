import type { Note } from '@hub/contract';
import { createUser, type HubServer, problemOfError, rawRequest, sendEach, type TestUser } from '@hub/testkit';

const RIVALS = 6;

/** A note, and what is known of its lines. Each edit adds a line of its own, so an edit that overwrites one removes it. */
export class EditedNote {
  readonly problems = { overwritten: [] as string[], lost: [] as string[], miscounted: [] as string[] };
  /** The number of edits that got a 200, and of edits that got no response. */
  acknowledged = 0;
  withoutResponse = 0;
  readonly #server: HubServer;
  readonly #member: TestUser;
  readonly #kept: string[] = [];
  readonly #rejected = new Set<string>();
  #note: Note;
  #isStopped = false;

  private constructor(server: HubServer, member: TestUser, note: Note) {
    this.#server = server;
    this.#member = member;
    this.#note = note;
  }

  static async create(server: HubServer, hubId: string): Promise<EditedNote> {
    const member = await createUser(server, { name: 'Ada', hubIds: [hubId] });
    const response = await member.send('POST', `/hubs/${hubId}/notes`, { content: 'A note' });
    return new EditedNote(server, member, (await response.json()) as Note);
  }

  /** Sends edits of the same version at the same moment, again and again, until the server has exited. */
  async edit(): Promise<void> {
    this.#isStopped = false;
    for (let turn = 0; !this.#isStopped; turn += 1) await this.#editOnce(`${this.#server.startsMs.length}.${turn}`);
  }

  async #editOnce(name: string): Promise<void> {
    const { id, version, content } = this.#note;
    const lines = Array.from({ length: RIVALS }, (_, n) => `Edit ${name}.${n}`);
    const requests = lines.map((line) => {
      const body = JSON.stringify({ content: `${content}\n${line}`, baseVersion: version });
      return rawRequest({ method: 'PATCH', path: `/api/v1/notes/${id}`, bearer: this.#member.token, body });
    });
    const responses = new Set<number>();
    let successes = 0;
    let isStopping = false;
    await sendEach(this.#server.port, requests, ({ status, body }, n) => {
      responses.add(n);
      if (status === 200) {
        successes += 1;
        this.#kept.push(lines[n] as string);
        this.#note = JSON.parse(body) as Note;
      } else {
        this.#rejected.add(lines[n] as string);
        // A server that stops does not begin another edit.
        isStopping ||= status === 503;
        const problem = problemOfError(status, body, status === 503 ? 503 : 409);
        if (problem) this.problems.overwritten.push(problem);
      }
    });
    this.acknowledged += successes;
    this.withoutResponse += RIVALS - responses.size;
    this.#isStopped = responses.size < RIVALS;
    const isOne = successes === 1 || (successes === 0 && (this.#isStopped || isStopping));
    if (!isOne) this.problems.overwritten.push(`${successes} edits of version ${version} succeed`);
  }

  /** Compares the note with the responses. */
  async inspect(): Promise<void> {
    const { items } = await this.#server.admin.call<{ items: Note[] }>(
      'GET',
      `/hubs/${this.#note.hubId}/notes?limit=100`,
    );
    const note = items.find(({ id }) => id === this.#note.id) ?? this.#note;
    const lines = note.content.split('\n');
    this.problems.lost.push(...this.#kept.filter((line) => !lines.includes(line)));
    this.problems.overwritten.push(...lines.filter((line) => this.#rejected.has(line)));
    if (note.version !== lines.length) this.problems.miscounted.push(`${note.version} instead of ${lines.length}`);
    this.#note = note;
  }
}
