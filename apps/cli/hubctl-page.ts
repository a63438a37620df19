import { join } from 'node:path';
import { type Argument, type Command, Help } from 'commander';
import { buildProgram } from './src/program.ts';
import { Cli } from './src/runtime/cli.ts';
import type { Deps } from './src/runtime/deps.ts';
import { commandPath } from './src/runtime/help.ts';

const PAGE = join(import.meta.dir, '../../docs/hubctl.md');
const BEGIN = '<!-- Made by scripts/generate-docs.ts from the commands themselves, down to the next such mark. -->';
const END = '<!-- End of what is made. -->';

const help = new Help();

/** `bun apps/cli/hubctl-page.ts` prints docs/hubctl.md as it is, with the commands between the two marks written anew. */
process.stdout.write(await hubctlPage());

async function hubctlPage(): Promise<string> {
  const page = await Bun.file(PAGE).text();
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/hubctl.md lacks the marks "${BEGIN}" and "${END}"`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${commandsSection()}\n${page.slice(end)}`;
}

function commandsSection(): string {
  const program = hubctl();
  const everywhere = ['Every command takes these too:', '', ...optionLines(program)];
  return [...everywhere, '', ...program.commands.flatMap(groupSection)].join('\n');
}

function groupSection(command: Command): string[] {
  const inner = leaves(command);
  return [`### ${command.name()}`, '', ...inner.flatMap((leaf) => [...commandLines(leaf), ''])];
}

function commandLines(command: Command): string[] {
  const words = command.registeredArguments.map(usageOf).join('');
  const [first = '', ...more] = command.description().split('\n');
  const text = [capitalised(first), ...more].join('; ').replace(/[^.]$/, '$&.');
  const lines = [`\`${commandPath(command)}${words}\`  `, escaped(text)];
  const options = optionLines(command);
  return options.length === 0 ? lines : [...lines, '', ...options];
}

function optionLines(command: Command): string[] {
  return command.options
    .filter((option) => !option.hidden && option.long !== '--version')
    .map((option) => `- \`${option.flags}\`: ${escaped(help.optionDescription(option))}`);
}

function usageOf(argument: Argument): string {
  const name = argument.argChoices?.join('|') ?? argument.name();
  const form = argument.variadic ? `${name}...` : name;
  return argument.required ? ` <${form}>` : ` [${form}]`;
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

/** Outside of code, Markdown reads these as something else. */
function escaped(text: string): string {
  return text.replaceAll(/[<>*]/g, '\\$&');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The commands, of which none is run. */
function hubctl(): Command {
  const sink = { isTTY: false, columns: undefined, write: () => {}, drained: () => Promise.resolve() };
  const deps = { version: '', env: {}, stdout: sink, stderr: sink };
  return buildProgram(new Cli(deps as unknown as Deps, { json: false, color: false }));
}
