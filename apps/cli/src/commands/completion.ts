import { Argument } from '@commander-js/extra-typings';
import type { Command, Option, Argument as UntypedArgument } from 'commander';
import type { Cli } from '../runtime/cli.ts';
import { addCommand, childNamed } from '../runtime/command-line.ts';
import { usageError } from '../runtime/errors.ts';

export function addCompletionCommand(program: Command, cli: Cli): void {
  addCommand(program, 'completion', {
    about: 'Print a tab completion script for your shell',
    prints: 'A script for the shell.\nWith --json: {"shell", "script"}.',
    exits: '0 success, 2 usage error',
    examples: [
      'hubctl completion bash > ~/.local/share/bash-completion/completions/hubctl',
      'source <(hubctl completion zsh)     # in ~/.zshrc, after compinit',
      'hubctl completion fish > ~/.config/fish/completions/hubctl.fish',
      'hubctl completion powershell | Out-String | Invoke-Expression     # in $PROFILE',
    ],
  })
    .addArgument(new Argument('[shell]', 'Your shell').choices(Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]))
    .action((shell) => {
      if (shell === undefined) throw usageError('Specify a shell: hubctl completion bash|zsh|fish|powershell');
      const script = SCRIPTS[shell];
      if (cli.json) cli.output.document({ shell, script });
      else cli.output.raw(script);
    });
}

/** A word that can come next, and what it means. */
type Candidate = readonly [value: string, description: string];

/** The kinds of paths, which shells complete better themselves, by placeholder in the help. */
const PATHS: Readonly<Record<string, string>> = { file: ':files', dir: ':folders' };

/**
 * Returns the lines that a script gets for an unfinished command line: `value<tab>description`, `:files` or `:folders`.
 * Follows the rules of the parser: which options take a value, and where the names of commands end.
 */
export function completionsOf(program: Command, line: string): string {
  const words = line.trimStart().split(/\s+/).slice(1);
  const current = words.pop() ?? '';
  let [command, position, isText] = [program, 0, false];
  let pending: Option | undefined;
  for (const word of words) {
    const child: Command | undefined = position === 0 && !isText ? childNamed(command, word) : undefined;
    if (pending) pending = undefined;
    else if (word === '--') isText = true;
    else if (!isText && word.startsWith('-')) {
      pending = optionsOf(program, command).find(
        ({ long, short, required }) => required && [long, short].includes(word),
      );
    } else if (child) command = child;
    // The names of commands follow `hubctl help`, too.
    else if (word !== 'help' || command !== program) position += 1;
  }
  const found = pending ? valuesOf(pending) : isText ? [] : nextOf(program, command, position, current);
  return [found]
    .flat()
    .map((each) => `${typeof each === 'string' ? each : each.join('\t')}\n`)
    .join('');
}

function nextOf(program: Command, command: Command, position: number, current: string): Candidate[] | string {
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[position] ?? (last?.variadic ? last : undefined);
  const isFlag = current.startsWith('-');
  if (!isFlag && position === 0 && command.commands.length > 0) {
    const names = command.commands.map((each): Candidate => {
      return [each.name(), each.summary() || (each.description().split('\n')[0] ?? '')];
    });
    return command === program ? [...names, ['help', 'Show help for a command']] : names;
  }
  if (argument && !isFlag) return valuesOf(argument);
  const flags = optionsOf(program, command).map(({ long, description }): Candidate => [long ?? '', description]);
  return [...flags, ['--help', 'Show help']];
}

/** Options that are valid here. `post TEXT` posts a message, so it takes the options of `post message`. */
function optionsOf(program: Command, command: Command): Option[] {
  const implied = command.name() === 'post' ? childNamed(command, 'message') : undefined;
  return [...new Set([command, implied ?? [], program].flat().flatMap(({ options }) => options))];
}

function valuesOf(part: UntypedArgument | Option): Candidate[] | string {
  if (part.argChoices) return part.argChoices.map((value) => [value, '']);
  const name = 'flags' in part ? /[<[]([\w-]+)[>\]]$/.exec(part.flags)?.[1] : part.name();
  return PATHS[name ?? ''] ?? [];
}

/** Completion for Bash 3.2, which macOS still ships, and later. */
const BASH_COMPLETION = `# Completion of hubctl for bash.
_hubctl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" IFS=$'\\n'
  local reply=($("\${COMP_WORDS[0]/#\\~/$HOME}" __complete "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null))
  case "\${reply[0]}" in
    :files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
    :folders) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "\${reply[*]%%$'\\t'*}" -- "$current")) ;;
  esac
}
complete -F _hubctl hubctl
`;

const ZSH_COMPLETION = `#compdef hubctl
# Completion of hubctl for zsh.
_hubctl() {
  local reply program="\${(Q)words[1]}"
  local -a candidates
  while IFS= read -r reply; do
    case "$reply" in
      :files) _files; return ;;
      :folders) _files -/; return ;;
    esac
    reply="\${reply//:/\\\\:}"
    candidates+=("\${reply/$'\\t'/:}")
  done < <("\${program/#\\~/$HOME}" __complete "$words[1,CURRENT]" 2>/dev/null)
  _describe hubctl candidates
}
if [[ "$funcstack[1]" == "_hubctl" ]]; then
  _hubctl "$@"
else
  compdef _hubctl hubctl
fi
`;

const FISH_COMPLETION = `# Completion of hubctl for fish.
function __hubctl_reply
    set -l program (string replace -r '^~' $HOME -- (commandline -opc)[1])
    set -l current (commandline -ct)
    for reply in ($program __complete (commandline -cp | string collect) 2>/dev/null)
        switch $reply
            case :files
                __fish_complete_path "$current"
            case :folders
                __fish_complete_directories "$current"
            case '*'
                printf '%s\\n' $reply
        end
    end
end
complete -c hubctl -f -a '(__hubctl_reply)'
`;

const POWERSHELL_COMPLETION = `# Completion of hubctl for PowerShell.
Register-ArgumentCompleter -Native -CommandName hubctl -ScriptBlock {
    param($word, $ast, $position)
    $line = $ast.ToString()
    if ($word -eq '') { $line += ' ' }
    & $ast.CommandElements[0].ToString() __complete $line 2>$null | ForEach-Object {
        if ($_ -eq ':files' -or $_ -eq ':folders') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
        } else {
            $value, $about = $_ -split "\`t", 2
            if ($value -like "$word*") {
                if (-not $about) { $about = $value }
                [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
            }
        }
    }
}
`;

const SCRIPTS = {
  bash: BASH_COMPLETION,
  zsh: ZSH_COMPLETION,
  fish: FISH_COMPLETION,
  powershell: POWERSHELL_COMPLETION,
};
