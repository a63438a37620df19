import type { Item, Member } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { membersPath } from '../hubs/members/members-path.ts';

/** What people are called whom an event names by their ids alone. */
export class UserNames {
  readonly #cli: Cli;
  readonly #names = new Map<string, string>();

  constructor(cli: Cli) {
    this.#cli = cli;
  }

  note(id: string, name: string): void {
    this.#names.set(id, name);
  }

  noteThoseOf(item: Item): void {
    if (item.author.kind === 'person') this.note(item.author.id, item.author.name);
  }

  /** Asks the server only for whom it does not know, and once: whoever is not among the members stays nameless. */
  async of(id: string, hubId: string): Promise<string> {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    try {
      for (const member of await this.#cli.api.all<Member>(membersPath({ id: hubId })))
        this.note(member.id, member.name);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
    }
    const name = this.#names.get(id) ?? 'Somebody';
    this.note(id, name);
    return name;
  }
}
