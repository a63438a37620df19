import type { Item, PostingKey } from '@hub/contract';
import { ChevronDown, CircleDot, KeyRound } from 'icons';
import { useResource, useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { withName } from '../../lib/matching.ts';
import { now, shortTime } from '../../lib/time/format.ts';
import { Avatar } from '../avatars/avatar.tsx';
import { type Opened, Opener } from '../button.tsx';
import { Choice } from '../menu.tsx';
import { Picker } from '../picker.tsx';

/** The filter for the items of one of the user's Hubs. */
export function HubChoice({ chosen, onChoose }: { chosen: string | null; onChoose: (hubId: string | null) => void }) {
  const { hubs } = useWorkspace();
  return (
    <Choice
      label="Hub"
      icon={<CircleDot />}
      all="All Hubs"
      chosen={chosen}
      options={hubs.mine.value.map(({ id, name }) => ({ value: id, label: name }))}
      unknown={(chosen && hubs.find(chosen)?.name) ?? 'Unknown Hub'}
      onChoose={onChoose}
    />
  );
}

interface KeyChoiceProps {
  /** Offers only the keys of this Hub, unless it is `null`. */
  hubId: string | null;
  chosen: string | null;
  /** Loaded items: the server lists a key up to a minute after its first post. */
  items: readonly Item[];
  onChoose: (keyId: string | null) => void;
}

/** The filter for the posts of one key: all keys of the user's Hubs, the last one that was used first. */
export function KeyChoice({ hubId, chosen, items, onChoose }: KeyChoiceProps) {
  return (
    <Opener
      class={chosen === null ? 'pill' : 'pill is-set'}
      renderPopover={(opened) => (
        <KeyPicker {...opened} hubId={hubId} chosen={chosen} items={items} onChoose={onChoose} />
      )}
    >
      <KeyRound />
      <span class="sr">Key: </span>
      <span class="t">{chosen === null ? 'All keys' : <KeyName id={chosen} items={items} />}</span>
      <ChevronDown size="xs" />
    </Opener>
  );
}

function KeyName({ id, items }: { id: string; items: readonly Item[] }) {
  const name = items.find(({ key }) => key?.id === id)?.key?.name;
  return <>{name ?? <LoadedName id={id} />}</>;
}

function LoadedName({ id }: { id: string }) {
  const { state, value } = useKeys(null);
  if (state.status === 'loading') return <>…</>;
  return <>{value?.find((key) => key.id === id)?.name ?? 'Unknown key'}</>;
}

function useKeys(hubId: string | null) {
  const load = async (signal: AbortSignal) => (await request('GET /stream/keys', { query: { hubId }, signal })).items;
  return useResource<PostingKey[]>(load, { key: `${hubId}`, topics: ['keys'] });
}

/** Returns the keys of loaded items that the server does not list yet, and then those that it lists. */
function withKeysOf(items: readonly Item[], keys: readonly PostingKey[]): PostingKey[] {
  const listed = new Set(keys.map(({ id }) => id));
  const others = new Map<string, PostingKey>();
  for (const { key, hubId, createdAt } of items)
    if (key && !listed.has(key.id)) others.set(key.id, { ...key, hubId, lastUsedAt: createdAt });
  return [...others.values(), ...keys];
}

function KeyPicker({ hubId, items, ...picker }: Opened & KeyChoiceProps) {
  const { hubs } = useWorkspace();
  const { state, value = [] } = useKeys(hubId);
  const keys = withKeysOf(items, value);
  const detailOf = ({ hubId: own, lastUsedAt }: PostingKey) =>
    [hubId === null && hubs.names.value.get(own), shortTime(lastUsedAt, now.value)].filter(Boolean).join(', ');
  const find = (text: string) => [
    ...(text.trim() === '' ? [{ value: null, label: 'All keys' }] : []),
    ...withName(keys, text).map((key) => ({
      ...{ value: key.id, label: key.name, detail: detailOf(key) },
      icon: <Avatar id={key.id} name={key.name} kind="key" size="s" />,
    })),
  ];
  const text = state.status === 'failed' ? state.text : 'No matching keys';
  return <Picker {...picker} label="Key" placeholder="Find a key" find={find} text={text} />;
}
