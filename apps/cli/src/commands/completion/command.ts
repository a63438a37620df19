import { Argument, type Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { usageError } from '../../runtime/errors.ts';

export function addCompletionCommand(program: Command, cli: Cli): void {
  addCommand(program, 'completion', {
    about: 'Print a tab completion script for your shell',
    prints: 'A script for the shell.\nWith --json: {"shell", "script"}.',
    more: {
      title: 'Completions',
      text:
        'Commands, options, the names of Hubs, users, keys, profiles and invitations, the actions of the audit log,\n' +
        'and the IDs of posts in an outbox. The script looks them up with hubctl.',
    },
    exits: '0 success, 2 usage error',
    examples: [
      'hubctl completion bash > ~/.local/share/bash-completion/completions/hubctl',
      'source <(hubctl completion zsh)     # in ~/.zshrc, after compinit',
      'hubctl completion fish > ~/.config/fish/completions/hubctl.fish',
      'hubctl completion powershell | Out-String | Invoke-Expression     # in $PROFILE',
    ],
  })
    .addArgument(new Argument('[shell]', 'Your shell').choices(Object.keys(SCRIPTS)))
    .action((shell: Shell | undefined) => {
      if (shell === undefined) throw usageError('Specify a shell: hubctl completion bash|zsh|fish|powershell');
      const script = SCRIPTS[shell];
      if (cli.json) cli.output.document({ shell, script });
      else cli.output.raw(script);
    });
}

/** Completion for Bash 3.2, which macOS still ships, and later. */
const BASH_COMPLETION = `# Completion of hubctl for bash.
_hubctl() {
  local reply program="\${COMP_WORDS[0]}" current="\${COMP_WORDS[COMP_CWORD]}" IFS=$'\\n'
  COMPREPLY=()
  while IFS= read -r reply; do
    case "$reply" in
      :files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
      :folders) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current")) ;;
      *) COMPREPLY+=("$reply") ;;
    esac
  done < <("\${program/#\\~/$HOME}" __complete bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
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
  done < <("\${program/#\\~/$HOME}" __complete zsh "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
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
    set -l words (commandline -opc)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -l current (commandline -ct)
    for reply in ($program __complete fish $words[2..-1] "$current" 2>/dev/null)
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
    $words = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position -or $_.Extent.Text -eq $word } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    $program = $words[0]
    $before = @($words | Select-Object -Skip 1)
    if ($word -ne '' -and $before.Count -gt 0) { $before = @($before | Select-Object -SkipLast 1) }
    & $program __complete powershell @before "$word" 2>$null | ForEach-Object {
        if ($_ -eq ':files' -or $_ -eq ':folders') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
        } else {
            $value, $about = $_ -split "\`t", 2
            if ($value -like "$word*") {
                $quoted = if ($value -match '[^w./:@%+,=-]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
                if (-not $about) { $about = $value }
                [System.Management.Automation.CompletionResult]::new($quoted, $value, 'ParameterValue', $about)
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
type Shell = keyof typeof SCRIPTS;
