import type { EventFrame, FollowEnd, Position } from '@hub/client/live';
import type { Item } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { allWritten } from '../../runtime/output-errors.ts';
import type { NamedHub, Printer } from './printer.ts';

/** Prints one JSON document per line: the server's frames unchanged, and earlier items in a similar form. */
export class JsonPrinter implements Printer {
  readonly #cli: Cli;

  constructor(cli: Cli) {
    this.#cli = cli;
  }

  item(_: NamedHub, item: Item): Promise<void> {
    return this.#print({ type: 'item', hubId: item.hubId, event: `${item.kind}.created`, data: item });
  }

  remember(): void {}

  event(_: NamedHub, event: EventFrame): Promise<void> {
    return this.#print(event);
  }

  reset({ id }: NamedHub, { seq, epoch }: Position): Promise<void> {
    return this.#print({ type: 'reset', hubId: id, seq, epoch });
  }

  ended({ id }: NamedHub, { code, message }: FollowEnd): Promise<void> {
    return this.#print({ type: 'error', code, message, hubId: id });
  }

  #print(line: object): Promise<void> {
    this.#cli.output.jsonLine(line);
    return allWritten(this.#cli.deps.stdout);
  }
}
