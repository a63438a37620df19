import type { ApiKey } from '@hub/contract';
import type { FindingKind } from '@hub/contract/key-findings';
import { CornerDownRight, Ellipsis, Info, MessageSquare, RotateCw, TriangleAlert } from 'icons';
import { useState } from 'preact/hooks';
import { countText } from '../../../lib/count-text.ts';
import { usedText } from '../../../lib/keys/key-times.ts';
import { navigate } from '../../../lib/router/location.ts';
import { now } from '../../../lib/time/format.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { type Column, Table } from '../../../ui/forms/table.tsx';
import { type MenuItem, MenuOpener } from '../../../ui/menu.tsx';
import type { HubKeys, KeyLine } from './group-keys.ts';
import { FindingLine, KeyStateLabel, ScopeIcons, Sparkline } from './key-cells.tsx';
import { type KeysView, keyCommands } from './key-commands.tsx';
import { KeyDetail, useAddresses } from './key-detail.tsx';
import { countWorking, isIdle, stillUsedText, switchedMachines, switchedText } from './key-state.ts';

const FIRST = 60;

interface KeyRow {
  key: ApiKey;
  /** For the old key of a rotation: the key that replaces it. */
  successor: ApiKey | null;
  hasOld: boolean;
  findings: readonly FindingKind[];
}

