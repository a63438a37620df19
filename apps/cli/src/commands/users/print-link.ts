import type { Cli } from '../../runtime/cli.ts';
import { styled } from '../../runtime/output.ts';

/** A link that works once: alone on standard output, what it is for beside it. */
export function printLink(cli: Cli, link: string, about: string[]): void {
  for (const line of about) cli.output.note(line);
  cli.output.note();
  cli.output.line(link);
  cli.output.note();
  cli.output.note(styled('yellow', 'The link is shown only this once. Whoever has it can use it.'));
}
