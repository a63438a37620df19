import type { Cli } from '../../runtime/cli.ts';
import { styled } from '../../runtime/output.ts';

/** Prints a one-time link on standard output, and an explanation on standard error. */
export function printLink(cli: Cli, link: string, about: string[]): void {
  for (const line of about) cli.output.note(line);
  cli.output.note();
  cli.output.line(link);
  cli.output.note();
  cli.output.note(styled('yellow', "You won't see this link again. Anyone who has it can use it."));
}