/** The keys of one Hub. Below a key are its previous keys, with the addresses that still use them. */
export function HubKeysTable({ hub, view }: { hub: HubKeys; view: KeysView }) {
  const [count, setCount] = useState(FIRST);
  const head = `keys-${hub.hubId}`;
  const openAt = hub.lines.findIndex(({ key, old }) => [key, ...old].some(({ id }) => id === view.openId));
  const shownCount = Math.max(count, openAt + 1);
  const hiddenCount = hub.lines.length - shownCount;
  const rows = hub.lines
    .slice(0, shownCount)
    .flatMap(({ key, old, findings }): KeyRow[] => [
      { key, successor: null, hasOld: old.length > 0, findings },
      ...old.map((each) => ({ key: each, successor: key, hasOld: false, findings: [] })),
    ]);
  return (
    <section class="hub-keys">
      <h2 class="hub-head" id={head}>
        {hub.hubName}
        {hub.isHubDeleted && ', deleted'} <span class="num">{workingText(hub.lines)}</span>
      </h2>
      <Table
        class="keys"
        labelledBy={head}
        columns={useColumns(rows, view)}
        rows={rows}
        keyOf={({ key }) => key.id}
        attributes={(row) => ({ class: classOf(row, view), 'data-row-id': row.key.id })}
        details={({ key, findings }) =>
          view.openId === key.id && <KeyDetail apiKey={key} findings={findings} view={view} />
        }
      />
      {hiddenCount > 0 && (
        <Button variant="more-keys" label={`Show ${hiddenCount} more`} onClick={() => setCount(hub.lines.length)} />
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

function classOf({ key, successor, hasOld }: KeyRow, { openId }: KeysView): string {
  const isQuiet = successor === null && isIdle(key, now.value);
  const names = { 'is-old': successor !== null, 'has-old': hasOld, 'is-quiet': isQuiet, 'is-open': openId === key.id };
  return Object.entries(names)
    .flatMap(([name, isSet]) => (isSet ? name : []))
    .join(' ');
}

function useColumns(rows: readonly KeyRow[], view: KeysView): Column<KeyRow>[] {
  const machinesOf = useSwitchedMachines(rows);
  return [
    { title: 'Key', at: 'name', cell: (row) => <Name row={row} view={view} /> },
    {
      title: 'Permissions',
      at: 'scope',
      cell: ({ key, successor }) =>
        successor ? <span class="sr">Same permissions</span> : <ScopeIcons scopes={key.scopes} />,
    },
    {
      title: 'State',
      at: 'state',
      cell: ({ key, successor, findings }) => (
        <>
          <KeyStateLabel
            apiKey={key}
            {...(!successor && { before: view.find(key.predecessorId) })}
            onEnd={view.onEnd}
          />
          <FindingLine apiKey={key} findings={findings} maxDays={view.maxDays} />
        </>
      ),
    },
    {
      title: 'Last used',
      at: 'used',
      cell: ({ key }) =>
        key.lastUsedAt === null ? (
          'Never used'
        ) : (
          <>
            {usedText(key.lastUsedAt, now.value)}
            <br /> <span class="sub">{stillUsedText(machinesOf(key)) ?? key.lastUsedAddress}</span>
          </>
        ),
    },
    {
      title: 'Posts (30 days)',
      at: 'use',
      cell: ({ key, successor }) => {
        if (!successor) return <Sparkline days={key.usage} />;
        const machines = machinesOf(key);
        return (
          <>
            {/* An unused key already says "Never used". */}
            {machines && key.lastUsedAt !== null && <span class="sub">{switchedText(machines)}</span>}
            <Button
              variant="is-small revoke-now"
              onClick={() => view.startAction({ kind: 'revoke', key, how: 'revoke-old' })}
            >
              Revoke now<span class="sr">: the old key of {key.name}</span>
            </Button>
          </>
        );
      },
    },
    { title: 'Actions', at: 'actions', cell: (row) => <Actions row={row} view={view} /> },
  ];
}

/** Returns which of the machines that used a previous key have switched to its successor; `null` until loaded. */
function useSwitchedMachines(rows: readonly KeyRow[]) {
  const ids = [...new Set(rows.flatMap(({ key, successor }) => (successor ? [key.id, successor.id] : [])))];
  const addresses = useAddresses(...ids);
  return ({ id }: ApiKey) => {
    const successor = rows.find(({ key }) => key.id === id)?.successor;
    const [old, current] = [id, successor?.id ?? ''].map((each) => addresses?.[ids.indexOf(each)]);
    return successor && old && current ? switchedMachines(old, current, successor.createdAt) : null;
  };
}

function Name({ row: { key, successor }, view }: { row: KeyRow; view: KeysView }) {
  const { id, name, hint, createdBy } = key;
  return (
    <span class="name">
      {successor ? <CornerDownRight /> : <Avatar id={id} name={name} kind="key" size="m" />}
      <span>
        <button class="key-open" type="button" aria-expanded={view.openId === id} onClick={() => toggle(id, view)}>
          <b>{successor ? 'Old key' : name}</b>
          {successor && <span class="sr"> of {name}</span>}
        </button>
        <span class="hint-key">{hint}</span>{' '}
        {successor === null && <Issuer name={createdBy.name} isGone={key.isIssuerGone} />}
      </span>
    </span>
  );
}

function Issuer({ name, isGone }: { name: string; isGone: boolean }) {
  if (!isGone) return <span class="issuer">by {name}</span>;
  return (
    <span class="issuer is-gone" title="The account that issued this key is disabled. The key keeps working.">
      <TriangleAlert size="xs" /> by {name}, account disabled
    </span>
  );
}

function Actions({ row: { key, successor }, view }: { row: KeyRow; view: KeysView }) {
  const label = `More actions for ${successor ? 'the old key of ' : ''}${key.name}`;
  return (
    <span class="actions">
      {key.successorId === null && !isIdle(key, now.value) && (
        <IconButton
          icon={<RotateCw />}
          label={`Rotate ${key.name}`}
          title="Rotate"
          onClick={() => view.startAction({ kind: 'rotate', key })}
        />
      )}
      <MenuOpener
        class="icon-btn is-small"
        aria-label={label}
        title="More"
        label={label}
        items={() => menuOf(key, view)}
      >
        <Ellipsis />
      </MenuOpener>
    </span>
  );
}

function toggle(id: string, { openId, open }: KeysView): void {
  open(openId === id ? null : id);
}

function menuOf(key: ApiKey, view: KeysView): MenuItem[] {
  const commands = keyCommands(key, view);
  const firstBad = commands.findIndex(({ isDestructive }) => isDestructive);
  return [
    {
      label: view.openId === key.id ? 'Hide details' : 'Show details',
      icon: <Info />,
      run: () => toggle(key.id, view),
    },
    { label: 'View posts', icon: <MessageSquare />, run: () => navigate(`/stream?key=${encodeURIComponent(key.id)}`) },
    ...commands.map(({ action, ...item }, n) => ({
      ...item,
      isNewGroup: n === firstBad,
      run: () => view.startAction(action),
    })),
  ];
}
