import type { ApiKey, KeyDay, Scope } from '@hub/contract';
import type { FindingKind } from '@hub/contract/key-findings';
import { endOf } from '@hub/contract/key-state';
import { RATE_LIMIT, ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import {
  Ban,
  CircleCheck,
  CircleOff,
  Clock,
  ClockAlert,
  MessageSquare,
  OctagonPause,
  RotateCw,
  SquareCheckBig,
  StickyNote,
  TriangleAlert,
} from 'icons';
import { useEffect, useState } from 'preact/hooks';
import { countText } from '../../../lib/count-text.ts';
import { agoText, dayAndClock, dayText, endText, isNearEnd, nextTick, timeLeft } from '../../../lib/keys/key-times.ts';
import { now } from '../../../lib/time/format.ts';
import { isReplacementOf, type KeyDisplayState, SCOPES, scopeText, stateOf } from './key-state.ts';

export const KEY_STATES = {
  active: { text: 'Active', variant: 'is-active', Icon: CircleCheck },
  expiring: { text: 'Expiring', variant: 'is-soon', Icon: ClockAlert },
  rotated: { text: 'Rotated', variant: 'is-rotating', Icon: RotateCw },
  blocked: { text: 'Blocked', variant: 'is-blocked', Icon: OctagonPause },
  expired: { text: 'Expired', variant: 'is-over', Icon: Clock },
  revoked: { text: 'Revoked', variant: 'is-over', Icon: Ban },
  hubless: { text: 'Hub deleted', variant: 'is-over', Icon: CircleOff },
} satisfies Record<KeyDisplayState, unknown>;

export function KeyStateLabel(props: { apiKey: ApiKey; before?: ApiKey | undefined; onEnd: () => void }) {
  const { apiKey, before, onEnd } = props;
  const nowMs = now.value;
  const state = stateOf(apiKey, Date.now());
  const { text, variant, Icon } = KEY_STATES[state];
  const countDown = countDownOf(apiKey, state);
  const hasBar = countDown?.ofMs !== undefined;
  const { expiresAt } = apiKey;
  const isEnding = state === 'active' && expiresAt !== null && isNearEnd(expiresAt, Date.now());
  return (
    <>
      <span class={hasBar ? `state is-counting ${variant}` : `state ${variant}`}>
        <Icon />
        {countDown ? <CountDown {...countDown} onEnd={onEnd} /> : text}
      </span>
      {!hasBar && (
        <span class="sub">
          {isEnding ? (
            <CountDown
              until={Date.parse(expiresAt)}
              text={() => `Until ${endText(expiresAt, Date.now())}`}
              onEnd={onEnd}
            />
          ) : (
            secondLine(apiKey, { before, state, nowMs })
          )}
        </span>
      )}
    </>
  );
}

type FindingText = (key: ApiKey, maxDays: number | null) => string;

/** Texts of findings that the row does not show otherwise, as it does for expiry and for a disabled account. */
const FINDINGS: Partial<Record<FindingKind, FindingText>> = {
  blocked: (key) => (stateOf(key, now.value) === 'blocked' ? '' : 'Blocked in the last 7 days'),
  outlasts: (_, maxDays) => `Longer than ${countText(maxDays ?? 0, 'day')}`,
  wide: ({ unusedScopes }) => `Never created ${scopeText(unusedScopes)}`,
  unused: ({ lastUsedAt }) => `Unused since ${dayText(lastUsedAt ?? '', now.value)}`,
  'never-used': ({ createdAt }) => `Unused, issued ${agoText(createdAt, now.value)}`,
};

/** The most urgent finding about a key, and how many more there are. */
export function FindingLine(props: { apiKey: ApiKey; findings: readonly FindingKind[]; maxDays: number | null }) {
  const { apiKey, findings, maxDays } = props;
  const [first, ...more] = findings.flatMap((finding) => FINDINGS[finding]?.(apiKey, maxDays) || []);
  if (first === undefined) return null;
  return (
    <span class="sub is-finding" title={[first, ...more].join(', ')}>
      <TriangleAlert size="xs" /> {first}
      {more.length > 0 && `, ${more.length} more`}
      {more.length > 0 && <span class="sr">: {more.join(', ')}</span>}
    </span>
  );
}

function countDownOf(key: ApiKey, state: KeyDisplayState): Omit<CountDownProps, 'onEnd'> | null {
  if (state === 'blocked' && key.blockedUntil !== null) {
    const ofMs = RATE_LIMIT.blockSeconds * 1_000;
    return { until: Date.parse(key.blockedUntil), text: (time) => `Blocked, ${time} left`, ofMs, isDestructive: true };
  }
  const until = endOf(key);
  if (until === null) return null;
  if (state === 'rotated')
    return { until, text: (time) => `Expires in ${time}`, ofMs: ROTATION_OVERLAP_SECONDS * 1_000 };
  return state === 'expiring' ? { until, text: (time) => `Expires in ${time}` } : null;
}

interface SecondLineOptions {
  before: ApiKey | undefined;
  state: KeyDisplayState;
  nowMs: number;
}

function secondLine(key: ApiKey, { before, state, nowMs }: SecondLineOptions): string {
  const { revokedAt, expiresAt, generation, createdAt } = key;
  const end = endOf(key);
  if (state === 'revoked' && revokedAt !== null) return dayAndClock(revokedAt, nowMs);
  if (state === 'expired' && end !== null) return dayAndClock(new Date(end).toISOString(), nowMs);
  if (state === 'hubless') return 'Inactive until the Hub is restored';
  if (state === 'expiring' && expiresAt !== null) return dayAndClock(expiresAt, nowMs);
  const isNew = generation > 1 && nowMs - Date.parse(createdAt) < 24 * 3_600_000;
  const expiry = expiresAt === null ? 'Never expires' : `Until ${dayText(expiresAt, nowMs)}`;
  if (!isNew) return expiry;
  return `${expiry}, ${isReplacementOf(key, before) ? 'replacement issued' : 'rotated'} ${agoText(createdAt, nowMs)}`;
}

const BAR_WIDTH = 136;

interface CountDownProps {
  until: number;
  text: (time: string) => string;
  /** The total duration in milliseconds, for the progress bar. Without it, there is no bar. */
  ofMs?: number;
  isDestructive?: boolean;
  onEnd: () => void;
}

/** Time left until something ends. Screen readers do not announce changes, but read the current value on request. */
function CountDown({ until, text, ofMs, isDestructive = false, onEnd }: CountDownProps) {
  const [, setTick] = useState(0);
  const leftMs = Math.max(0, until - Date.now());
  useEffect(() => {
    if (leftMs === 0) {
      onEnd();
      return;
    }
    const timer = setTimeout(() => setTick((tick) => tick + 1), nextTick(leftMs));
    return () => clearTimeout(timer);
  });
  return (
    <>
      <span class="num">{text(timeLeft(leftMs))}</span>
      {ofMs !== undefined && (
        <svg
          class={isDestructive ? 'progress is-bad' : 'progress'}
          viewBox={`0 0 ${BAR_WIDTH} 4`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect width={BAR_WIDTH} height="4" rx="2" />
          <rect class="on" width={Math.round(Math.min(1, leftMs / ofMs) * BAR_WIDTH)} height="4" rx="2" />
        </svg>
      )}
    </>
  );
}

const SCOPE_ICONS = {
  'messages:create': MessageSquare,
  'notes:create': StickyNote,
  'todos:create': SquareCheckBig,
} satisfies Record<Scope, unknown>;

/** A key's permissions as icons in fixed positions. Icons of permissions it lacks are pale. */
export function ScopeIcons({ scopes }: { scopes: readonly Scope[] }) {
  const text = `Can create ${scopeText(scopes)}`;
  return (
    <span class="scope" title={text}>
      <span class="sr">{text}</span>
      {SCOPES.map((scope) => {
        const Icon = SCOPE_ICONS[scope];
        return (
          <span key={scope} class={scopes.includes(scope) ? 'kind' : 'kind no'}>
            <Icon />
          </span>
        );
      })}
    </span>
  );
}

const DAY_STEP = 4;
const DAY_WIDTH = 2.6;
const HEIGHT = 24;
const DAYS = 30;

/** Daily posts as bars. Days with a block are persimmon, and days without posts are dots. */
export function Sparkline({ days = [] }: { days?: readonly KeyDay[] | undefined }) {
  const recent = days.slice(-DAYS);
  const max = Math.max(1, ...recent.map(({ posts }) => posts));
  const heightOf = ({ posts, blocks }: KeyDay) => {
    if (posts === 0) return blocks > 0 ? 4 : 1;
    return Math.max(2, (posts / max) * 22);
  };
  const bars = (matches: (day: KeyDay) => boolean) =>
    recent
      .map((day, n) => {
        const height = heightOf(day).toFixed(1);
        return matches(day) ? `M${n * DAY_STEP} ${HEIGHT}v-${height}h${DAY_WIDTH}v${height}z` : '';
      })
      .join('');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${(DAYS - 1) * DAY_STEP + 2} ${HEIGHT}`}
      role="img"
      aria-label={summaryOf(recent)}
      preserveAspectRatio="none"
    >
      <path d={bars(({ posts, blocks }) => posts > 0 && blocks === 0)} />
      <path class="z" d={bars(({ posts, blocks }) => posts === 0 && blocks === 0)} />
      <path class="hi" d={bars(({ blocks }) => blocks > 0)} />
    </svg>
  );
}

/** "412 posts in the last 30 days, blocked on 1 day". */
function summaryOf(days: readonly KeyDay[]): string {
  const posts = days.reduce((sum, day) => sum + day.posts, 0);
  const blocked = days.filter(({ blocks }) => blocks > 0).length;
  const count = `${countText(posts, 'post')} in the last 30 days`;
  return blocked === 0 ? count : `${count}, blocked on ${countText(blocked, 'day')}`;
}
