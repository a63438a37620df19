import { X } from 'icons';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { useResource } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { allPages, request } from '../../../data/request.ts';
import { areShortcutsOn } from '../../../lib/keyboard/shortcuts.ts';
import { route } from '../../../lib/router/location.ts';
import { keepRecentIn, recentIn } from '../../../lib/stored.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { UnreadCount } from '../../../ui/page/navigation.tsx';
import { selectedItem } from '../../hub/row-keys.ts';
import { NewHubDialog } from '../../new-hub/new-hub-dialog.tsx';
import { useSignOut } from '../../sign-in/use-sign-out.tsx';
import {
  actionCommands,
  type Command,
  currentHubCommands,
  GROUPS,
  hubCommands,
  itemCommands,
  memberCommands,
  pageCommands,
  searchCommand,
  settingsCommands,
} from './commands.tsx';
import { type FuzzyMatch, type Ranked, rank } from './rank.ts';

const RECENT_KEY = 'hub.palette.recent';
const MAX_KEPT = 12;
/** Groups whose commands depend on the page, so they are not kept as recent. */
const OF_THE_PAGE: readonly Command['group'][] = ['message', 'item', 'current'];

interface PaletteProps {
  title: string;
  /** The tab of a Hub to open, if only Hubs are offered. */
  tab: string | null;
  onShowKeys: () => void;
  onClose: () => void;
}

/** Finds Hubs, pages, members and actions by a few letters. */
export function Palette({ title, tab, onShowKeys, onClose }: PaletteProps) {
  const workspace = useWorkspace();
  const { hubs, me } = workspace;
  const [next, setNext] = useState<'new-hub' | 'sign-out' | null>(null);
  const { leave, question } = useSignOut();
  // Before the dialog takes the focus from the row.
  const [selected] = useState(() => selectedItem(workspace));
  const { members, canIssueKeys } = useFacts(tab === null);
  const signOut = () => {
    setNext('sign-out');
    leave();
  };
  const actions = { canIssueKeys, onShowKeys, onNewHub: () => setNext('new-hub'), onSignOut: signOut };
  const commands =
    tab === null
      ? [
          ...itemCommands(workspace, selected),
          ...hubCommands(hubs.mine.value, ''),
          ...pageCommands(),
          ...currentHubCommands(workspace),
          ...actionCommands(workspace, actions),
          ...settingsCommands(workspace),
          ...memberCommands(members),
        ]
      : hubCommands(hubs.mine.value, tab);
  if (next === 'sign-out') return question;
  if (next === 'new-hub') return <NewHubDialog onClose={onClose} />;
  const recentKey = `${RECENT_KEY}.${me.value.id}`;
  const run = (command: Command) => {
    if (tab === null && !OF_THE_PAGE.includes(command.group)) keepRecentIn(recentKey, '\n', MAX_KEPT, command.id);
    // These two show their dialog in place of the list.
    const staysOpen = command.id === 'action new-hub' || command.id === 'action sign-out';
    if (staysOpen) {
      command.run();
      return;
    }
    onClose();
    // By then the dialog has returned the focus.
    setTimeout(command.run);
  };
  return <CommandList title={title} commands={commands} recentKey={recentKey} onRun={run} onClose={onClose} />;
}

/** Loads what only the server knows: the members, and whether the user may issue keys. */
function useFacts(isWanted: boolean) {
  const { me } = useWorkspace();
  const isAdmin = me.value.role !== 'member';
  const { value } = useResource(async (signal) => {
    if (!isWanted) return null;
    const [users, workspace] = await Promise.all([
      allPages('GET /users', { signal }),
      isAdmin ? null : request('GET /workspace', { signal }),
    ]);
    const members = users.filter(({ disabledAt }) => disabledAt === null);
    return { members, canIssueKeys: workspace?.membersManageKeys ?? true };
  });
  return value ?? { members: [], canIssueKeys: isAdmin };
}

interface CommandListProps {
  title: string;
  commands: readonly Command[];
  /** Where the ids of recent commands are stored. */
  recentKey: string;
  onRun: (command: Command) => void;
  onClose: () => void;
}

