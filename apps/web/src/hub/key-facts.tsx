import Ban from 'icon:ban';
import CircleCheck from 'icon:circle-check';
import Clock from 'icon:clock';
import OctagonPause from 'icon:octagon-pause';
import RotateCw from 'icon:rotate-cw';
import type { ApiKey, KeyState } from '@hub/contract';
import { Avatar } from '../avatars/avatar.tsx';
import { shortTime } from '../time/format.ts';
import { now } from '../time/now.ts';

const STATES = {
  active: { text: 'Active', look: 'is-active', Icon: CircleCheck },
  rotated: { text: 'Rotating', look: 'is-rotating', Icon: RotateCw },
  blocked: { text: 'Blocked', look: 'is-blocked', Icon: OctagonPause },
  expired: { text: 'Expired', look: 'is-over', Icon: Clock },
  revoked: { text: 'Revoked', look: 'is-over', Icon: Ban },
} satisfies Record<KeyState, unknown>;

/** The API key that a post was sent with. Members who cannot manage keys see only its name. */
export function KeyFacts({ name, id, apiKey }: { name: string; id: string; apiKey: ApiKey | null }) {
  return (
    <>
      <dt>Key</dt>
      <dd>
        <Avatar id={id} name={name} kind="key" size="s" />
        <b>{name}</b>
        {apiKey && <span class="hint-key">{apiKey.hint}</span>}
      </dd>
      {apiKey && (
        <>
          <dt>Rotation</dt>
          <dd>{generationOf(apiKey, now.value)}</dd>
          <dt>State</dt>
          <dd>
            <KeyStateLabel apiKey={apiKey} />
          </dd>
        </>
      )}
    </>
  );
}

function KeyStateLabel({ apiKey }: { apiKey: ApiKey }) {
  const { text, look, Icon } = STATES[apiKey.state];
  const detail = detailOf(apiKey, now.value);
  return (
    <>
      <span class={`state ${look}`} role="status">
        <Icon /> {text}
      </span>
      {detail !== null && <span class="key-detail">{detail}</span>}
    </>
  );
}

/** "2nd, rotated 3 Oct by Jonas". */
export function generationOf({ generation, createdAt, createdBy }: ApiKey, nowMs: number): string {
  const how = generation === 1 ? 'issued' : 'rotated';
  return `${ordinal(generation)}, ${how} ${shortTime(createdAt, nowMs)} by ${createdBy.name}`;
}

function detailOf({ state, revokedAt, expiresAt, overlapEndsAt, blockedUntil }: ApiKey, nowMs: number): string | null {
  if (state === 'revoked' && revokedAt) return shortTime(revokedAt, nowMs);
  if (state === 'expired' && expiresAt) return shortTime(expiresAt, nowMs);
  if (state === 'rotated' && overlapEndsAt) return `works until ${shortTime(overlapEndsAt, nowMs)}`;
  if (state === 'blocked' && blockedUntil) return `until ${shortTime(blockedUntil, nowMs)}`;
  return null;
}

export function ordinal(count: number): string {
  const isTeen = count % 100 >= 11 && count % 100 <= 13;
  const endings: Record<number, string> = isTeen ? {} : { 1: 'st', 2: 'nd', 3: 'rd' };
  return `${count}${endings[count % 10] ?? 'th'}`;
}
