import { type Setting, settings } from '../platform/settings.ts';

/** Output of the program: on standard output if the exit code is 0, else on standard error. */
interface Reply {
  readonly text: string;
  readonly exitCode: 0 | 2;
}

/** Returns the reply to the arguments; `null` for `hub` and `hub check`, which need the settings. `hub move` is another program. */
export function replyToArguments(argv: readonly string[], version: string): Reply | null {
  const [argument, ofCheck] = argv;
  if (argument === undefined || (argument === 'check' && ofCheck === undefined)) return null;
  if (['--version', '-V', '-v'].includes(argument)) return { text: version, exitCode: 0 };
  if ([argument, ofCheck].some((word) => ['--help', '-h', 'help'].includes(word ?? '')))
    return { text: help(version), exitCode: 0 };
  const unknown = argument === 'check' ? ofCheck : argument;
  const text = `The server does not know the argument "${unknown}". Its settings are environment variables: hub --help`;
  return { text, exitCode: 2 };
}

function help(version: string): string {
  const lines = Object.values<Setting<unknown, unknown>>(settings).flatMap((setting) => {
    const plain = setting.doc.replaceAll(/ \(\[.*?\]\(.*?\)\)|`/g, '').replaceAll(/\[(.*?)\]\(.*?\)/g, '$1');
    const [about = ''] = plain.split(/(?<=\.) /);
    return [`  ${setting.name}${defaultOf(setting)}`, `      ${about}`];
  });
  return [
    `Hub ${version}`,
    '',
    'Usage: hub',
    '       hub check (checks the settings, the certificate and access to the data, and serves nothing)',
    '       hub move --from SOURCE --to TARGET (see hub move --help)',
    '',
    'Serves until it is stopped with Ctrl-C or SIGTERM. To administer the server, use hubctl: hubctl --help',
    '',
    'Settings are environment variables:',
    ...lines,
  ].join('\n');
}

function defaultOf({ default: value, defaultDoc }: Setting<unknown, unknown>): string {
  const text = defaultDoc?.replaceAll('`', '') ?? value;
  return text === null ? '' : ` (default: ${text})`;
}
