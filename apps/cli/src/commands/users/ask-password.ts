import { LIMITS } from '@hub/contract/limits';
import type { Cli } from '../../runtime/cli.ts';
import { readPipedSecret } from '../../runtime/read-source.ts';

/** A new password: piped in, or typed twice and unseen, as long as it takes. */
export async function newPassword(cli: Cli, isPiped: boolean | undefined): Promise<string> {
  const piped = isPiped ? await readPipedSecret(cli, '--password-stdin') : undefined;
  return await cli.response(piped, 'The password is missing. Pipe it in with --password-stdin.', async (prompts) => {
    for (;;) {
      const password = await prompts.secret(`Password (at least ${LIMITS.passwordMinCodePoints} characters):`);
      if ([...password].length < LIMITS.passwordMinCodePoints) {
        cli.output.note('That is too short. Once more:');
      } else if ((await prompts.secret('The same again:')) === password) {
        return password;
      } else {
        cli.output.note('The two were not the same. Once more:');
      }
    }
  });
}
