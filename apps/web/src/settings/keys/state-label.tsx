import Ban from 'icon:ban';
import CircleCheck from 'icon:circle-check';
import CircleOff from 'icon:circle-off';
import Clock from 'icon:clock';
import ClockAlert from 'icon:clock-alert';
import OctagonPause from 'icon:octagon-pause';
import RotateCw from 'icon:rotate-cw';
import TriangleAlert from 'icon:triangle-alert';
import type { ApiKey } from '@hub/contract';
import { endOf } from '@hub/contract/key-state';
import { RATE_LIMIT, ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { now } from '../../time/now.ts';
import { CountDown } from './count-down.tsx';
import { isBeyondMaxLifetime } from './key-health.ts';
import { isReplacementOf, type KeyDisplayState, stateOf } from './key-state.ts';
import { agoText, dayAndClock, daysText, dayText, endText, isNearEnd } from './key-times.ts';

const LOOKS = {
  active: { text: 'Active', look: 'is-active', Icon: CircleCheck },
  expiring: { text: 'Expiring', look: 'is-soon', Icon: ClockAlert },
  rotated: { text: 'Rotating', look: 'is-rotating', Icon: RotateCw },
  blocked: { text: 'Blocked', look: 'is-blocked', Icon: OctagonPause },
  expired: { text: 'Expired', look: 'is-over', Icon: Clock },
  revoked: { text: 'Revoked', look: 'is-over', Icon: Ban },
  hubless: { text: 'Hub deleted', look: 'is-over', Icon: CircleOff },
} satisfies Record<KeyDisplayState, unknown>;

export function stateText(state: KeyDisplayState): string {
  return LOOKS[state].text;
}

interface KeyStateLabelProps {
  apiKey: ApiKey;
  /** The predecessor, if it is loaded. */
  before?: ApiKey | undefined;
  /** The maximum lifetime in the workspace, in days; `null` for no limit. */
  maxDays?: number | null;
  onEnd: () => void;
}

/** The state of a key, and when that state ends. */
export function KeyStateLabel({ apiKey, before, maxDays = null, onEnd }: KeyStateLabelProps) {
  const nowMs = now.value;
  const state = stateOf(apiKey, Date.now());
  const { look, Icon } = LOOKS[state];
  const isCounting = state === 'blocked' || state === 'rotated';
  return (
    <>
      <span class={isCounting ? `state is-counting ${look}` : `state ${look}`}>
        <Icon />
        <StateText apiKey={apiKey} state={state} onEnd={onEnd} />
      </span>
      {!isCounting && (
        <span class="sub">
          <SecondLine apiKey={apiKey} before={before} state={state} nowMs={nowMs} onEnd={onEnd} />
        </span>
      )}
      {maxDays !== null && isBeyondMaxLifetime(apiKey, nowMs, maxDays) && (
        <span class="sub is-over-limit">
          <TriangleAlert size="xs" /> Longer than {daysText(maxDays)}
        </span>
      )}
    </>
  );
}

interface TextProps {
  apiKey: ApiKey;
  state: KeyDisplayState;
  nowMs: number;
  onEnd: () => void;
}

function StateText({ apiKey, state, onEnd }: Omit<TextProps, 'nowMs'>) {
  if (state === 'blocked' && apiKey.blockedUntil !== null) {
    return (
      <CountDown
        until={Date.parse(apiKey.blockedUntil)}
        text={(left) => `Blocked, ${left} left`}
        ofMs={RATE_LIMIT.blockSeconds * 1_000}
        isBad
        onEnd={onEnd}
      />
    );
  }
  const end = endOf(apiKey);
  if (state === 'rotated' && end !== null) {
    return (
      <CountDown
        until={end}
        text={(left) => `Stops in ${left}`}
        ofMs={ROTATION_OVERLAP_SECONDS * 1_000}
        onEnd={onEnd}
      />
    );
  }
  if (state === 'expiring' && end !== null) {
    return <CountDown until={end} text={(left) => `Expires in ${left}`} onEnd={onEnd} />;
  }
  return <>{LOOKS[state].text}</>;
}

interface SecondLineProps extends TextProps {
  before: ApiKey | undefined;
}

/** The line below the state. An active key counts down when its end is near. */
function SecondLine({ apiKey, onEnd, ...options }: SecondLineProps) {
  const { expiresAt } = apiKey;
  if (options.state !== 'active' || expiresAt === null || !isNearEnd(expiresAt, Date.now())) {
    return <>{secondLine(apiKey, options)}</>;
  }
  return (
    <CountDown until={Date.parse(expiresAt)} text={() => `Until ${endText(expiresAt, Date.now())}`} onEnd={onEnd} />
  );
}

function secondLine(key: ApiKey, { before, state, nowMs }: Omit<SecondLineProps, 'apiKey' | 'onEnd'>): string {
  const { revokedAt, expiresAt, generation, createdAt } = key;
  const end = endOf(key);
  if (state === 'revoked' && revokedAt !== null) return dayAndClock(revokedAt, nowMs);
  if (state === 'expired' && end !== null) return dayAndClock(new Date(end).toISOString(), nowMs);
  if (state === 'hubless') return 'Inactive until the Hub is restored';
  if (state === 'expiring' && expiresAt !== null) return dayAndClock(expiresAt, nowMs);
  const isNew = generation > 1 && nowMs - Date.parse(createdAt) < 24 * 3_600_000;
  if (isNew) return `${isReplacementOf(key, before) ? 'Replacement issued' : 'Rotated'} ${agoText(createdAt, nowMs)}`;
  return expiresAt === null ? 'Never expires' : `Until ${dayText(expiresAt, nowMs)}`;
}
