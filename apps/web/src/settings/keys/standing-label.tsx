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
import { isBeyondLongest } from './key-health.ts';
import { type Standing, standingOf, tookThePlaceOf } from './key-standing.ts';
import { agoWords, dayAndClock, daysWords, dayWords, endWords, isNearEnd } from './key-times.ts';

const LOOKS = {
  active: { words: 'Active', look: 'is-active', Icon: CircleCheck },
  expiring: { words: 'Expiring', look: 'is-soon', Icon: ClockAlert },
  rotated: { words: 'In rotation', look: 'is-turn', Icon: RotateCw },
  blocked: { words: 'Blocked', look: 'is-blocked', Icon: OctagonPause },
  expired: { words: 'Expired', look: 'is-over', Icon: Clock },
  revoked: { words: 'Revoked', look: 'is-over', Icon: Ban },
  hubless: { words: 'Its Hub was deleted', look: 'is-over', Icon: CircleOff },
} satisfies Record<Standing, unknown>;

export function standingWords(standing: Standing): string {
  return LOOKS[standing].words;
}

interface StandingLabelProps {
  apiKey: ApiKey;
  /** The one that it came after. */
  before?: ApiKey | undefined;
  /** What the workspace allows; `null` for no limit. */
  longestDays?: number | null;
  onEnd: () => void;
}

/** How a key stands, and until when. */
export function StandingLabel({ apiKey, before, longestDays = null, onEnd }: StandingLabelProps) {
  const nowMs = now.value;
  const standing = standingOf(apiKey, Date.now());
  const { look, Icon } = LOOKS[standing];
  const isCounting = standing === 'blocked' || standing === 'rotated';
  return (
    <>
      <span class={isCounting ? `state is-counting ${look}` : `state ${look}`}>
        <Icon />
        <Words apiKey={apiKey} standing={standing} onEnd={onEnd} />
      </span>
      {!isCounting && (
        <span class="sub">
          <SecondLine apiKey={apiKey} before={before} standing={standing} nowMs={nowMs} onEnd={onEnd} />
        </span>
      )}
      {longestDays !== null && isBeyondLongest(apiKey, nowMs, longestDays) && (
        <span class="sub is-beyond">
          <TriangleAlert size="xs" /> Longer than {daysWords(longestDays)}
        </span>
      )}
    </>
  );
}

interface WordsProps {
  apiKey: ApiKey;
  standing: Standing;
  nowMs: number;
  onEnd: () => void;
}

function Words({ apiKey, standing, onEnd }: Omit<WordsProps, 'nowMs'>) {
  if (standing === 'blocked' && apiKey.blockedUntil !== null) {
    return (
      <CountDown
        until={Date.parse(apiKey.blockedUntil)}
        words={(left) => `Blocked, ${left} left`}
        ofMs={RATE_LIMIT.blockSeconds * 1_000}
        isBad
        onEnd={onEnd}
      />
    );
  }
  const end = endOf(apiKey);
  if (standing === 'rotated' && end !== null) {
    return (
      <CountDown
        until={end}
        words={(left) => `Stops in ${left}`}
        ofMs={ROTATION_OVERLAP_SECONDS * 1_000}
        onEnd={onEnd}
      />
    );
  }
  if (standing === 'expiring' && end !== null) {
    return <CountDown until={end} words={(left) => `Expires in ${left}`} onEnd={onEnd} />;
  }
  return <>{LOOKS[standing].words}</>;
}

interface SecondLineProps extends WordsProps {
  before: ApiKey | undefined;
}

/** Near its end what is left of it counts down, also of a key that was made for a minute. */
function SecondLine({ apiKey, onEnd, ...options }: SecondLineProps) {
  const { expiresAt } = apiKey;
  if (options.standing !== 'active' || expiresAt === null || !isNearEnd(expiresAt, Date.now())) {
    return <>{secondLine(apiKey, options)}</>;
  }
  return (
    <CountDown until={Date.parse(expiresAt)} words={() => `Until ${endWords(expiresAt, Date.now())}`} onEnd={onEnd} />
  );
}

function secondLine(key: ApiKey, { before, standing, nowMs }: Omit<SecondLineProps, 'apiKey' | 'onEnd'>): string {
  const { revokedAt, expiresAt, generation, createdAt } = key;
  const end = endOf(key);
  if (standing === 'revoked' && revokedAt !== null) return dayAndClock(revokedAt, nowMs);
  if (standing === 'expired' && end !== null) return dayAndClock(new Date(end).toISOString(), nowMs);
  if (standing === 'hubless') return 'Refused until it is restored';
  if (standing === 'expiring' && expiresAt !== null) return dayAndClock(expiresAt, nowMs);
  const isNew = generation > 1 && nowMs - Date.parse(createdAt) < 24 * 3_600_000;
  if (isNew) return `${tookThePlaceOf(key, before) ? 'Replaced one' : 'Rotated'} ${agoWords(createdAt, nowMs)}`;
  return expiresAt === null ? 'Never expires' : `Until ${dayWords(expiresAt, nowMs)}`;
}
