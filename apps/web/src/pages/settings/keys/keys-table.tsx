import CornerDownRight from 'icon:corner-down-right';
import Ellipsis from 'icon:ellipsis';
import Info from 'icon:info';
import MessageSquare from 'icon:message-square';
import RotateCw from 'icon:rotate-cw';
import TriangleAlert from 'icon:triangle-alert';
import type { ApiKey } from '@hub/contract';
import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { usedText } from '../../../lib/keys/key-times.ts';
import { navigate } from '../../../lib/router/location.ts';
import { now } from '../../../lib/time/now.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Cell, Row, Table } from '../../../ui/forms/table.tsx';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import type { HubKeys, KeyLine } from './group-keys.ts';
import { KeyStateLabel, ScopeIcons, Sparkline } from './key-cells.tsx';
import { type KeysView, keyCommands } from './key-commands.tsx';
import { KeyDetail, useAddresses } from './key-detail.tsx';
import { countWorking, isIdle } from './key-state.ts';
import { countText } from './key-texts.ts';
import { stillUsedText, switchedMachines, switchedText } from './switched-machines.ts';

/** Rows beyond this number are rendered on request. */
const FIRST = 60;

/** The keys of one Hub. */
export function HubKeysTable({ hub, view }: { hub: HubKeys; view: KeysView }) {
  const [shown, setShown] = useState(FIRST);
  const [menu, setMenu] = useState<{ key: ApiKey; opener: HTMLElement } | null>(null);
  const head = `keys-${hub.hubId}`;
  const openAt = hub.lines.findIndex(({ key, old }) => [key, ...old].some(({ id }) => id === view.openId));
  const shownCount = Math.max(shown, openAt + 1);
  const left = hub.lines.length - shownCount;
  const rowOf = (key: ApiKey): RowProps => ({
    apiKey: key,
    view,
    onMenu: ({ currentTarget }) => setMenu({ key, opener: currentTarget }),
  });
  return (
    <section class="hub-keys">
      <h2 class="hub-head" id={head}>
        {hub.hubName}
        {hub.isHubDeleted && ', deleted'} <span class="num">{workingText(hub.lines)}</span>
      </h2>
      <Table class="keys" labelledBy={head} columns={COLUMNS}>
        {hub.lines.slice(0, shownCount).map(({ key, old }) => (
          <Fragment key={key.id}>
            <KeyRow {...rowOf(key)} hasOld={old.length > 0} />
            {view.openId === key.id && <KeyDetail apiKey={key} view={view} />}
            {old.map((each) => (
              <Fragment key={each.id}>
                <OldKeyRow {...rowOf(each)} successor={key} />
                {view.openId === each.id && <KeyDetail apiKey={each} view={view} />}
              </Fragment>
            ))}
          </Fragment>
        ))}
      </Table>
      {left > 0 && (
        <button class="btn more-keys" type="button" onClick={() => setShown(hub.lines.length)}>
          Show {left} more
        </button>
      )}
      {menu && (
        <Menu
          label={`More actions for ${menu.key.name}`}
          items={menuOf(menu.key, view)}
          opener={menu.opener}
          onClose={() => setMenu(null)}
        />
      )}
    </section>
  );
}

function workingText(lines: readonly KeyLine[]): string {
  const keys = lines.flatMap(({ key, old }) => [key, ...old]);
  const working = countWorking(keys, Date.now());
  const all = countText(keys.length, 'key');
  return working === keys.length ? all : `${working} of ${all} ${working === 1 ? 'works' : 'work'}`;
}

const COLUMNS = [
  { title: 'Key', isTitleHidden: true },
  { title: 'Permissions', class: 'c-scope' },
  { title: 'State', class: 'c-state' },
  { title: 'Last used', class: 'c-used' },
  { title: 'Posts (30 days)', class: 'c-use' },
  { title: 'Actions', isTitleHidden: true, class: 'c-actions' },
];

interface RowProps {
  apiKey: ApiKey;
  view: KeysView;
  onMenu: (event: { currentTarget: HTMLElement }) => void;
}

