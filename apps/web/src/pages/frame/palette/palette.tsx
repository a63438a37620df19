import { X } from 'icons';
import { useMemo, useState } from 'preact/hooks';
import { useResource, useWorkspace } from '../../../data/live/workspace.ts';
import { allPages, request } from '../../../data/request.ts';
import { areShortcutsOn } from '../../../lib/keyboard/shortcuts.ts';
import { route } from '../../../lib/router/location.ts';
import { keepRecentIn, recentIn } from '../../../lib/stored.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { lazy } from '../../../ui/page/lazy.tsx';
import { UnreadCount } from '../../../ui/page/navigation.tsx';
import { useCombobox } from '../../../ui/picker.tsx';
import { selectedItem } from '../../feed/row-keys.ts';
import { NewHubDialog } from '../../new-hub/new-hub-dialog.tsx';
import type { KeyAction } from '../../settings/keys/key-commands.tsx';
import { isIdle } from '../../settings/keys/key-state.ts';
import { useSignOut } from '../../sign-in/use-sign-out.tsx';
import {
  actionCommands,
  type Command,
  currentHubCommands,
  GROUPS,
  hubCommands,
  itemCommands,
  keyCommands,
  memberCommands,
  pageCommands,
  SEARCH,
  searchCommand,
  settingsCommands,
} from './commands.tsx';
import { type FuzzyMatch, type Ranked, rank } from './rank.ts';

const KeyActions = lazy(async () => (await import('../../settings/keys/key-actions.tsx')).KeyActions, { isRare: true });

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
  const [next, setNext] = useState<'new-hub' | 'sign-out' | KeyAction | null>(null);
  const { leave, question } = useSignOut();
  // Before the dialog takes the focus from the row.
  const [selected] = useState(() => selectedItem(workspace));
  const { members, keys, canIssueKeys } = useFacts(tab === null);
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
          ...keyCommands(keys, setNext),
          ...memberCommands(members),
        ]
      : hubCommands(hubs.mine.value, tab);
  if (next === 'sign-out') return question;
  if (next === 'new-hub') return <NewHubDialog onClose={onClose} />;
  if (next !== null) {
    const onAction = (action: KeyAction | null) => (action ? setNext(action) : onClose());
    return <KeyActions action={next} onAction={onAction} onChanged={() => {}} isAdmin={me.value.role !== 'member'} />;
  }
  const recentKey = `${RECENT_KEY}.${me.value.id}`;
  const run = (command: Command) => {
    if (tab === null && !OF_THE_PAGE.includes(command.group)) keepRecentIn(recentKey, '\n', MAX_KEPT, command.id);
    // These show their dialog in place of the list.
    const staysOpen = /^(?:action (?:new-hub|sign-out)$|key-action )/.test(command.id);
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

/** Loads what only the server knows: the members, and the keys if the user may manage them. */
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
    const canIssueKeys = workspace?.membersManageKeys ?? true;
    const keys = canIssueKeys ? await allPages('GET /keys', { signal }) : [];
    const nowMs = Date.now();
    return { members, canIssueKeys, keys: keys.filter((key) => !isIdle(key, nowMs)) };
  });
  return value ?? { members: [], keys: [], canIssueKeys: isAdmin };
}

interface CommandListProps {
  title: string;
  commands: readonly Command[];
  recentKey: string;
  onRun: (command: Command) => void;
  onClose: () => void;
}

function CommandList({ title, commands, recentKey, onRun, onClose }: CommandListProps) {
  // Without the current page, Ctrl+K and Enter go back to the previous one.
  const recent = useMemo(() => recentIn(recentKey, '\n').filter((each) => each !== currentPage()), [recentKey]);
  const find = (text: string): readonly Ranked<Command>[] => {
    // Without a query, members and keys would hide what else there is.
    const matches = rank(commands, text, recent).filter(
      ({ group, isRecent }) => text.trim() !== '' || isRecent || (group !== 'member' && group !== 'key'),
    );
    const canSearch = matches.length === 0 && commands.some(({ group }) => group === 'page');
    return canSearch ? [{ ...searchCommand(text.trim()), ranges: [], isRecent: false }] : matches;
  };
  const { text, rows, handleKey, field, listbox, option } = useCombobox({ label: title, find, onChoose: onRun });
  const query = text.trim();
  const isQuery = query !== '';
  const hasMatches = rows.length > 0 && rows[0]?.id !== SEARCH;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'k' && (event.ctrlKey || event.metaKey)) onClose();
    else if (!handleKey(event)) return;
    event.preventDefault();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="palette">
        <div class="palette-field">
          <input
            {...field}
            class="grow"
            spellcheck={false}
            enterkeyhint="go"
            placeholder={title === 'Command palette' ? 'Hub, page, member or action' : title}
            autofocus
            onKeyDown={onKeyDown}
          />
          <IconButton variant="" icon={<X />} label="Close" onClick={onClose} />
        </div>
        <div {...listbox} class="choices">
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
                  {...option(from + n)}
                  class={command.unreadCount ? 'nav-row is-unread' : 'nav-row'}
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
          {hasMatches ? isQuery && `${rows.length} found` : `No matches for “${query}”`}
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

function currentPage(): string {
  const [, first, hubId] = route.peek().path.split('/');
  return first === 'hubs' ? `hub ${hubId}` : `page /${first}`;
}