function CommandList({ title, commands, recentKey, onRun, onClose }: CommandListProps) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  // Without the current page, Ctrl+K and Enter go back to the previous one.
  const recent = useMemo(() => recentIn(recentKey, '\n').filter((each) => each !== currentPage()), [recentKey]);
  const isQuery = query.trim() !== '';
  // Without a query, members would hide what else there is.
  const matches = rank(commands, query, recent).filter(
    ({ group, isRecent }) => isQuery || isRecent || group !== 'member',
  );
  const canSearch = matches.length === 0 && commands.some(({ group }) => group === 'page');
  const rows = canSearch ? [{ ...searchCommand(query.trim()), ranges: [], isRecent: false }] : matches;
  const here = Math.min(active, rows.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [here, query]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.shiftKey || event.altKey) return;
    const { key } = event;
    const last = rows.length - 1;
    const command = rows[here];
    if (key === 'ArrowDown') setActive(here >= last ? 0 : here + 1);
    else if (key === 'ArrowUp') setActive(here <= 0 ? last : here - 1);
    else if (key === 'Home') setActive(0);
    else if (key === 'End') setActive(last);
    else if (key === 'Enter' && command) onRun(command);
    else if (key === 'k' && (event.ctrlKey || event.metaKey)) onClose();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="palette">
        <div class="palette-field">
          <input
            class="grow"
            type="text"
            role="combobox"
            aria-label={title}
            aria-expanded="true"
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={rows[here] && `${id}-${here}`}
            autocomplete="off"
            spellcheck={false}
            enterkeyhint="go"
            placeholder={title === 'Command palette' ? 'Hub, page, member or action' : title}
            autofocus
            value={query}
            onInput={({ currentTarget }) => {
              setQuery(currentTarget.value);
              setActive(0);
            }}
            onKeyDown={onKeyDown}
          />
          <IconButton variant="" icon={<X />} label="Close" onClick={onClose} />
        </div>
        <div class="choices" role="listbox" id={id} aria-label={title} ref={list}>
          {groupsOf(rows, isQuery).map(({ heading, commands: group, from }) => (
            <div key={heading} role="group" aria-label={heading || title}>
              {heading !== '' && (
                <div class="side-label" aria-hidden="true">
                  {heading}
                </div>
              )}
              {group.map((command, n) => (
                <div
                  key={command.id}
                  id={`${id}-${from + n}`}
                  class={command.unreadCount ? 'nav-row is-unread' : 'nav-row'}
                  role="option"
                  tabIndex={-1}
                  aria-selected={from + n === here}
                  onClick={() => onRun(command)}
                  onMouseMove={() => setActive(from + n)}
                >
                  {command.icon}
                  <bdi class="grow">
                    <Marked text={command.label} ranges={command.ranges} />
                  </bdi>
                  <UnreadCount count={command.unreadCount ?? 0} />
                  {(isQuery || command.isRecent) && <small>{GROUPS[command.group][1]}</small>}
                  {command.keys && areShortcutsOn.value && <Keys keys={command.keys} />}
                </div>
              ))}
            </div>
          ))}
        </div>
        <p class={rows.length === 0 ? 'palette-none' : 'sr'} role="status">
          {matches.length === 0 ? `No matches for “${query.trim()}”` : isQuery && `${matches.length} found`}
        </p>
      </div>
    </Dialog>
  );
}

interface Group {
  /** Empty while there is a query: the matches are then in one list. */
  heading: string;
  commands: Ranked<Command>[];
  /** The position of its first command among all. */
  from: number;
}

function groupsOf(commands: readonly Ranked<Command>[], isQuery: boolean): Group[] {
  const groups: Group[] = [];
  for (const [n, command] of commands.entries()) {
    const heading = isQuery ? '' : command.isRecent ? 'Recent' : GROUPS[command.group][0];
    const last = groups.at(-1);
    if (last?.heading === heading) last.commands.push(command);
    else groups.push({ heading, commands: [command], from: n });
  }
  return groups;
}

/** A text with its matched parts marked. */
function Marked({ text, ranges }: { text: string; ranges: FuzzyMatch['ranges'] }) {
  let from = 0;
  return (
    <>
      {ranges.map(([start, end]) => {
        const before = text.slice(from, start);
        from = end;
        return (
          <>
            {before}
            <b>{text.slice(start, end)}</b>
          </>
        );
      })}
      {text.slice(from)}
    </>
  );
}

function Keys({ keys }: { keys: string }) {
  return (
    <span class="key" aria-hidden="true">
      {keys.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

/** Returns the id of the command that opens the current page. */
function currentPage(): string {
  const [, first, hubId] = route.peek().path.split('/');
  return first === 'hubs' ? `hub ${hubId}` : `page /${first}`;
}