/** One key: name, permissions, state, last use and number of posts. */
function KeyRow({ apiKey, view, onMenu, hasOld }: RowProps & { hasOld: boolean }) {
  const isQuiet = isIdle(apiKey, now.value);
  const { id, name, successorId, predecessorId, createdBy } = apiKey;
  const isOpen = view.openId === id;
  const classes = [hasOld && 'has-old', isQuiet && 'is-quiet', isOpen && 'is-open'].filter(Boolean).join(' ');
  return (
    <Row class={classes} data-row-id={id}>
      <Cell class="t-name">
        <span class="name">
          <Avatar id={id} name={name} kind="key" size="m" />
          <span>
            <OpenButton id={id} view={view}>
              <b>{name}</b>
            </OpenButton>
            <span class="hint-key">{apiKey.hint}</span>{' '}
            {apiKey.isIssuerGone ? (
              <span class="issuer is-gone" title="The account that issued this key is disabled. The key keeps working.">
                <TriangleAlert size="xs" /> by {createdBy.name}, account disabled
              </span>
            ) : (
              <span class="issuer">by {createdBy.name}</span>
            )}
          </span>
        </span>
      </Cell>
      <Cell class="t-scope">
        <ScopeIcons scopes={apiKey.scopes} />
      </Cell>
      <Cell class="t-state">
        <KeyStateLabel apiKey={apiKey} before={view.find(predecessorId)} maxDays={view.maxDays} onEnd={view.onEnd} />
      </Cell>
      <Cell class="t-used">
        <LastUse at={apiKey.lastUsedAt} from={apiKey.lastUsedAddress} />
      </Cell>
      <Cell class="t-use">
        <Sparkline days={apiKey.usage} />
      </Cell>
      <Cell class="t-actions">
        <span class="actions">
          {!isQuiet && successorId === null && (
            <button
              class="icon-btn is-small"
              type="button"
              aria-label={`Rotate ${name}`}
              title="Rotate"
              onClick={() => view.startAction({ kind: 'rotate', key: apiKey })}
            >
              <RotateCw size="s" />
            </button>
          )}
          <MoreButton label={`More actions for ${name}`} onMenu={onMenu} />
        </span>
      </Cell>
    </Row>
  );
}

/** The previous key of a rotation: how long it still works, and which addresses still use it. */
function OldKeyRow({ apiKey, view, onMenu, successor }: RowProps & { successor: ApiKey }) {
  const { id, name, lastUsedAt } = apiKey;
  const [old, current] = useAddresses(id, successor.id) ?? [];
  const switched = old && current ? switchedMachines(old, current, successor.createdAt) : null;
  return (
    <Row class={view.openId === id ? 'is-old is-open' : 'is-old'} data-row-id={id}>
      <Cell class="t-name">
        <span class="name">
          <CornerDownRight />
          <span>
            <OpenButton id={id} view={view}>
              <b>Previous key</b>
              <span class="sr"> of {name}</span>
            </OpenButton>
            <span class="hint-key">{apiKey.hint}</span>
          </span>
        </span>
      </Cell>
      <Cell class="t-scope">
        <span class="sr">Same permissions</span>
      </Cell>
      <Cell class="t-state">
        <KeyStateLabel apiKey={apiKey} onEnd={view.onEnd} />
      </Cell>
      <Cell class="t-used">
        <LastUse at={lastUsedAt} from={stillUsedText(switched) ?? apiKey.lastUsedAddress} />
      </Cell>
      <Cell class="t-use">
        {/* An unused key already says "Never used". */}
        {switched && lastUsedAt !== null && <span class="sub">{switchedText(switched)}</span>}
        <button
          class="btn is-small revoke-now"
          type="button"
          onClick={() => view.startAction({ kind: 'revoke', key: apiKey, how: 'revoke-old' })}
        >
          Revoke now<span class="sr">: the previous key of {name}</span>
        </button>
      </Cell>
      <Cell class="t-actions">
        <span class="actions">
          <MoreButton label={`More actions for the previous key of ${name}`} onMenu={onMenu} />
        </span>
      </Cell>
    </Row>
  );
}

function OpenButton({ id, view, children }: { id: string; view: KeysView; children: ComponentChildren }) {
  return (
    <button
      class="key-open"
      type="button"
      data-row-focus
      aria-expanded={view.openId === id}
      onClick={() => toggle(id, view)}
    >
      {children}
    </button>
  );
}

function LastUse({ at, from }: { at: string | null; from: string | null }) {
  if (at === null) return <>Never used</>;
  return (
    <>
      {usedText(at, now.value)}
      <br /> <span class="sub">{from}</span>
    </>
  );
}

function MoreButton({ label, onMenu }: { label: string; onMenu: RowProps['onMenu'] }) {
  return (
    <button
      class="icon-btn is-small"
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      title="More"
      onClick={onMenu}
    >
      <Ellipsis size="s" />
    </button>
  );
}

function toggle(id: string, { openId, open }: KeysView): void {
  open(openId === id ? null : id);
}

function menuOf(key: ApiKey, view: KeysView): MenuItem[] {
  const commands = keyCommands(key, view);
  const firstBad = commands.findIndex(({ isBad }) => isBad);
  return [
    {
      label: view.openId === key.id ? 'Hide details' : 'Show details',
      icon: <Info size="s" />,
      run: () => toggle(key.id, view),
    },
    {
      label: 'View posts',
      icon: <MessageSquare size="s" />,
      run: () => navigate(`/stream?key=${encodeURIComponent(key.id)}`),
    },
    ...commands.map(({ action, ...item }, n) => ({
      ...item,
      isNewGroup: n === firstBad,
      run: () => view.startAction(action),
    })),
  ];
}
