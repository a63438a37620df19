import { LIMITS } from '@hub/contract/limits';
import type { Cli } from '../../runtime/cli.ts';
import { readPipedSecret } from '../../runtime/read-source.ts';

/** Reads a new password: from standard input, or from two matching hidden prompts. */
export async function newPassword(cli: Cli, isPiped: boolean | undefined): Promise<string> {
  const piped = isPiped ? await readPipedSecret(cli, '--password-stdin') : undefined;
  return await cli.response(piped, 'The password is missing. Pipe it in with --password-stdin.', async (prompts) => {
    for (;;) {
      const password = await prompts.secret(`Password (at least ${LIMITS.passwordMinCodePoints} characters):`);
      if ([...password].length < LIMITS.passwordMinCodePoints) {
        cli.output.note('Password too short. Try again:');
      } else if ((await prompts.secret('Repeat password:')) === password) {
        return password;
      } else {
        cli.output.note('Passwords do not match. Try again:');
      }
    }
  });
}
