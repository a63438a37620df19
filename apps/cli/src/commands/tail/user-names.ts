import type { Item, Member } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { membersPath } from '../hubs/members/members-path.ts';

/** Names of users that events identify only by ID. */
export class UserNames {
  readonly #cli: Cli;
  readonly #names = new Map<string, string>();

  constructor(cli: Cli) {
    this.#cli = cli;
  }

  set(id: string, name: string): void {
    this.#names.set(id, name);
  }

  noteThoseOf(item: Item): void {
    if (item.author.kind === 'person') this.set(item.author.id, item.author.name);
  }

  /** Returns the name of a user. If the name is unknown, lists the members of the Hub, but only once for each user. */
  async of(id: string, hubId: string): Promise<string> {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    try {
      for (const member of await this.#cli.api.all<Member>(membersPath({ id: hubId })))
        this.set(member.id, member.name);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
    }
    const name = this.#names.get(id) ?? 'Someone';
    this.set(id, name);
    return name;
  }
}
